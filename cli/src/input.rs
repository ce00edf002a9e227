//! Reading a file or standard input; mistakes name the file and the line in it.

use anyhow::{ensure, Context, Result};
use columns_core::network::Mlp;
use columns_core::rules::case::Case;
use columns_core::text;
use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

/// Most bytes of a case that are read; a case needs 40 KB.
const CASE_LIMIT: u64 = 16 << 20;

/// Whether a path is `-`: standard input, or standard output if it is written.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of a file in messages: `standard input` for `-`.
pub fn name(path: &Path) -> String {
    if is_standard(path) {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}

/// The first `limit` bytes of a file, or of standard input for `-`.
///
/// # Errors
/// The file's name and why it cannot be read.
pub fn read_start(path: &Path, limit: u64) -> Result<Vec<u8>> {
    try_read_start(path, limit).with_context(|| format!("{}: cannot be read", name(path)))
}

fn try_read_start(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_standard(path) {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// A file of at most `limit` bytes as text; standard input for `-`.
///
/// # Errors
/// The file's name, and why it cannot be read, that it is larger, or the line of
/// the first byte that is not UTF-8.
pub fn read(path: &Path, limit: u64) -> Result<String> {
    let bytes = read_start(path, limit + 1)?;
    ensure!(
        bytes.len() as u64 <= limit,
        "{}: expected at most {}",
        name(path),
        size(limit)
    );
    let text = text::decode(&bytes).with_context(|| name(path))?;
    // Some editors begin a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string())
}

/// Reads a file of at most `limit` bytes; standard input for `-`.
///
/// # Errors
/// One line with the file's name, and what is wrong with it or with its text.
pub fn parse<T>(path: &Path, limit: u64) -> Result<T>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    read(path, limit)?.parse().with_context(|| name(path))
}

/// Reads a case from a file, or from standard input for `-`.
///
/// # Errors
/// One line with the file's name, the line in it and what was expected there.
pub fn read_case(path: &Path) -> Result<Case> {
    parse(path, CASE_LIMIT)
}

/// Most bytes of a learned evaluation that are read.
const NETWORK_LIMIT: u64 = 1 << 20;

/// Reads a learned evaluation: the first line of a file of `tuner learn` or of a run. There is
/// none if the path is `none`.
///
/// # Errors
/// One line with the file's name and what was expected there.
pub fn read_network<const PAIRS: usize>(path: &Path) -> Result<Option<Box<Mlp<PAIRS>>>> {
    if path.as_os_str() == "none" {
        return Ok(None);
    }
    let text = read(path, NETWORK_LIMIT)?;
    let network = Mlp::parse(text.lines().next().unwrap_or_default());
    network.map(Some).with_context(|| {
        let name = name(path);
        format!("{name}: expected a network of `tuner learn`, for this game")
    })
}

/// A number of bytes, in MiB if it is a whole number of them.
fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_name_the_file_and_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let shown = path.display();
        let told = |bytes: &[u8], limit| {
            std::fs::write(&path, bytes).unwrap();
            read(&path, limit).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(told(b"1\n2", 3), Ok("1\n2".into()));
        assert_eq!(told(b"\xef\xbb\xbf1\n2", 9), Ok("1\n2".into()));
        assert_eq!(
            told(b"1\n2\n", 3),
            Err(format!("{shown}: expected at most 3 bytes"))
        );
        assert_eq!(
            told(&vec![b'x'; (2 << 20) + 1], 2 << 20),
            Err(format!("{shown}: expected at most 2 MiB"))
        );
        assert_eq!(
            told(b"1\n2\n\xff", 9),
            Err(format!(
                "{shown}: line 3: expected text, found bytes that are not UTF-8"
            ))
        );
        assert_eq!(read_start(&path, 2).unwrap(), b"1\n");
        let told = |path: &Path| format!("{:#}", read(path, 9).unwrap_err());
        for unreadable in [folder.path(), &folder.path().join("none")] {
            let start = format!("{}: cannot be read: ", unreadable.display());
            assert!(told(unreadable).starts_with(&start));
        }
        std::fs::write(&path, "6 13\nx").unwrap();
        let error = format!("{:#}", read_case(&path).unwrap_err());
        assert!(error.starts_with(&format!("{shown}: line 2: expected the number of columns")));
    }
}
