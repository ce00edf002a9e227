//! Blocks of bytes one after the other, each with a number and a checksum.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | `game`, by which blocks are found behind damage |
//! | 4 | the CRC-32 of all that follows |
//! | 8 | the number, larger than that of the block before |
//! | 4 | the place of the block among all, the first being 0 |
//! | 4 | how many bytes follow |
//! | | these bytes, the body |
//!
//! Numbers are little-endian.

use anyhow::{Context, Result};
use std::fmt;

/// How a block begins.
const START: [u8; 4] = *b"game";
/// The offset in a block of the part that the checksum covers.
const CHECKED: usize = 4 + 4;
/// The offset of the body.
const HEAD: usize = CHECKED + 8 + 4 + 4;

/// A whole block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    /// The number of its game.
    pub number: u64,
    /// Where it begins in the file, in bytes.
    pub at: usize,
    /// Its body.
    pub body: &'a [u8],
}

/// Damage of a file. Shows as a part of a line, `byte 1234: expected …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The offset of the first damaged block, in bytes.
    pub at: usize,
    what: String,
    before: usize,
    /// Whole blocks behind it.
    pub behind: usize,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "byte {}: {}; games that are whole: {} before it, {} behind it",
            self.at, self.what, self.before, self.behind
        )
    }
}

/// The bytes of a block.
///
/// # Errors
/// If the body has more than 4 GiB, or the place more than 32 bits.
pub fn write(place: usize, number: u64, body: &[u8]) -> Result<Vec<u8>> {
    let small = |count: usize| u32::try_from(count).context("expected at most 4 GiB a game");
    let mut block = Vec::with_capacity(HEAD + body.len());
    block.extend_from_slice(&START);
    block.extend_from_slice(&[0; 4]);
    block.extend_from_slice(&number.to_le_bytes());
    block.extend_from_slice(&small(place)?.to_le_bytes());
    block.extend_from_slice(&small(body.len())?.to_le_bytes());
    block.extend_from_slice(body);
    let checksum = crc32fast::hash(&block[CHECKED..]);
    block[START.len()..CHECKED].copy_from_slice(&checksum.to_le_bytes());
    Ok(block)
}

/// The blocks of a file from a byte on, up to the first damage.
pub fn read(bytes: &[u8], start: usize) -> (Vec<Block<'_>>, Option<Damage>) {
    let mut blocks: Vec<Block> = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        match next(bytes, at, &blocks) {
            Ok(block) => {
                at += HEAD + block.body.len();
                blocks.push(block);
            }
            Err(what) => {
                let damage = Damage {
                    at,
                    what,
                    before: blocks.len(),
                    behind: count(bytes, at),
                };
                return (blocks, Some(damage));
            }
        }
    }
    (blocks, None)
}

/// The block at a byte, which is to follow others.
fn next<'a>(bytes: &'a [u8], at: usize, before: &[Block]) -> Result<Block<'a>, String> {
    let (place, block) = block(bytes, at)?;
    if place as usize != before.len() {
        let expected = before.len() + 1;
        return Err(format!(
            "expected block {expected}, found block {}",
            u64::from(place) + 1
        ));
    }
    match before.last() {
        Some(last) if last.number >= block.number => Err(format!(
            "expected a game above {}, found {}",
            last.number, block.number
        )),
        _ => Ok(block),
    }
}

/// The number of whole blocks from a byte on, whatever lies between them.
fn count(bytes: &[u8], mut at: usize) -> usize {
    let mut count = 0;
    while at < bytes.len() {
        at += block(bytes, at).map_or(1, |(_, block)| {
            count += 1;
            HEAD + block.body.len()
        });
    }
    count
}

/// The block at a byte and its place among all, or what is wrong with it.
fn block(bytes: &[u8], at: usize) -> Result<(u32, Block<'_>), &'static str> {
    let bytes = &bytes[at..];
    if !bytes.starts_with(&START[..bytes.len().min(START.len())]) {
        return Err("expected the start of a block, found other bytes");
    }
    let cut_off = "expected a whole block, found the end of the file";
    let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or(cut_off)?;
    let [_, _, _, _, c0, c1, c2, c3, number @ .., p0, p1, p2, p3, l0, l1, l2, l3] = *head;
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    let body = rest.get(..length as usize).ok_or(cut_off)?;
    if crc32fast::hash(&bytes[CHECKED..HEAD + body.len()]) != u32::from_le_bytes([c0, c1, c2, c3]) {
        return Err("expected a block as it was written, found another checksum");
    }
    let block = Block {
        number: u64::from_le_bytes(number),
        at,
        body,
    };
    Ok((u32::from_le_bytes([p0, p1, p2, p3]), block))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(places: &[(usize, u64)]) -> Vec<u8> {
        let blocks = places.iter();
        let blocks = blocks.map(|&(place, number)| write(place, number, &[number as u8; 30]));
        let blocks: Result<Vec<Vec<u8>>> = blocks.collect();
        [b"head".to_vec(), blocks.unwrap().concat()].concat()
    }

    #[test]
    fn blocks_are_read_as_they_were_written() {
        let bytes = file(&[(0, 4), (1, 7), (2, u64::MAX)]);
        let (blocks, damage) = read(&bytes, 4);
        assert_eq!(damage, None);
        let numbers: Vec<u64> = blocks.iter().map(|block| block.number).collect();
        assert_eq!(numbers, [4, 7, u64::MAX]);
        assert_eq!((blocks[1].at, blocks[1].body), (4 + 54, &[7; 30][..]));
        assert_eq!(read(b"head", 4), (Vec::new(), None));
    }

    #[test]
    fn every_changed_byte_is_told_with_the_blocks_around_it() {
        let whole = file(&[(0, 4), (1, 7), (2, 9)]);
        for at in 4..whole.len() {
            for to in (0..=255).filter(|&to| to != whole[at]) {
                let mut bytes = whole.clone();
                bytes[at] = to;
                let (blocks, damage) = read(&bytes, 4);
                let damage = damage.unwrap();
                let place = (at - 4) / 54;
                assert_eq!(blocks.len(), place, "byte {at} is {to}");
                assert_eq!((damage.at, damage.behind), (4 + place * 54, 2 - place));
            }
        }
    }

    #[test]
    fn every_cut_is_told_but_one_between_blocks() {
        let whole = file(&[(0, 4), (1, 7)]);
        for length in 4..whole.len() {
            let (blocks, damage) = read(&whole[..length], 4);
            assert_eq!(blocks.len(), (length - 4) / 54);
            assert_eq!(damage.is_none(), (length - 4) % 54 == 0, "{length}");
        }
    }

    #[test]
    fn blocks_out_of_order_are_told() {
        for (places, expected) in [
            (
                [(0, 4), (2, 9)],
                "byte 58: expected block 2, found block 3; games that are whole: 1 before it, 1 behind it",
            ),
            (
                [(0, 4), (1, 4)],
                "byte 58: expected a game above 4, found 4; games that are whole: 1 before it, 1 behind it",
            ),
        ] {
            let bytes = file(&places);
            assert_eq!(read(&bytes, 4).1.unwrap().to_string(), expected);
        }
    }
}
