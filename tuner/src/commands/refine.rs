//! `tuner refine`: a better network by playing.

use super::player::PlayerArgs;
use super::search_seeds::SearchSeeds;
use super::{interrupt, progress, trained};
use anyhow::{ensure, Context, Result};
use clap::Args;
use columns_bot::network::{Network, Networks};
use columns_bot::search::Player;
use columns_cli::{file, input, output};
use columns_core::case::Case;
use columns_generator::args::SpecArgs;
use columns_generator::{generate, Spec};
use columns_judge::compare::{Comparison, Difference, Pair};
use columns_judge::stats::Estimate;
use columns_tuner::fit::outcome::kind;
use columns_tuner::fit::seeds;
use columns_tuner::games::play::{play_as, Played};
use columns_tuner::games::pool::Pool;
use columns_tuner::learn::refine::{numbers, with, Search, Settings, Spread, Step, COUNT};
use indicatif::FormattedDuration;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

/// Make a network better by playing: an evolution strategy on all but the weights of its first layer.
///
/// In each pair of games a case is played with a random change of the network and with its
/// opposite; a generation of pairs makes a step. At the end the result plays held-out seeds
/// against the network it started from.
///
/// The file holds the network in its first line and the search in its second, after every
/// generation; the same command goes on with it where it stopped, also with more generations. It comes to the
/// same bytes then, and for any number of jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner refine --out refined.txt
  tuner eval --network refined.txt --seeds 20001..=20060")]
pub(crate) struct Options {
    /// The network to write or to go on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    player: PlayerArgs,
    /// Generations to play
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Pairs of games of a generation
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(2..=1 << 20))]
    pairs: u32,
    /// States that the search may build in a game
    #[arg(long, value_name = "N", default_value_t = 45_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How much the values of states of one layer spread by the change of one number, in matches
    #[arg(long, value_name = "X", default_value_t = 0.4, value_parser = positive)]
    noise: f64,
    /// How far to go for a gradient of 1, in changes of --noise
    #[arg(long, value_name = "X", default_value_t = 80.0, value_parser = positive)]
    rate: f64,
    #[command(flatten)]
    seeds: SearchSeeds,
    /// Games at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    /// Also put the network into the game, into bot/src/trained.rs, if it was shown to be better
    #[arg(long)]
    export: bool,
    /// The sources for --export [default: the workspace around the current folder]
    #[arg(long, value_name = "DIR", requires = "export")]
    workspace: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Reads a number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_string())
}

/// The second line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// All that decides where the search goes.
    source: String,
    /// How far it has come.
    search: Search,
}

/// Cases that show how much each number does.
const LOOKED_AT: usize = 32;

/// Their beams are as wide as those of games that spend their states on so many layers.
const LAYERS: u64 = 800;

/// A refinement on its way.
struct Refinement<'a> {
    options: &'a Options,
    spec: Spec,
    settings: Settings,
    /// Who it starts with.
    player: Player<'a>,
    networks: Networks<'a>,
    /// How much each number changes by 1.
    units: Vec<f64>,
    games: Games,
    state: State,
}

/// Plays many games, several at a time, until it is told to stop.
struct Games {
    pool: Pool,
    stop: Arc<AtomicBool>,
}

impl Games {
    /// Does some work for each index; `None` if it was stopped.
    fn all<T: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> T + Sync,
    ) -> Result<Option<Vec<T>>> {
        let bar = progress::games(count);
        let mut results = Vec::with_capacity(count);
        let done = self.pool.in_order(count, &self.stop, work, |_, result| {
            results.push(result);
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        });
        bar.finish_and_clear();
        Ok((done? == count).then_some(results))
    }
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let evaluation = self.player.read()?;
        let player = evaluation.player();
        let networks = player.network;
        let networks = networks.context("--network none: expected a network to refine")?;
        let played = seeds::played(self.seeds.seeds_from, self.pairs.into(), self.generations)?;
        seeds::check_held_out(self.seeds.held_out, played)?;
        let settings = Settings {
            pairs: self.pairs as usize,
            rate: self.rate,
            seed: self.seeds.seed,
        };
        let spec = self.spec.spec()?;
        let source = format!(
            "{spec} --nodes {} --seeds-from {} --noise {} {settings:?} {}",
            self.nodes,
            self.seeds.seeds_from,
            self.noise,
            evaluation.identity(),
        );
        let state = State::read(&self.out, source)?;
        file::check_writable(&self.out)?;
        let games = Games {
            pool: Pool::new(self.jobs)?,
            stop: interrupt::watch()?,
        };
        let width = (self.nodes / LAYERS).max(2) as usize;
        let look = |index: usize| {
            let case = generate(self.seeds.seeds_from + index as u64, &spec);
            Spread::of(networks.any, player, width, &case)
        };
        let Some(spreads) = games.all(LOOKED_AT, look)? else {
            return Ok(interrupt::interrupted("before a generation was played"));
        };
        let units = Spread::units(&spreads, networks.any, self.noise);
        ensure!(
            units.iter().any(|&unit| unit > 0.0),
            "the network changes nothing in these cases: expected longer ones or a wider beam (--nodes)"
        );
        let refinement = Refinement {
            options: self,
            spec,
            settings,
            player,
            networks,
            units,
            games,
            state,
        };
        refinement.run()
    }
}

impl State {
    /// What a file holds, or the state before the first generation where there is none.
    fn read(path: &Path, source: String) -> Result<Self> {
        if !path.exists() {
            let search = Search::new(COUNT);
            return Ok(Self { source, search });
        }
        let text = input::read(path, 1 << 20)?;
        let name = input::name(path);
        let state = text.lines().nth(1).context("no second line");
        let state = state.and_then(|line| Ok(serde_json::from_str::<Self>(line)?));
        let state = state.with_context(|| {
            format!("{name}: expected the network of a `tuner refine` to go on with")
        })?;
        ensure!(
            state.source == source,
            "{name}: holds another refinement, which was made with {}",
            state.source
        );
        Ok(state)
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
                return Ok(interrupt::interrupted(&format!(
                    "after {done} of {generations} generations"
                )));
            };
            self.save()?;
            let done = self.state.search.generation;
            let each = begun.elapsed().div_f64(f64::from(done - first));
            let left = FormattedDuration(each * (generations - done));
            eprintln!(
                "generation {done}/{generations}  log score {score:.4}  gradient {:.4} ({:.4} by chance)  \
                 moved {:.2}  {left} left",
                step.gradient, step.chance, step.moved
            );
        }
        self.validate()
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
        play_as(case, player, self.options.nodes)
    }

    /// Plays a generation: its mean log score, and what it has shown. `None` if it was stopped.
    fn generation(&mut self) -> Result<Option<(f64, Step)>> {
        let Settings { pairs, .. } = self.settings;
        let search = &self.state.search;
        let first = self.options.seeds.seeds_from + u64::from(search.generation) * pairs as u64;
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

    fn save(&self) -> Result<()> {
        let network = self.at(self.state.search.result()).text();
        let state = serde_json::to_string(&self.state)?;
        file::write(
            &self.options.out,
            format!("{network}\n{state}\n").as_bytes(),
        )
    }

    /// Plays the result and what it started from on the held-out seeds.
    fn validate(&self) -> Result<ExitCode> {
        let seeds = self.options.seeds.held_out;
        let count = seeds.count() as usize;
        let refined = self.at(self.state.search.result());
        let work = |index: usize| {
            let case = generate(seeds.first() + index as u64, &self.spec);
            [self.networks.any, &refined].map(|network| self.play(&case, network).points)
        };
        let Some(points) = self.games.all(count, work)? else {
            return Ok(interrupt::interrupted("in the validation"));
        };
        let pairs: Vec<Pair> = (seeds.into_iter().zip(points))
            .map(|(seed, [a, b])| Pair {
                kind: kind(seed, &self.spec),
                a,
                b,
            })
            .collect();
        let found = Comparison::new(Vec::new(), &pairs);
        output::print(&format!(
            "On the seeds {seeds}, {} nodes each, A being the start and B the refined network:\n{found}",
            self.options.nodes
        ))?;
        if self.options.export {
            self.export(&refined, &found.all)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn export(&self, refined: &Network, found: &Difference) -> Result<()> {
        let Estimate { mean, interval } = found.log_percent;
        let (low, high) = interval.unwrap_or((mean, mean));
        ensure!(
            low > 0.0,
            "expected a network that was shown to be better to put into the game"
        );
        let path = super::workspace(self.options.workspace.as_deref())?.join(trained::COLUMNS);
        let before = match &self.options.player.network {
            Some(file) => format!("the network of {}", input::name(file)),
            None => trained::origin(&input::read(&path, 1 << 20)?),
        };
        let origin = format!(
            "{} generations of `tuner refine {}`; {mean:+.2} % ({low:+.2} to {high:+.2}) by log score on the \
             seeds {} against what it was before: {before}",
            self.state.search.generation, self.state.source, self.options.seeds.held_out,
        );
        trained::write(&path, "tuner refine --export", &refined.text(), &origin)
    }
}
