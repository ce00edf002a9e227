//! A line of JSON that holds its own checksum, so that no changed byte goes unnoticed:
//! `{"crc":"1a2b3c4d",` and then the fields of an object. The checksum is the CRC-32 (that of
//! gzip) of all that follows it, the closing brace included.

use anyhow::{ensure, Context, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;

/// The length of the part with the checksum, in bytes.
const HEAD: usize = r#"{"crc":"1a2b3c4d","#.len();

/// The line of a value, with its line end.
///
/// # Errors
/// If the value is no object with fields in JSON.
pub fn write(value: &impl Serialize) -> Result<Vec<u8>> {
    let text = serde_json::to_string(value)?;
    let fields = text.strip_prefix('{').filter(|&fields| fields != "}");
    let fields = fields.with_context(|| format!("expected an object with fields, found {text}"))?;
    Ok([&head(fields.as_bytes()), fields.as_bytes(), b"\n"].concat())
}

/// Reads the value of a line that is given with its line end.
///
/// # Errors
/// What is wrong with the line.
pub fn read<T: DeserializeOwned>(line: &[u8]) -> Result<T> {
    let line = line.strip_suffix(b"\n").context("the line has no end")?;
    let parts = line.split_at_checked(HEAD);
    let (found, fields) = parts.context("the line has no checksum")?;
    ensure!(found == head(fields), "the checksum is that of other bytes");
    Ok(serde_json::from_slice(&[b"{", fields].concat())?)
}

fn head(fields: &[u8]) -> Vec<u8> {
    let crc = crc32fast::hash(fields);
    format!(r#"{{"crc":"{crc:08x}","#).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let value = BTreeMap::from([("a", 1), ("b", 2)]);
        let line = write(&value).unwrap();
        assert_eq!(line, b"{\"crc\":\"e6dd8d49\",\"a\":1,\"b\":2}\n");
        let parsed: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(parsed["b"], 2);
        let read = |line: &[u8]| read::<BTreeMap<String, u32>>(line);
        assert_eq!(read(&line).unwrap()["b"], 2);
        for at in 0..line.len() {
            assert!(read(&line[..at]).is_err(), "cut at {at}");
            for to in 0..=255 {
                let mut other = line.clone();
                other[at] = to;
                assert!(other == line || read(&other).is_err(), "byte {at} is {to}");
            }
        }
        assert!(write(&"text").is_err());
        assert!(write(&BTreeMap::<u8, u8>::new()).is_err());
    }
}
