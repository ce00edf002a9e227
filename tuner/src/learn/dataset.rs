//! Files of groups of states of one layer, of any game.
//!
//! The file is a line of JSON, the [`Header`], and then a block for each game in the order of
//! their numbers: its number, the length and the checksum of what follows, and the groups. A file
//! that was cut off ends with a damaged block, which [`Writer::resume`] takes off.

use anyhow::{bail, ensure, Context, Result};
use columns_cli::input;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The version of the format. In version 1 no group has values.
pub const FORMAT: u32 = 2;

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The game: `columns` or `samegame`.
    pub game: String,
    /// Numbers that describe a state.
    pub features: usize,
    /// How the groups were made, all that they depend on.
    pub source: String,
}

/// Some states of one layer. Without values the first is the one to be found: an ancestor of the state
/// that was the best at the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// What each state is worth without what is to be learned, in 1/256 of the game's unit.
    pub base: Vec<i32>,
    /// The numbers that describe the states, one state after the other.
    pub features: Vec<i16>,
    /// What each state has turned out to be worth, in the same unit as `base`; or nothing.
    pub value: Vec<i32>,
}

impl Group {
    /// What the states are worth by `base`, in the game's units, against the first; so that whole
    /// values are not too large for a small float.
    pub fn bases(&self) -> impl Iterator<Item = f32> + '_ {
        against_first(&self.base)
    }

    /// The same by `value`.
    pub fn values(&self) -> impl Iterator<Item = f32> + '_ {
        against_first(&self.value)
    }

    /// Adds a state.
    pub fn push(&mut self, base: i32, features: &[i16]) {
        self.base.push(base);
        self.features.extend_from_slice(features);
    }
}

fn against_first(numbers: &[i32]) -> impl Iterator<Item = f32> + '_ {
    let each = numbers.iter();
    each.map(|number| number.saturating_sub(numbers[0]) as f32 / 256.0)
}

/// Number, length and checksum of a block.
const BLOCK: usize = 8 + 4 + 4;
/// Marks the count of the states of a group that has values.
const VALUED: u32 = 1 << 31;
/// No block is longer.
const LONGEST: u32 = 1 << 28;

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
}

impl Writer {
    /// Begins a file, or goes on with one of the same header after its last whole block. Returns
    /// the number of the last game in it, too.
    ///
    /// # Errors
    /// If the file cannot be written, or is another one.
    pub fn resume(path: &Path, header: &Header) -> Result<(Self, Option<u64>)> {
        let name = input::name(path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("{name}: cannot be written"))?;
        if file.metadata()?.len() == 0 {
            let line = serde_json::to_string(header)? + "\n";
            file.write_all(line.as_bytes())
                .with_context(|| format!("{name}: cannot be written"))?;
            return Ok((Self { file }, None));
        }
        let mut reader = BufReader::new(&file);
        let (found, mut end) = read_header(&mut reader, &name)?;
        ensure!(
            found == *header,
            "{name}: holds other data ({}); give another file, or the options it was made with",
            found.source
        );
        let mut last = None;
        while let Some((number, body)) = read_block(&mut reader)? {
            end += (BLOCK + body.len()) as u64;
            last = Some(number);
        }
        file.set_len(end)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file }, last))
    }

    /// Appends the groups of a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, number: u64, groups: &[Group]) -> Result<()> {
        let mut body = Vec::new();
        for group in groups {
            debug_assert!([0, group.base.len()].contains(&group.value.len()));
            let valued = if group.value.is_empty() { 0 } else { VALUED };
            body.extend_from_slice(&(group.base.len() as u32 | valued).to_le_bytes());
            for number in group.base.iter().chain(&group.value) {
                body.extend_from_slice(&number.to_le_bytes());
            }
            for feature in &group.features {
                body.extend_from_slice(&feature.to_le_bytes());
            }
        }
        let mut block = Vec::with_capacity(BLOCK + body.len());
        block.extend_from_slice(&number.to_le_bytes());
        block.extend_from_slice(&(body.len() as u32).to_le_bytes());
        block.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        block.extend_from_slice(&body);
        self.file
            .write_all(&block)
            .context("cannot write the data set")
    }
}

/// A file, read.
#[derive(Debug)]
pub struct Dataset {
    /// Its header.
    pub header: Header,
    /// The groups with the numbers of their games.
    pub groups: Vec<(u64, Group)>,
}

impl Dataset {
    /// Reads a file. A damaged end is left out, as [`Writer::resume`] would.
    ///
    /// # Errors
    /// If it cannot be read or is no data set of this version.
    pub fn read(path: &Path) -> Result<Self> {
        let name = input::name(path);
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        let mut reader = BufReader::new(file);
        let (header, _) = read_header(&mut reader, &name)?;
        let mut groups = Vec::new();
        while let Some((number, body)) = read_block(&mut reader)? {
            let whole = split(&body, header.features);
            let Some(found) = whole else {
                bail!(
                    "{name}: game {number} does not hold {} numbers a state",
                    header.features
                );
            };
            groups.extend(found.into_iter().map(|group| (number, group)));
        }
        Ok(Self { header, groups })
    }
}

/// The header and its length.
fn read_header(reader: &mut impl BufRead, name: &str) -> Result<(Header, u64)> {
    let mut line = Vec::new();
    reader.take(1 << 20).read_until(b'\n', &mut line)?;
    let header: Header = match serde_json::from_slice(&line) {
        Ok(header) if line.ends_with(b"\n") => header,
        _ => bail!("{name}: line 1: expected the header of a data set"),
    };
    ensure!(
        (1..=FORMAT).contains(&header.format),
        "{name}: a data set of format {}, this program reads up to {FORMAT}",
        header.format
    );
    Ok((header, line.len() as u64))
}

/// The next block; none at the end or where it is damaged.
fn read_block(reader: &mut impl Read) -> Result<Option<(u64, Vec<u8>)>> {
    let mut head = Vec::new();
    reader.take(BLOCK as u64).read_to_end(&mut head)?;
    if head.len() < BLOCK {
        return Ok(None);
    }
    let number = u64::from_le_bytes(head[..8].try_into()?);
    let length = u32::from_le_bytes(head[8..12].try_into()?);
    let checksum = u32::from_le_bytes(head[12..].try_into()?);
    if length > LONGEST {
        return Ok(None);
    }
    let mut body = Vec::new();
    reader.take(length.into()).read_to_end(&mut body)?;
    let whole = body.len() == length as usize && crc32fast::hash(&body) == checksum;
    Ok(whole.then_some((number, body)))
}

/// The groups of a block.
fn split(mut body: &[u8], features: usize) -> Option<Vec<Group>> {
    let mut groups = Vec::new();
    while !body.is_empty() {
        let (count, rest) = body.split_at_checked(4)?;
        let count = u32::from_le_bytes(count.try_into().ok()?);
        let valued = count & VALUED != 0;
        let count = (count & !VALUED) as usize;
        let (base, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
        let (value, rest) = rest.split_at_checked(if valued { base.len() } else { 0 })?;
        let (numbers, rest) = rest.split_at_checked(count.checked_mul(2 * features)?)?;
        let whole = |bytes: &[u8]| -> Vec<i32> {
            let numbers = bytes.chunks_exact(4);
            let numbers = numbers.map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            numbers.collect()
        };
        groups.push(Group {
            base: whole(base),
            value: whole(value),
            features: numbers
                .chunks_exact(2)
                .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
                .collect(),
        });
        body = rest;
    }
    Some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            format: FORMAT,
            game: "columns".to_string(),
            features: 2,
            source: "a test".to_string(),
        }
    }

    fn group(n: i16) -> Group {
        let mut group = Group::default();
        group.push(-256, &[n, 2]);
        group.push(1 << 20, &[3, -n]);
        if n == 2 {
            group.value = vec![i32::MIN, 77];
        }
        group
    }

    #[test]
    fn what_was_cut_off_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (mut writer, last) = Writer::resume(&path, &header()).unwrap();
        assert_eq!(last, None);
        writer.append(4, &[group(1), group(2)]).unwrap();
        writer.append(7, &[group(3)]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for cut in 1..40 {
            std::fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let groups = Dataset::read(&path).unwrap().groups;
            let two = (4, group(2));
            let expected = if cut < 37 {
                &[(4, group(1)), two][..]
            } else {
                &[]
            };
            if cut < 37 {
                assert_eq!(groups, expected, "{cut}");
            }
            let (mut writer, last) = Writer::resume(&path, &header()).unwrap();
            if cut < 37 {
                assert_eq!(last, Some(4));
                writer.append(7, &[group(3)]).unwrap();
                assert_eq!(std::fs::read(&path).unwrap(), whole);
            }
        }
    }

    #[test]
    fn another_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        Writer::resume(&path, &header()).unwrap();
        let other = Header {
            source: "another".to_string(),
            ..header()
        };
        let error = Writer::resume(&path, &other).unwrap_err().to_string();
        assert!(error.contains("holds other data (a test)"), "{error}");
        std::fs::write(&path, "noise").unwrap();
        let error = Dataset::read(&path).unwrap_err().to_string();
        assert!(error.contains("expected the header"), "{error}");
        let error = Writer::resume(&path, &header()).unwrap_err().to_string();
        assert!(error.contains("expected the header"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"noise");
    }
}
