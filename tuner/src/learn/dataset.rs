//! Files of groups of states of one layer, of any game.
//!
//! The file is a line of JSON with a checksum, the [`Header`], and then a [block](blocks) for each
//! game in the order of their numbers. A process that is killed leaves a last block that is cut
//! off; the next game that a [`Writer`] appends takes its place. Other damage is an error, which
//! names its place; the file then stays as it is.

use crate::store::blocks::{self, Block};
use crate::store::identity::Identity;
use crate::store::line;
use anyhow::{bail, ensure, Context, Result};
use columns_cli::{input, lock};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the format. Earlier versions have fewer checksums and cannot be read.
pub const FORMAT: u32 = 3;

/// The header of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The game: `columns` or `samegame`.
    pub game: String,
    /// The number of features that describe a state.
    pub features: usize,
    /// How the groups were made: all options that they depend on.
    pub made_with: Identity,
}

impl Header {
    /// The first difference from this header, as a line for the user.
    fn differs(&self, now: &Self) -> Option<String> {
        // Another game has other options; that it is another game must be named first.
        let [found, now_at] = [self, now].map(|header| {
            let game = Identity::default().with("--game", &header.game);
            game.with("numbers that describe a state", header.features)
        });
        found
            .differs(&now_at)
            .or_else(|| self.made_with.differs(&now.made_with))
    }
}

/// Some states of one layer. If they have no values, the first is the one to be found: an ancestor
/// of the state that was the best at the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// The value of each state without the part that is learned, in 1/256 of the game's unit.
    pub base: Vec<i32>,
    /// The numbers that describe the states, one state after the other.
    pub features: Vec<i16>,
    /// The value that each state has turned out to have, in the unit of `base`; or nothing.
    pub value: Vec<i32>,
}

impl Group {
    /// The values of the states by `base`, in the game's units, less that of the first; so they are
    /// small enough for an `f32`.
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

/// The bit of a group's number of states that says that the group has values.
const VALUED: u32 = 1 << 31;

/// Appends games to a file, which is locked as long as this lives.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
    /// The numbers of the games in the file, in rising order.
    pub games: Vec<u64>,
    /// What is wrong with the last block, as a line for the user.
    pub damage: Option<String>,
    /// Where that block begins, in bytes. It stays until there is something to write in its place.
    cut: Option<u64>,
}

impl Writer {
    /// Begins a file, or goes on with one of the same header after its last whole block. The next
    /// game takes the place of a last block that was cut off or is damaged.
    ///
    /// # Errors
    /// One line with the file's name: that another process works on it, that it was made with
    /// another option, where it is damaged, or why it cannot be written.
    pub fn resume(path: &Path, header: &Header) -> Result<Self> {
        let name = input::name(path);
        let busy = format!("{name}: another process is working on this data set");
        let mut file = lock::open(path, &busy)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("{name}: cannot be read"))?;
        let mut writer = Self {
            path: path.into(),
            file,
            games: Vec::new(),
            damage: None,
            cut: None,
        };
        let first = line::write(header)?;
        // A process that was killed may have left a part of the header, or nothing.
        if bytes.len() < first.len() && first.starts_with(&bytes) {
            writer.cut = (!bytes.is_empty()).then_some(0);
            writer.put(&first)?;
            return Ok(writer);
        }
        let (found, start) = read_header(&bytes, &name)?;
        if let Some(difference) = found.differs(header) {
            bail!("{name}: {difference}; give another file, or what it was made with");
        }
        let (blocks, damage) = blocks::read(&bytes, start);
        if let Some(damage) = damage {
            ensure!(damage.behind == 0, "{name}: {damage}; sample anew");
            writer.damage = Some(format!("{name}: {damage}"));
            writer.cut = Some(damage.at as u64);
        }
        writer.games = blocks.iter().map(|block| block.number).collect();
        Ok(writer)
    }

    /// Appends the groups of a game. They are on the disk when this returns.
    ///
    /// # Errors
    /// The file's name and why it cannot be written, for instance because the number is not above
    /// that of the last game.
    pub fn append(&mut self, number: u64, groups: &[Group]) -> Result<()> {
        if let Some(last) = self.games.last() {
            ensure!(
                *last < number,
                "{}: expected a game after {last}, found {number}",
                input::name(&self.path)
            );
        }
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
        self.put(&blocks::write(self.games.len(), number, &body)?)?;
        self.games.push(number);
        Ok(())
    }

    /// Writes bytes after the last whole block, in one call, and brings them to the disk.
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        (|| {
            if let Some(end) = self.cut.take() {
                self.file.set_len(end)?;
                self.file.seek(SeekFrom::Start(end))?;
            }
            self.file.write_all(bytes)?;
            self.file.sync_data()
        })()
        .with_context(|| format!("{}: cannot be written", input::name(&self.path)))
    }
}

/// The contents of a file.
#[derive(Debug)]
pub struct Dataset {
    /// Its header.
    pub header: Header,
    /// The groups with the numbers of their games. Each has at least two states.
    pub groups: Vec<(u64, Group)>,
}

impl Dataset {
    /// Reads a file.
    ///
    /// # Errors
    /// One line with the file's name: why it cannot be read, that it is no data set of this
    /// version, or where it is damaged and how many games before and behind are whole.
    pub fn read(path: &Path) -> Result<Self> {
        let name = input::name(path);
        let bytes = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
        let (header, start) = read_header(&bytes, &name)?;
        let (blocks, damage) = blocks::read(&bytes, start);
        if let Some(damage) = damage {
            let remedy = if damage.behind == 0 {
                "`tuner sample` with the same options repairs it"
            } else {
                "sample anew"
            };
            bail!("{name}: {damage}; {remedy}");
        }
        let mut groups = Vec::new();
        for Block { number, at, body } in blocks {
            let found = split(body, header.features)
                .with_context(|| format!("{name}: byte {at}: game {number}"))?;
            groups.extend(found.into_iter().map(|group| (number, group)));
        }
        Ok(Self { header, groups })
    }
}

/// The header and where it ends.
fn read_header(bytes: &[u8], name: &str) -> Result<(Header, usize)> {
    /// Enough to tell a file of another version.
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let line = &bytes[..end.map_or(bytes.len(), |end| end + 1)];
    let other = |format| {
        format!(
            "{name}: expected a data set of format {FORMAT}, found format {format}; sample anew"
        )
    };
    // Before version 3 it had no checksum.
    if line.starts_with(b"{\"format\":") {
        if let Ok(Version { format }) = serde_json::from_slice(line) {
            bail!(other(format));
        }
    }
    let version = line::read(line)
        .with_context(|| format!("{name}: line 1: expected the header of a data set"))?;
    let Version { format } = version;
    ensure!(format == FORMAT, other(format));
    let header = line::read(line).with_context(|| format!("{name}: line 1"))?;
    Ok((header, line.len()))
}

/// The groups of a block.
fn split(mut body: &[u8], features: usize) -> Result<Vec<Group>> {
    let mut groups = Vec::new();
    while !body.is_empty() {
        let (group, rest) = split_group(body, features)
            .with_context(|| format!("expected groups of states of {features} numbers"))?;
        // One state has nothing to be ranked against.
        ensure!(
            group.base.len() >= 2,
            "expected groups of at least 2 states, found one of {}",
            group.base.len()
        );
        groups.push(group);
        body = rest;
    }
    Ok(groups)
}

/// The first group, and what follows it.
fn split_group(body: &[u8], features: usize) -> Option<(Group, &[u8])> {
    let (count, rest) = body.split_first_chunk()?;
    let count = u32::from_le_bytes(*count);
    let valued = count & VALUED != 0;
    let count = (count & !VALUED) as usize;
    let (base, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
    let (value, rest) = rest.split_at_checked(if valued { base.len() } else { 0 })?;
    let (numbers, rest) = rest.split_at_checked(count.checked_mul(features.checked_mul(2)?)?)?;
    let whole = |bytes: &[u8]| -> Vec<i32> {
        let numbers = bytes.chunks_exact(4);
        let numbers = numbers.map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        numbers.collect()
    };
    let numbers = numbers.chunks_exact(2);
    let group = Group {
        base: whole(base),
        value: whole(value),
        features: numbers.map(|b| i16::from_le_bytes([b[0], b[1]])).collect(),
    };
    Some((group, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn header() -> Header {
        Header {
            format: FORMAT,
            game: "columns".to_string(),
            features: 2,
            made_with: Identity::default().with("--every", 4),
        }
    }

    fn group(n: i16) -> Group {
        let mut group = Group::default();
        group.push(-256, &[n, 2]);
        group.push(1 << 20, &[3, -n]);
        if n % 2 == 0 {
            group.value = vec![i32::MIN, 77];
        }
        group
    }

    const GAMES: [u64; 4] = [4, 7, 8, 1 << 40];

    fn groups(game: u64) -> Vec<Group> {
        (0..game as i16 % 4).map(group).collect()
    }

    /// Writes what is not there yet; gives the line about damage at the end.
    fn go_on(path: &Path) -> Result<Option<String>> {
        let before = fs::read(path).unwrap_or_default();
        let mut writer = Writer::resume(path, &header())?;
        if writer.damage.is_some() {
            assert_eq!(fs::read(path).unwrap(), before, "nothing is taken away yet");
        }
        assert!(GAMES.starts_with(&writer.games));
        for &game in &GAMES[writer.games.len()..] {
            writer.append(game, &groups(game))?;
        }
        Ok(writer.damage)
    }

    /// A data set of all games, and where it ends without the last.
    fn written() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        assert_eq!(go_on(&path).unwrap(), None);
        let bytes = fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    #[test]
    fn what_was_written_is_read() {
        let (_folder, path, whole) = written();
        let set = Dataset::read(&path).unwrap();
        assert_eq!(set.header, header());
        let all = GAMES.iter();
        let all = all.flat_map(|&game| groups(game).into_iter().map(move |group| (game, group)));
        assert_eq!(set.groups, all.collect::<Vec<_>>());
        assert_eq!(go_on(&path).unwrap(), None);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_gone_on_with() {
        let (_folder, path, whole) = written();
        for length in 0..whole.len() {
            let part = &whole[..length];
            fs::write(&path, part).unwrap();
            let read = Dataset::read(&path).map_err(|error| format!("{error:#}"));
            assert_eq!(fs::read(&path).unwrap(), part, "reading changes nothing");
            let damage = go_on(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "cut to {length} bytes");
            let header = line::write(&header()).unwrap().len();
            if length < header {
                assert!(read.unwrap_err().contains("line 1: expected the header"));
                assert_eq!(damage, None);
            } else if let Err(told) = read {
                let byte = format!("{}: byte ", path.display());
                assert!(
                    told.starts_with(&byte) && told.contains("`tuner sample`"),
                    "{told}"
                );
                assert!(damage.unwrap().starts_with(&byte));
            } else {
                assert_eq!(damage, None, "between two blocks");
            }
        }
    }

    #[test]
    fn a_hundred_changed_bytes_are_told_and_nothing_behind_them_is_lost() {
        let (_folder, path, whole) = written();
        let last = whole.len() - blocks::write(3, GAMES[3], &[]).unwrap().len();
        assert!(groups(GAMES[3]).is_empty());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..100 {
            let at = random.random_range(0..whole.len());
            let mut bytes = whole.clone();
            bytes[at] ^= random.random_range(1..=255_u8);
            fs::write(&path, &bytes).unwrap();
            let read = format!("{:#}", Dataset::read(&path).unwrap_err());
            let place = |told: &str| {
                let place = told.strip_prefix(&format!("{}: ", path.display())).unwrap();
                place.starts_with("byte ") || place.starts_with("line 1")
            };
            assert!(place(&read), "{read}");
            match go_on(&path) {
                Err(error) => {
                    assert!(place(&format!("{error:#}")), "{error:#}");
                    assert_eq!(fs::read(&path).unwrap(), bytes, "left as it was");
                    assert!(at < last);
                }
                Ok(damage) => {
                    assert!(place(&damage.unwrap()) && at >= last);
                    assert_eq!(fs::read(&path).unwrap(), whole);
                }
            }
        }
    }

    #[test]
    fn a_group_of_fewer_than_two_states_is_refused() {
        let (_folder, path, _) = written();
        for states in 0..2 {
            let mut lonely = Group::default();
            (0..states).for_each(|_| lonely.push(1, &[2, 3]));
            fs::write(&path, "").unwrap();
            let mut writer = Writer::resume(&path, &header()).unwrap();
            writer.append(5, &[group(1), lonely]).unwrap();
            let told = format!("{:#}", Dataset::read(&path).unwrap_err());
            let expected =
                format!(": game 5: expected groups of at least 2 states, found one of {states}");
            assert!(told.ends_with(&expected), "{told}");
        }
    }

    #[test]
    fn another_file_is_left_alone() {
        let (_folder, path, whole) = written();
        let shown = path.display();
        for (other, expected) in [
            (
                Header {
                    made_with: Identity::default().with("--every", 5),
                    ..header()
                },
                "--every: expected 4 as the file was made with, found 5; give another file",
            ),
            (
                Header {
                    game: "samegame".into(),
                    ..header()
                },
                "--game: expected columns as the file was made with, found samegame;",
            ),
            (
                Header {
                    features: 3,
                    ..header()
                },
                "numbers that describe a state: expected 2 as the file was made with, found 3;",
            ),
        ] {
            let error = Writer::resume(&path, &other).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{shown}: {expected}")),
                "{error}"
            );
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        for (text, expected) in [
            ("noise", "line 1: expected the header of a data set"),
            (
                "{\"format\":2,\"game\":\"columns\",\"features\":2,\"source\":\"\"}\n",
                "expected a data set of format 3, found format 2; sample anew",
            ),
        ] {
            fs::write(&path, text).unwrap();
            let read = Dataset::read(&path).unwrap_err().to_string();
            let resumed = Writer::resume(&path, &header()).unwrap_err().to_string();
            for error in [read, resumed] {
                assert!(
                    error.starts_with(&format!("{shown}: {expected}")),
                    "{error}"
                );
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn one_process_at_a_time_and_one_game_after_the_other() {
        let (_folder, path, whole) = written();
        let mut writer = Writer::resume(&path, &header()).unwrap();
        let error = Writer::resume(&path, &header()).unwrap_err().to_string();
        assert!(
            error.ends_with("another process is working on this data set"),
            "{error}"
        );
        let error = writer.append(8, &[]).unwrap_err().to_string();
        assert!(
            error.ends_with("expected a game after 1099511627776, found 8"),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}
