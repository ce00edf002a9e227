//! Data sets: groups of states, each from one layer of a game. A file is a [ledger] whose header is the
//! configuration of the sampling. Each further line holds the groups of one game, or raises the last seed.
//! The games are in the order of their seeds.

use crate::bot_player::BotPlayer;
use crate::learn::sampling::SamplingSettings;
use crate::player;
use crate::record::{self, RunHeader, RunLimits};
use anyhow::{Context, Result, ensure};
use columns_bot::learned::features::FEATURE_COUNT;
use columns_cases::{digest::Digest, seeds::SeedRange};
use columns_cli::input;
use columns_cli::ledger::{self, Header, Ledger};
use columns_generator::Spec;
use serde::{Deserialize, Serialize};
use std::{collections::HashSet, path::Path};

/// The header of a data set: the configuration of its sampling, which determines the groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatasetHeader {
    /// Number of features that describe a state.
    pub feature_count: usize,
    /// The generator's options for all cases.
    pub case_spec: Spec,
    /// The first seed; the seeds are consecutive.
    pub first_seed: u64,
    /// The limits. Only the last seed is set. The header in a file is never rewritten, so it keeps the
    /// initial last seed.
    pub limits: RunLimits,
    /// The width of the beam, and the rules for sampling states from it.
    pub settings: SamplingSettings,
    /// Digest of the player's behaviour when the data set began.
    pub behaviour_digest: Digest,
    /// The weights and the networks of the player.
    pub player: BotPlayer,
}

impl Header for DatasetHeader {
    const LEDGER: &'static str = "data";
    const DESCRIPTION: &'static str = "a data set of `tuner sample`";
    const FORMAT_VERSION: u32 = 5;
}

impl RunHeader for DatasetHeader {
    fn limits(&self) -> RunLimits {
        self.limits
    }

    fn describe_player_change(&self) -> Option<String> {
        let current = self.player.behaviour_digest();
        player::describe_behaviour_change(current, self.behaviour_digest)
    }

    fn with_changeable_fields_of(&self, original: &Self) -> Self {
        Self {
            limits: original.limits,
            behaviour_digest: original.behaviour_digest,
            ..self.clone()
        }
    }
}

impl DatasetHeader {
    /// Creates the header of a data set that this build samples.
    pub fn new(
        player: BotPlayer,
        case_spec: Spec,
        seeds: SeedRange,
        settings: SamplingSettings,
    ) -> Self {
        Self {
            feature_count: FEATURE_COUNT,
            case_spec,
            first_seed: seeds.first(),
            limits: RunLimits::with_last_seed(Some(seeds.last())),
            settings,
            behaviour_digest: player.behaviour_digest(),
            player,
        }
    }

    /// Reads the header of a data set.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it is not a data set of this version.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(ledger::read::<Self, Line>(path)?.0)
    }

    /// Returns the seeds from the first to the last.
    ///
    /// # Panics
    /// Panics if the last seed is below the first.
    pub fn seeds(&self) -> SeedRange {
        self.limits.seeds(self.first_seed)
    }

    /// True if both data sets sample the same groups from the game of any given seed.
    fn samples_like(&self, other: &Self) -> bool {
        let (first_seed, limits) = (other.first_seed, other.limits);
        let this = Self {
            first_seed,
            limits,
            ..self.clone()
        };
        this == *other
    }
}

/// Some states of one layer. In a group without rollout values, the first state is the ancestor of the best
/// state at the end of the game. The network learns to rank this ancestor highest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The value of each state without the network's part, in units of 1/256 of a match.
    pub hand_set_values: Vec<i32>,
    /// The features of the states, one state after another.
    pub features: Vec<i16>,
    /// The value of each state from a rollout, in the unit of `hand_set_values`; empty without rollouts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rollout_values: Vec<i32>,
}

impl Group {
    /// Returns the hand-set value of each state in matches, relative to the first state. An `f32` is precise
    /// enough for these differences, which are small.
    pub fn relative_hand_set_values(&self) -> impl Iterator<Item = f32> + '_ {
        relative_to_first(&self.hand_set_values)
    }

    /// Returns the rollout value of each state in matches, relative to the first state.
    pub fn relative_rollout_values(&self) -> impl Iterator<Item = f32> + '_ {
        relative_to_first(&self.rollout_values)
    }

    /// Adds a state without a rollout value.
    pub fn push(&mut self, hand_set_value: i32, features: &[i16]) {
        self.hand_set_values.push(hand_set_value);
        self.features.extend_from_slice(features);
    }

    /// Checks that there are at least two states, that each of them has this number of features, and that
    /// either all states have a rollout value or none of them has one.
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

/// A line of the file after its header.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// The groups from the game of one seed. The games are in the order of their seeds.
    Game(Vec<Group>),
    /// A command has raised the last seed.
    Limits(RunLimits),
}

/// Appends games to a file, which is locked until the writer is dropped.
#[derive(Debug)]
pub struct DatasetWriter {
    ledger: Ledger<Line>,
    /// The data set's original configuration, except that the limits are the current ones.
    pub header: DatasetHeader,
    /// The number of games in the file. They are the games of the first seeds.
    pub game_count: usize,
}

impl DatasetWriter {
    /// Begins a file with this header, or resumes the file after the last complete line. `given` holds the
    /// limits from the command line.
    ///
    /// # Errors
    /// Returns an error if another process has locked the file, if an option differs, if a limit is too
    /// small, if the player has changed and games are missing, if a line before the last one is damaged, or
    /// if the file cannot be written. The error names the file or, for a limit, the option.
    pub fn open(path: &Path, current: &DatasetHeader, given: &RunLimits) -> Result<Self> {
        let (mut ledger, mut header) = record::open_ledger::<_, Line>(path, current)?;
        let mut game_count = 0;
        while let Some(line) = ledger.next_record()? {
            match line {
                Line::Game(_) => game_count += 1,
                Line::Limits(limits) => header.limits = limits,
            }
        }
        let before = header.limits;
        header.limits = before.raised_to(given)?;
        if header.seeds().count() > game_count as u128 {
            let change = header.describe_player_change();
            record::check_unchanged(&input::name(path), change.as_ref())?;
        }
        if header.limits != before {
            ledger.append(&Line::Limits(header.limits))?;
        }
        Ok(Self {
            ledger,
            header,
            game_count,
        })
    }

    /// Appends the groups from the next seed's game, and waits until they are on disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The error names the file.
    pub fn append(&mut self, groups: Vec<Group>) -> Result<()> {
        self.ledger.append(&Line::Game(groups))?;
        self.ledger.sync()?;
        self.game_count += 1;
        Ok(())
    }
}

/// The contents of a data set file.
#[derive(Debug)]
pub struct Dataset {
    /// The data set's original configuration, except that the limits are the current ones.
    pub header: DatasetHeader,
    /// The seeds of the games, each with its groups. A group has at least two states.
    pub games: Vec<(u64, Vec<Group>)>,
}

impl Dataset {
    /// Reads a file. Ignores a truncated or damaged last line, and prints a message about it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a data set of this version, or if a
    /// line before the last one is damaged. The error names the file.
    pub fn read(path: &Path) -> Result<Self> {
        let (mut header, lines) = ledger::read::<DatasetHeader, Line>(path)?;
        let mut games = Vec::new();
        for line in lines {
            let groups = match line? {
                Line::Game(groups) => groups,
                Line::Limits(limits) => {
                    header.limits = limits;
                    continue;
                }
            };
            let seed = header.first_seed + games.len() as u64;
            for group in &groups {
                group
                    .check(header.feature_count)
                    .with_context(|| format!("{}: game {seed}", input::name(path)))?;
            }
            games.push((seed, groups));
        }
        Ok(Self { header, games })
    }

    /// Removes the games that `other` also has: the games with the same seeds. Removes none if the data sets
    /// were sampled with different options. Returns the number of removed games.
    pub fn remove_games_of(&mut self, other: &Self) -> usize {
        if !self.header.samples_like(&other.header) {
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

    /// Describes the origin of the groups: the options except the player's weights and networks, and the
    /// number of groups.
    ///
    /// # Errors
    /// Returns an error if the header cannot be serialised to JSON.
    pub fn origin(&self) -> Result<String> {
        let mut options = serde_json::to_value(&self.header)?;
        options["player"].take();
        Ok(format!("{options} ({} groups)", self.groups().count()))
    }
}

/// Splits groups, each with the seed of its game, into groups to learn from and groups to hold out. Holds out
/// the games whose seeds are multiples of `hold_out`.
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
    use crate::learn::sampling::GroupKind;
    use std::fs;

    /// Returns the header of a data set for seeds 4 to 7.
    fn header() -> DatasetHeader {
        let settings = SamplingSettings {
            beam_width: 10,
            layer_interval: 4,
            group_kind: GroupKind::Rollouts {
                columns: 5,
                width: 3,
            },
        };
        let seeds = SeedRange::new(4, 7).unwrap();
        // Leave out the networks, so that the header is short: a test resumes the file after a cut at every
        // 50th byte.
        let player = BotPlayer {
            network: None,
            two_colour_network: None,
            ..BotPlayer::default()
        };
        DatasetHeader {
            feature_count: 2,
            ..DatasetHeader::new(player, Spec::default(), seeds, settings)
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
        let games = 4..=7;
        let groups = |game: u64| -> Vec<Group> { (0..game as i16 % 4).map(group).collect() };
        let header = header();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let work = || {
            let mut writer = DatasetWriter::open(&path, &header, &RunLimits::default()).unwrap();
            for game in games.clone().skip(writer.game_count) {
                writer.append(groups(game)).unwrap();
            }
        };
        work();
        let whole = fs::read(&path).unwrap();
        // Cut the file at the end of every line, and at some places within lines. The ledger's own tests cut
        // everywhere.
        let is_tried = |&length: &usize| {
            length % 50 == 0 || whole[length.saturating_sub(1)..=length].contains(&b'\n')
        };
        for length in (0..whole.len()).filter(is_tried) {
            fs::write(&path, &whole[..length]).unwrap();
            work();
            assert!(fs::read(&path).unwrap() == whole, "cut to {length} bytes");
        }
        let set = Dataset::read(&path).unwrap();
        assert_eq!(set.header, header);
        let games: Vec<_> = games.map(|game| (game, groups(game))).collect();
        assert_eq!(set.games, games);
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
            let mut writer = DatasetWriter::open(&path, &header(), &RunLimits::default()).unwrap();
            writer.append(vec![group(1), wrong]).unwrap();
            drop(writer);
            let message = format!("{:#}", Dataset::read(&path).unwrap_err());
            assert!(message.contains("data: game 4: "), "{message}");
            assert!(message.ends_with(expected), "{message}");
            fs::remove_file(&path).unwrap();
        }
        let mut other = header();
        other.settings.layer_interval = 5;
        drop(DatasetWriter::open(&path, &other, &RunLimits::default()));
        let error = DatasetWriter::open(&path, &header(), &RunLimits::default()).unwrap_err();
        let expected = "settings.layer_interval: expected 5 as when it was begun, found 4";
        assert!(error.to_string().contains(expected), "{error}");
    }
}
