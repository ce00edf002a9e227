//! `tuner refine`: improving a network by playing.

mod judging;
mod state;

use super::player::PlayerArgs;
use super::selfplay::SelfPlay;
use super::{interrupt, progress};
use anyhow::{bail, ensure, Context, Result};
use clap::Args;
use columns_bot::learned::networks::{Network, Networks};
use columns_bot::search::Player;
use columns_cli::command::Stopped;
use columns_cli::lock;
use columns_cli::mistake::tell;
use columns_cli::paths::Paths;
use columns_cli::pool::Pool;
use columns_core::rules::case::Case;
use columns_generator::{generate, Spec};
use columns_tuner::games::play::{play_as, Played};
use columns_tuner::learn::refine::{numbers, with, Settings, Spread, Step};
use columns_tuner::learn::trained;
use columns_tuner::stats::gate::{to_play, MOST_PAIRS};
use columns_tuner::store::digest::Digest;
use indicatif::FormattedDuration;
use state::State;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

/// Make a network better by playing
///
/// An evolution strategy moves all but the weights of its first layer.
/// In each pair of games a case is played with a random change of the network and with its
/// opposite; a generation of pairs makes a step. At the end the result plays held-out seeds
/// against the network it started from, until it is shown to be better or the seeds are at an end.
///
/// The file holds the network in its first line and the search in its second, after every
/// generation; the same command goes on with it where it stopped, also with more generations. It
/// comes to the same bytes then, and for any number of jobs. A result with more generations is
/// judged again, on seeds of its own and more strictly each time.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner refine --out refined.txt
  tuner eval --network refined.txt --seeds 20001..=20060")]
pub(crate) struct Options {
    /// The network to write or to go on with
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    player: PlayerArgs,
    /// Generations to play
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Pairs of games of a generation
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(2..=1 << 20))]
    pairs: u32,
    /// How much the values of states of one layer spread by the change of one number, in matches
    #[arg(long, value_name = "X", default_value_t = 0.4, value_parser = positive)]
    noise: f64,
    /// How far to go for a gradient of 1, in changes of --noise
    #[arg(long, value_name = "X", default_value_t = 80.0, value_parser = positive)]
    rate: f64,
    /// Seed of the search: of the cases that it plays and of its random numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Most pairs of games to judge the result by
    #[arg(long, value_name = "N", default_value_t = MOST_PAIRS,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    most_pairs: u64,
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Also put the network into the game, bot/src/learned/trained.rs, if it was shown to be better
    #[arg(long)]
    export: bool,
    /// The sources for --export [default: the workspace around the current folder]
    #[arg(long, value_name = "DIR", requires = "export")]
    workspace: Option<PathBuf>,
    #[command(flatten)]
    games_are: SelfPlay,
}

/// Reads a number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

/// The number of cases that show the effect of each number.
const LOOKED_AT: usize = 32;

/// The work of a state of a beam's width over 300 columns, in microseconds: so the beams of these
/// cases are about as wide as those of the games.
const STATE: u64 = 2400;

/// A refinement in progress.
struct Refinement<'a> {
    options: &'a Options,
    spec: Spec,
    settings: Settings,
    /// The player that it starts with.
    player: Player<'a>,
    networks: Networks<'a>,
    /// The change of each number by a step of 1 in the search.
    units: Vec<f64>,
    games: Games,
    /// The digest of all that decides the course of the search; its seeds are drawn from it.
    identity: Digest,
    /// The source that the result goes into, if any.
    trained: Option<PathBuf>,
    state: State,
}

/// Plays many games, several at a time, until it is told to stop.
struct Games {
    pool: Pool,
    stop: Arc<AtomicBool>,
}

impl Games {
    /// Does some work for each index and hands the results over in order, until `done` breaks.
    /// False if it was stopped before that.
    fn each<T: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> T + Sync,
        mut done: impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<bool> {
        let bar = progress::games(count);
        let mut enough = false;
        let taken = self.pool.in_order(count, &self.stop, work, |_, result| {
            bar.inc(1);
            let flow = done(result);
            enough = flow.is_break();
            Ok(flow)
        });
        bar.finish_and_clear();
        Ok(taken? == count || enough)
    }

    /// The results for all indices; `None` if it was stopped.
    fn all<T: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> T + Sync,
    ) -> Result<Option<Vec<T>>> {
        let mut results = Vec::with_capacity(count);
        let whole = self.each(count, work, |result| {
            results.push(result);
            ControlFlow::Continue(())
        });
        Ok(whole?.then_some(results))
    }
}

/// The most pairs of games of a search, so that none of its seeds is a held-out one.
const MOST_PLAYED: u64 = 1_000_000_000;

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let evaluation = self.player.read()?;
        let player = evaluation.player();
        let networks = player.network;
        let networks = networks.context("--network none: expected a network to refine")?;
        ensure!(
            u64::from(self.pairs) * u64::from(self.generations) <= MOST_PLAYED,
            "expected at most {MOST_PLAYED} pairs of games, found {} generations of {}",
            self.generations,
            self.pairs
        );
        let trained = self.trained()?;
        Paths::default()
            .read(self.player.network.iter().chain(&self.player.weights))
            .written(trained.iter().chain([&self.out]))
            .check()?;
        let settings = Settings {
            pairs: self.pairs as usize,
            rate: self.rate,
            seed: self.seed,
        };
        let spec = self.games_are.spec()?;
        let made_with = evaluation
            .identity()
            .with_options(&spec.to_string())
            .with("--work", self.games_are.work())
            .with("--noise", self.noise)
            .with("--pairs", self.pairs)
            .with("--rate", self.rate)
            .with("--seed", self.seed);
        let identity = Digest::of(made_with.to_string().as_bytes());
        let _lock = lock::Beside::lock(&self.out, "this refinement")?;
        let state = State::read(&self.out, made_with)?;
        let games = Games {
            pool: Pool::new(self.jobs),
            stop: interrupt::watch()?,
        };
        let width = (self.games_are.work() / STATE).max(2) as usize;
        let look = |index: usize| {
            let case = generate(to_play(identity) + index as u64, &spec);
            Spread::of(networks.any, player, width, &case)
        };
        let Some(spreads) = games.all(LOOKED_AT, look)? else {
            bail!(Stopped("before a generation was played".into()));
        };
        let units = Spread::units(&spreads, networks.any, self.noise);
        ensure!(
            units.iter().any(|&unit| unit > 0.0),
            "the network changes nothing in these cases: expected longer ones or a wider beam \
             (--work)"
        );
        let refinement = Refinement {
            options: self,
            spec,
            settings,
            player,
            networks,
            units,
            games,
            identity,
            trained,
            state,
        };
        refinement.run()
    }

    /// The source that the network goes into, if any.
    fn trained(&self) -> Result<Option<PathBuf>> {
        if !self.export {
            return Ok(None);
        }
        let workspace = super::workspace(self.workspace.as_deref())?;
        Ok(Some(workspace.join(trained::COLUMNS)))
    }
}

impl Refinement<'_> {
    fn run(mut self) -> Result<ExitCode> {
        let generations = self.options.generations;
        let begun = Instant::now();
        let first = self.state.search.generation;
        while self.state.search.generation < generations {
            let Some((score, step)) = self.generation()? else {
                let done = self.state.search.generation;
                bail!(Stopped(format!(
                    "after {done} of {generations} generations"
                )));
            };
            self.save()?;
            let done = self.state.search.generation;
            let each = begun.elapsed().div_f64(f64::from(done - first));
            let left = FormattedDuration(each * (generations - done));
            tell(&format!(
                "generation {done}/{generations}  log score {score:.4}  gradient {:.4} ({:.4} by chance)  \
                 moved {:.2}  {left} left",
                step.gradient, step.chance, step.moved
            ));
        }
        self.judge()
    }

    /// The network at a point.
    fn at(&self, point: &[f64]) -> Box<Network> {
        let start = numbers(self.networks.any);
        let changed = start.iter().zip(point.iter().zip(&self.units));
        let changed: Vec<f64> = changed
            .map(|(start, (change, unit))| start + change * unit)
            .collect();
        with(self.networks.any, &changed)
    }

    fn play(&self, case: &Case, network: &Network) -> Played {
        let networks = Networks {
            any: network,
            ..self.networks
        };
        let player = Player {
            network: Some(networks),
            ..self.player
        };
        play_as(case, player, self.options.games_are.work())
    }

    /// Plays a generation. Returns its mean log score and the step; `None` if it was stopped.
    fn generation(&mut self) -> Result<Option<(f64, Step)>> {
        let Settings { pairs, .. } = self.settings;
        let search = &self.state.search;
        let before = u64::from(search.generation) * pairs as u64;
        let first = to_play(self.identity) + before;
        let work = |pair: usize| {
            let case = generate(first + pair as u64, &self.spec);
            let points = search.pair(&self.settings, pair);
            points.map(|point| self.play(&case, &self.at(&point)).log_score())
        };
        let Some(scores) = self.games.all(pairs, work)? else {
            return Ok(None);
        };
        let differences: Vec<f64> = scores.iter().map(|[a, b]| a - b).collect();
        let mean = scores.iter().flatten().sum::<f64>() / (2 * pairs) as f64;
        let step = self.state.search.step(&self.settings, &differences);
        Ok(Some((mean, step)))
    }

    fn save(&mut self) -> Result<()> {
        let network = self.at(self.state.search.result()).text();
        self.state.write(&self.options.out, &network)
    }
}
