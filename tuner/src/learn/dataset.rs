//! Data sets: groups of states of one layer. A file is a [ledger] with a line for each sampled game, in the
//! order of the seeds.

use anyhow::{Context, Result, ensure};
use columns_cases::seeds::SeedRange;
use columns_cli::input;
use columns_cli::ledger::{self, Header, Ledger};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::HashSet, path::Path};

/// The header of a data set: the options that determine the groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetHeader {
    /// Number of features that describe a state.
    pub feature_count: usize,
    /// The options that determine the groups, as a JSON object.
    pub sampling_options: Value,
}

impl Header for DatasetHeader {
    const LEDGER: &'static str = "data";
    const DESCRIPTION: &'static str = "a data set of `tuner sample`";
    const FORMAT: u32 = 5;
}

/// Some states of one layer. In a group without rollout values, the first state is the ancestor of the best
/// state at the end, and the network learns to rank it highest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The value of each state without the network's part, in 1/256 of a match.
    pub hand_set_values: Vec<i32>,
    /// The features of the states, one state after the other.
    pub features: Vec<i16>,
    /// The value of each state from a rollout, in the unit of `hand_set_values`; empty without rollouts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rollout_values: Vec<i32>,
}

impl Group {
    /// Returns the hand-set value of each state in matches, relative to the first state. An `f32` can
    /// hold these small differences.
    pub fn relative_hand_set_values(&self) -> impl Iterator<Item = f32> + '_ {
        relative_to_first(&self.hand_set_values)
    }

    /// Returns the rollout value of each state in matches, relative to the first state.
    pub fn relative_rollout_values(&self) -> impl Iterator<Item = f32> + '_ {
        relative_to_first(&self.rollout_values)
    }

    /// Adds a state, but no rollout value.
    pub fn push(&mut self, hand_set_value: i32, features: &[i16]) {
        self.hand_set_values.push(hand_set_value);
        self.features.extend_from_slice(features);
    }

    /// Checks that there are at least two states, that each has this number of features, and that either all
    /// states have a rollout value or none has.
    fn check(&self, feature_count: usize) -> Result<()> {
        let states = self.hand_set_values.len();
        ensure!(
            states >= 2
                && self.features.len() == states * feature_count
                && [0, states].contains(&self.rollout_values.len()),
            "expected groups of at least 2 states of {feature_count} numbers, found one of {states} states"
        );
        Ok(())
    }
}

fn relative_to_first(numbers: &[i32]) -> impl Iterator<Item = f32> + '_ {
    let each = numbers.iter();
    each.map(|number| number.saturating_sub(numbers[0]) as f32 / 256.0)
}

/// A line of the file: the groups of one game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SampledGame {
    seed: u64,
    groups: Vec<Group>,
}

/// Appends games to a file, which is locked until the writer is dropped.
#[derive(Debug)]
pub struct DatasetWriter {
    ledger: Ledger<SampledGame>,
    /// The seeds of the games in the file, in ascending order.
    pub seeds: Vec<u64>,
}

impl DatasetWriter {
    /// Begins a file with this header. If the file exists and has the same header, resumes it after the last
    /// complete line.
    ///
    /// # Errors
    /// Returns an error if another process has locked the file, if an option differs, if a line before
    /// the last one is damaged, or if the file cannot be written. The error names the file.
    pub fn resume(path: &Path, header: &DatasetHeader) -> Result<Self> {
        let mut ledger = Ledger::<SampledGame>::open_or_create(path, header)?;
        let mut seeds = Vec::new();
        while let Some(game) = ledger.next_record()? {
            seeds.push(game.seed);
        }
        Ok(Self { ledger, seeds })
    }

    /// Lists the seeds of a range that the file lacks.
    ///
    /// # Errors
    /// Returns an error if one of them is below the last seed in the file: games can only be
    /// appended.
    pub fn missing_seeds(&self, seeds: SeedRange) -> Result<Vec<u64>> {
        let is_missing = |seed: &u64| self.seeds.binary_search(seed).is_err();
        let missing: Vec<u64> = seeds.into_iter().filter(is_missing).collect();
        if let (Some(seed), Some(last)) = (missing.first(), self.seeds.last()) {
            ensure!(
                seed > last,
                "expected seeds above {last}, the last one in the file, found --seeds {seeds} with \
                 {seed}, which the file lacks"
            );
        }
        Ok(missing)
    }

    /// Appends the groups of a game, and waits until they are on the disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The error names the file.
    pub fn append(&mut self, seed: u64, groups: Vec<Group>) -> Result<()> {
        self.ledger.append(&SampledGame { seed, groups })?;
        self.ledger.sync()?;
        self.seeds.push(seed);
        Ok(())
    }
}

/// The contents of a file of groups.
#[derive(Debug)]
pub struct Dataset {
    /// The first line: the options that determine the groups.
    pub header: DatasetHeader,
    /// The seeds of the games, each with its groups. A group has at least two states.
    pub games: Vec<(u64, Vec<Group>)>,
}

impl Dataset {
    /// Reads a file. Ignores a truncated or damaged last line, and prints a line about it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a data set of this version, or if a
    /// line before the last one is damaged. The error names the file.
    pub fn read(path: &Path) -> Result<Self> {
        let (header, records) = ledger::read::<DatasetHeader, SampledGame>(path)?;
        let mut games = Vec::new();
        for record in records {
            let SampledGame { seed, groups } = record?;
            for group in &groups {
                group
                    .check(header.feature_count)
                    .with_context(|| format!("{}: game {seed}", input::name(path)))?;
            }
            games.push((seed, groups));
        }
        Ok(Self { header, games })
    }

    /// Checks that the file holds states with this number of features.
    ///
    /// # Errors
    /// Returns an error if the number of features differs.
    pub fn check_feature_count(&self, expected: usize) -> Result<()> {
        let found = self.header.feature_count;
        ensure!(
            found == expected,
            "expected states of {expected} numbers, found states of {found}"
        );
        Ok(())
    }

    /// Removes the games that `other` has too: those with the same seed, if both sets were sampled with the
    /// same options. Returns the number of removed games.
    pub fn remove_games_of(&mut self, other: &Self) -> usize {
        if self.header != other.header {
            return 0;
        }
        let known: HashSet<u64> = other.games.iter().map(|&(seed, _)| seed).collect();
        let before = self.games.len();
        self.games.retain(|(seed, _)| !known.contains(seed));
        before - self.games.len()
    }

    /// Iterates over all groups, each with the seed of its game.
    pub fn groups(&self) -> impl Iterator<Item = (u64, &Group)> {
        let games = self.games.iter();
        games.flat_map(|(seed, groups)| groups.iter().map(|group| (*seed, group)))
    }

    /// Describes the origin of the groups: the options, and the number of groups.
    pub fn origin(&self) -> String {
        let sampling_options = &self.header.sampling_options;
        format!("{sampling_options} ({} groups)", self.groups().count())
    }
}

/// Splits groups, each with the seed of its game, into groups to learn from and groups to hold out. Holds out
/// one game in `hold_out`, chosen by its seed.
///
/// # Errors
/// Returns an error if one of the two parts would be empty.
pub fn split_groups<'a>(
    groups: impl Iterator<Item = (u64, &'a Group)>,
    hold_out: u64,
) -> Result<[Vec<&'a Group>; 2]> {
    let is_held_out = |(seed, _): &(u64, &Group)| seed % hold_out == 0;
    let (test, train): (Vec<_>, Vec<_>) = groups.partition(is_held_out);
    ensure!(
        !train.is_empty() && !test.is_empty(),
        "too few groups: {} to learn from, {} held out: one game in {hold_out} is held out, by its seed \
         (--hold-out); sample more games",
        train.len(),
        test.len()
    );
    Ok([train, test].map(|part| part.into_iter().map(|(_, group)| group).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    fn header() -> DatasetHeader {
        DatasetHeader {
            feature_count: 2,
            sampling_options: json!({ "every": 4 }),
        }
    }

    fn group(n: i16) -> Group {
        let mut group = Group::default();
        group.push(-256, &[n, 2]);
        group.push(1 << 20, &[3, -n]);
        if n % 2 == 0 {
            group.rollout_values = vec![i32::MIN, 77];
        }
        group
    }

    #[test]
    fn a_file_resumes_wherever_it_was_cut() {
        let games = [4, 7, 8, 1 << 40];
        let groups = |game: u64| -> Vec<Group> { (0..game as i16 % 4).map(group).collect() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let work = || {
            let mut writer = DatasetWriter::resume(&path, &header()).unwrap();
            assert!(games.starts_with(&writer.seeds));
            for &game in &games[writer.seeds.len()..] {
                writer.append(game, groups(game)).unwrap();
            }
        };
        work();
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            work();
            assert!(fs::read(&path).unwrap() == whole, "cut to {length} bytes");
        }
        let set = Dataset::read(&path).unwrap();
        assert_eq!(set.header, header());
        assert_eq!(set.games, games.map(|game| (game, groups(game))));
    }

    #[test]
    fn invalid_groups_and_other_options_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let mut short = group(1);
        short.features.pop();
        for (wrong, expected) in [
            (Group::default(), "found one of 0 states"),
            (short, "states of 2 numbers, found one of 2 states"),
        ] {
            let mut writer = DatasetWriter::resume(&path, &header()).unwrap();
            writer.append(9, vec![group(1), wrong]).unwrap();
            drop(writer);
            let message = format!("{:#}", Dataset::read(&path).unwrap_err());
            assert!(message.contains("data: game 9: "), "{message}");
            assert!(message.ends_with(expected), "{message}");
            fs::remove_file(&path).unwrap();
        }
        let other = DatasetHeader {
            sampling_options: json!({ "every": 5 }),
            ..header()
        };
        drop(DatasetWriter::resume(&path, &other));
        let message = DatasetWriter::resume(&path, &header())
            .unwrap_err()
            .to_string();
        let expected = "every: expected 5 as when it was begun, found 4";
        assert!(message.contains(expected), "{message}");
    }
}
