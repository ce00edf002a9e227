//! `tuner sample`: groups of states for learning.

use super::player::{fingerprint, PlayerArgs};
use super::progress;
use anyhow::{ensure, Context, Result};
use clap::{Args, ValueEnum};
use columns_bot::features::FEATURES;
use columns_bot::watch::Ahead;
use columns_cli::input;
use columns_core::puzzles::samegame::features;
use columns_generator::args::SpecArgs;
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use columns_tuner::learn::dataset::{Group, Header, Writer, FORMAT};
use columns_tuner::learn::rollouts::Rollouts;
use columns_tuner::learn::sampling::Sampling;
use columns_tuner::learn::{columns, samegame};
use rayon::prelude::*;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Take groups of states from games, for `tuner learn`.
///
/// A group holds states of one layer of a beam search: the one from which the best state of the end descends,
/// others that survived, and some that were cut. With --rollouts the states are labelled instead by the values that narrow
/// beams get to which play on from them. The file grows game by game; the same
/// command goes on with it where it stopped.
///
/// SameGame is played on random boards of 15 × 15 in five colours, by js-games' scoring. A layer is
/// a number of removed tiles.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  tuner sample --seeds 1..=500 --columns 250 --width-of-beam 400 --out a.groups
  tuner sample --seeds 1..=500 --columns 250 --width-of-beam 100 --rollouts 12,30 --out c.groups
  tuner sample --game samegame --seeds 1..=500 --out b.groups")]
pub(crate) struct Options {
    /// The data set to write or to go on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What is played
    #[arg(long, value_enum, default_value_t = Game::Columns)]
    game: Game,
    /// The seeds of the cases or boards
    #[arg(long, value_name = "A..=B", default_value = "1..=100")]
    seeds: SeedRange,
    /// The width of the beam
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(10..=20_000))]
    width_of_beam: u32,
    #[command(flatten)]
    player: PlayerArgs,
    /// Games at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Take a group from every so many layers [default: 4; of SameGame 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// The best state must be so many layers away [default: 40; of SameGame 10]
    #[arg(long, value_name = "N")]
    ahead: Option<usize>,
    /// Other survivors in a group [default: 13; with --rollouts 8 of the best third]
    #[arg(long, value_name = "N")]
    survivors: Option<usize>,
    /// States in a group that did not survive [default: 6; with --rollouts 4 of the others]
    #[arg(long, value_name = "N")]
    cut: Option<usize>,
    /// Label states by rollouts over so many columns, of beams of this width
    #[arg(long, value_name = "COLUMNS,WIDTH", value_parser = rollouts, conflicts_with = "ahead")]
    rollouts: Option<Ahead>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Reads how far and how widely one looks ahead.
fn rollouts(text: &str) -> Result<Ahead, String> {
    let numbers = text.split_once(',').and_then(|(columns, width)| {
        let number = |text: &str| text.parse().ok().filter(|n| (1..=1000).contains(n));
        Some((number(columns)?, number(width)?))
    });
    let (columns, width) = numbers.ok_or("expected two numbers from 1 to 1000, such as 12,30")?;
    Ok(Ahead { columns, width })
}

/// The games that states are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Game {
    /// The Columns Game
    Columns,
    /// SameGame
    Samegame,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match self.game {
            Game::Columns => self.columns(),
            Game::Samegame => self.samegame(),
        }
    }

    fn columns(&self) -> Result<ExitCode> {
        let evaluation = self.player.read()?;
        let sampling = self.sampling(4, 40);
        let rollouts = self.rollouts.map(|ahead| Rollouts {
            every: sampling.every,
            ahead,
            survivors: self.survivors.unwrap_or(8),
            cut: self.cut.unwrap_or(4),
        });
        let how = rollouts.map_or(format!("{sampling:?}"), |rollouts| format!("{rollouts:?}"));
        let spec = self.spec.spec()?;
        let header = Header {
            format: FORMAT,
            game: "columns".to_string(),
            features: FEATURES,
            source: format!(
                "{spec} --width-of-beam {} {how} {}",
                self.width_of_beam,
                evaluation.identity(),
            ),
        };
        self.write(&header, |seed| {
            let case = columns_generator::generate(seed, &spec);
            let width = self.width_of_beam as usize;
            let player = evaluation.player();
            match rollouts {
                Some(rollouts) => columns::labelled(&case, player, width, rollouts),
                None => columns::groups(&case, player, width, sampling),
            }
        })
    }

    fn samegame(&self) -> Result<ExitCode> {
        ensure!(
            self.player.weights.is_none()
                && self.rollouts.is_none()
                && self.spec.spec()? == Spec::default(),
            "--weights, --rollouts and what to generate are for --game columns; SameGame is played on random \
             boards of 15 × 15"
        );
        let network = match &self.player.network {
            Some(path) => input::read_network(path)?,
            None => None,
        };
        let sampling = self.sampling(1, 10);
        let header = Header {
            format: FORMAT,
            game: "samegame".to_string(),
            features: features::FEATURES,
            source: format!(
                "--game samegame --width-of-beam {} {sampling:?} network {:016x}",
                self.width_of_beam,
                fingerprint(&network.as_ref().map(|n| n.text()).unwrap_or_default()),
            ),
        };
        self.write(&header, |seed| {
            let width = self.width_of_beam as usize;
            samegame::groups(seed, network.as_deref(), width, sampling)
        })
    }

    /// What is taken from a game, with what the game has where nothing is said.
    fn sampling(&self, every: usize, ahead: usize) -> Sampling {
        Sampling {
            every: self.every.map_or(every, |every| every as usize),
            ahead: self.ahead.unwrap_or(ahead),
            survivors: self.survivors.unwrap_or(13),
            cut: self.cut.unwrap_or(6),
        }
    }

    /// Plays and writes what is not in the file yet.
    fn write(&self, header: &Header, play: impl Fn(u64) -> Vec<Group> + Sync) -> Result<ExitCode> {
        let (mut writer, last) = Writer::resume(&self.out, header)?;
        let seeds: Vec<u64> = self
            .seeds
            .into_iter()
            .filter(|&seed| last.is_none_or(|last| seed > last))
            .collect();
        let bar = progress::games(seeds.len());
        let jobs = self.jobs.map_or(0, NonZeroUsize::get);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
        let play = |&seed: &u64| {
            let found = play(seed);
            bar.inc(1);
            found
        };
        for some in seeds.chunks(4 * pool.current_num_threads()) {
            let games: Vec<Vec<Group>> = pool.install(|| some.par_iter().map(play).collect());
            for (&seed, groups) in some.iter().zip(&games) {
                writer
                    .append(seed, groups)
                    .with_context(|| input::name(&self.out))?;
            }
        }
        bar.finish_and_clear();
        Ok(ExitCode::SUCCESS)
    }
}
