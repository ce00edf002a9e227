//! `tuner sample`: groups of states for learning.

use super::player::{content, identity, PlayerArgs};
use super::{interrupt, progress};
use anyhow::{bail, ensure, Result};
use clap::{Args, ValueEnum};
use columns_bot::learned::features::FEATURES;
use columns_bot::observe::watch::RolloutConfig;
use columns_cli::command::Stopped;
use columns_cli::input;
use columns_cli::mistake::{complain, tell};
use columns_cli::pool::Pool;
use columns_core::puzzles::samegame::features;
use columns_generator::args::SpecArgs;
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use columns_tuner::learn::dataset::{Group, Header, Writer};
use columns_tuner::learn::identity::Identity;
use columns_tuner::learn::rollouts::Rollouts;
use columns_tuner::learn::sampling::Sampling;
use columns_tuner::learn::{columns, samegame};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// Take groups of states from games, for `tuner learn`
///
/// A group holds states of one layer of a beam search: the one from which the best state of the
/// end descends, others that survived, and some that were cut. With --rollouts the states are
/// labelled instead by the values that narrow beams get to which play on from them.
///
/// The file grows game by game. Ctrl-C finishes the games in hand. After any stop the same command
/// goes on, and comes to the same bytes for any number of jobs. More seeds may follow, always above
/// those in the file.
///
/// SameGame is played on random boards of 15 × 15 in five colours, by js-games' scoring. A layer is
/// a number of removed tiles.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner sample --seeds 1..=500 --columns 250 --beam-width 400 --out a.groups
  tuner sample --seeds 1..=500 --columns 250 --beam-width 100 --rollouts 12,30 --out c.groups
  tuner sample --game samegame --seeds 1..=500 --out b.groups")]
pub(crate) struct Options {
    /// The data set to write or to go on with
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// What is played
    #[arg(long, value_enum, default_value_t = Game::Columns)]
    game: Game,
    /// The seeds of the cases or boards
    #[arg(short, long, value_name = "RANGE", default_value = "1..=100")]
    seeds: SeedRange,
    /// The width of the beam
    #[arg(long, alias = "width-of-beam", value_name = "N", default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(10..=20_000))]
    beam_width: u32,
    #[command(flatten)]
    player: PlayerArgs,
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Take a group from one of this many layers [default: 4; of SameGame 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// The best state must be at least this many layers away [default: 40; of SameGame 10]
    #[arg(long, value_name = "N")]
    ahead: Option<usize>,
    /// Other survivors in a group [default: 13; with --rollouts 8 of the best third]
    #[arg(long, value_name = "N")]
    survivors: Option<usize>,
    /// States in a group that did not survive [default: 6; with --rollouts 4 of the others]
    #[arg(long, value_name = "N")]
    cut: Option<usize>,
    /// Label states by rollouts over this many columns, by beams of this width
    #[arg(long, value_name = "COLUMNS,WIDTH", value_parser = rollouts, conflicts_with = "ahead")]
    rollouts: Option<RolloutConfig>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Reads the depth and the width of rollouts.
fn rollouts(text: &str) -> Result<RolloutConfig, String> {
    let numbers = text.split_once(',').and_then(|(columns, width)| {
        let number = |text: &str| text.parse().ok().filter(|n| (1..=1000).contains(n));
        Some((number(columns)?, number(width)?))
    });
    let (columns, width) = numbers.ok_or("expected two numbers from 1 to 1000, such as 12,30")?;
    Ok(RolloutConfig { columns, width })
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
        let player = self.player.read()?;
        let sampling = self.sampling(4, 40);
        let rollouts = self.rollouts.map(|ahead| Rollouts {
            every: sampling.every,
            ahead,
            survivors: self.survivors.unwrap_or(8),
            cut: self.cut.unwrap_or(4),
        });
        let spec = Spec::try_from(self.spec)?;
        let made_with = identity(&player)
            .with_options(&spec.to_string())
            .with("--beam-width", self.beam_width);
        let made_with = match rollouts {
            Some(Rollouts {
                every,
                ahead: RolloutConfig { columns, width },
                survivors,
                cut,
            }) => made_with
                .with("--rollouts", format!("{columns},{width}"))
                .with("--every", every)
                .with("--survivors", survivors)
                .with("--cut", cut),
            None => with_sampling(made_with, sampling),
        };
        let header = Header {
            game: "columns".to_string(),
            features: FEATURES,
            made_with,
        };
        self.write(&header, |seed| {
            let case = columns_generator::generate(seed, &spec);
            let width = self.beam_width as usize;
            match rollouts {
                Some(rollouts) => columns::labelled(&case, player.bot(), width, rollouts),
                None => columns::groups(&case, player.bot(), width, sampling),
            }
        })
    }

    fn samegame(&self) -> Result<ExitCode> {
        ensure!(
            self.player.weights.is_none()
                && self.rollouts.is_none()
                && Spec::try_from(self.spec)? == Spec::default(),
            "--weights, --rollouts and what to generate are for --game columns; SameGame is played on random \
             boards of 15 × 15"
        );
        let network = match &self.player.network {
            Some(path) => input::read_network(path)?,
            None => None,
        };
        let network = network.as_deref();
        let text: Vec<String> = network.iter().map(|network| network.text()).collect();
        let made_with = Identity::default()
            .with("--beam-width", self.beam_width)
            .with("--network", content(&text))
            .with("behaviour", samegame::behaviour(network));
        let sampling = self.sampling(1, 10);
        let header = Header {
            game: "samegame".to_string(),
            features: features::FEATURES,
            made_with: with_sampling(made_with, sampling),
        };
        self.write(&header, |seed| {
            let width = self.beam_width as usize;
            samegame::groups(seed, network, width, sampling)
        })
    }

    /// Which groups are taken from a game; the game has defaults for options that are not given.
    fn sampling(&self, every: usize, ahead: usize) -> Sampling {
        Sampling {
            every: self.every.map_or(every, |every| every as usize),
            ahead: self.ahead.unwrap_or(ahead),
            survivors: self.survivors.unwrap_or(13),
            cut: self.cut.unwrap_or(6),
        }
    }

    /// Plays the games that are not in the file yet, and appends their groups.
    fn write(&self, header: &Header, play: impl Fn(u64) -> Vec<Group> + Sync) -> Result<ExitCode> {
        progress::count(self.seeds)?;
        let pool = Pool::new(self.jobs);
        let mut writer = Writer::resume(&self.out, header)?;
        let seeds = self.left(&writer.games)?;
        let name = input::name(&self.out);
        let Some(seeds) = seeds else {
            complain(
                "tuner",
                &format!("{name}: the seeds {} are all there", self.seeds),
            );
            return Ok(ExitCode::SUCCESS);
        };
        let stop = interrupt::watch()?;
        let count = progress::count(seeds)?;
        let bar = progress::games(count);
        let seed = |index: usize| seeds.first() + index as u64;
        let work = |index| play(seed(index));
        let tenth = count.div_ceil(10);
        let mut found = 0;
        let done = pool.in_order(count, &stop, work, |index, groups| {
            found += groups.len();
            writer.append(seed(index), groups)?;
            bar.inc(1);
            let games = index + 1;
            if bar.is_hidden() && games.is_multiple_of(tenth) && games < count {
                tell(&format!("{games} of {count} games, {found} groups"));
            }
            Ok(ControlFlow::Continue(()))
        });
        bar.finish_and_clear();
        let done = done?;
        if done < count {
            bail!(Stopped(format!(
                "after {done} of {count} games; to go on: the same command again"
            )));
        }
        let games = if count == 1 { "game" } else { "games" };
        tell(&format!("{name}: {count} {games}, {found} groups"));
        Ok(ExitCode::SUCCESS)
    }

    /// The seeds that are not in a file of these, if there are any.
    ///
    /// # Errors
    /// If one of them is not in the file but below the last one there, where nothing can be added.
    fn left(&self, there: &[u64]) -> Result<Option<SeedRange>> {
        let Some(&last) = there.last() else {
            return Ok(Some(self.seeds));
        };
        let mut below = self.seeds.into_iter().take_while(|&seed| seed <= last);
        if let Some(seed) = below.find(|seed| there.binary_search(seed).is_err()) {
            bail!(
                "{}: expected seeds above {last}, the last one in the file, found --seeds {} with \
                 {seed}, which is not there",
                input::name(&self.out),
                self.seeds
            );
        }
        let first = self.seeds.first().max(last.saturating_add(1));
        Ok(SeedRange::new(first, self.seeds.last()).filter(|_| self.seeds.last() > last))
    }
}

/// Adds what is taken from a game.
fn with_sampling(identity: Identity, sampling: Sampling) -> Identity {
    let Sampling {
        every,
        ahead,
        survivors,
        cut,
    } = sampling;
    identity
        .with("--every", every)
        .with("--ahead", ahead)
        .with("--survivors", survivors)
        .with("--cut", cut)
}
