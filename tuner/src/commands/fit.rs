//! `tuner fit`: better weights by playing.

use super::interrupt;
use super::progress::Screen;
use super::search_seeds::SearchSeeds;
use anyhow::{anyhow, Error, Result};
use clap::Args;
#[cfg(feature = "nats")]
use columns_cli::mistake::complain;
use columns_cli::output;
use columns_generator::args::SpecArgs;
use columns_judge::aligned::aligned;
#[cfg(feature = "nats")]
use columns_tuner::cluster::{driver::Remote, Connection};
use columns_tuner::fit::outcome::Outcome;
use columns_tuner::fit::run::{Config, Run, FORMAT};
use columns_tuner::fit::runner::{fit, Effort, Ended, Stage};
use columns_tuner::fit::space::Space;
use columns_tuner::games::batch::{Local, Players};
use columns_tuner::games::behaviour::behaviour;
use columns_tuner::games::objective::Objective;
use columns_tuner::games::pool::Pool;
use indicatif::FormattedDuration;
use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Fit the bot's parameters by playing many games.
///
/// CMA-ES with learning-rate adaptation. Every candidate of a generation plays the same seeds,
/// each generation fresh ones; the result is the mean of the distribution, which then plays
/// held-out seeds against the weights that it started from.
///
/// The run lives in a folder and survives every stop: go on with `tuner resume`. It comes to the
/// same bytes then, and for any number of jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner fit --out night --generations 300 --games 16 --nodes 20000
  tuner fit --out spots --parameters spot,second_spot,completion --generations 100
  tuner resume night")]
pub(crate) struct Options {
    /// Folder for the run, new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Weights to start from [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// What to fit, names separated by commas [default: all parameters]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    parameters: Vec<String>,
    /// What to make large
    #[arg(long, value_enum, default_value_t = Objective::Log)]
    objective: Objective,
    /// Generations to play
    #[arg(long, value_name = "N", default_value_t = 200)]
    generations: u32,
    /// Candidates of a generation
    #[arg(long, value_name = "N", default_value_t = 40)]
    population: usize,
    /// Seeds of a generation, each played by all its candidates
    #[arg(long, value_name = "N", default_value_t = 8)]
    games: u64,
    /// States that the search may build in a game
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
    #[command(flatten)]
    seeds: SearchSeeds,
    /// The search's first standard deviation, in steps of the parameters
    #[arg(long, value_name = "STEPS", default_value_t = 1.0)]
    step_size: f64,
    #[command(flatten)]
    playing: Playing,
    #[command(flatten)]
    spec: SpecArgs,
}

/// How games are played, whatever the run.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Games at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    #[cfg(feature = "nats")]
    #[command(flatten)]
    server: super::worker::ServerArgs,
}

/// Those who play.
enum Crew {
    Local(Local),
    #[cfg(feature = "nats")]
    Remote(Box<Remote>),
}

impl Playing {
    /// Makes or opens a run, once those who are to play it are there.
    fn begin(&self, run: impl FnOnce() -> Result<Run>) -> Result<(Run, Crew)> {
        let stop = interrupt::watch()?;
        #[cfg(feature = "nats")]
        if let Some(server) = self.server.server()? {
            let connection = Connection::open(&server)?;
            let run = run()?;
            let remote = Remote::new(connection, run.identity, stop)?;
            return Ok((run, Crew::Remote(Box::new(remote))));
        }
        let players = Local::new(Pool::new(self.jobs)?, stop);
        Ok((run()?, Crew::Local(players)))
    }
}

impl Crew {
    fn players(&mut self) -> &mut dyn Players {
        match self {
            Self::Local(local) => local,
            #[cfg(feature = "nats")]
            Self::Remote(remote) => &mut **remote,
        }
    }

    /// Sends all away after a run that has ended.
    fn finish(self) {
        match self {
            Self::Local(_) => {}
            // The run has its outcome; what is left on the server expires by itself.
            #[cfg(feature = "nats")]
            Self::Remote(remote) => {
                if let Err(error) = remote.finish() {
                    complain("tuner", &format!("{error:#}"));
                }
            }
        }
    }
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let start = super::weights(self.weights.as_ref())?;
        let space = Space::of_names(&self.parameters, &start)?;
        let config = Config {
            format: FORMAT,
            tuner: env!("CARGO_PKG_VERSION").into(),
            behaviour: behaviour(&start),
            cases: self.spec.spec()?,
            nodes: self.nodes,
            objective: self.objective,
            generations: self.generations,
            population: self.population,
            games: self.games,
            seeds_from: self.seeds.seeds_from,
            held_out: self.seeds.held_out,
            seed: self.seeds.seed,
            step_size: self.step_size,
            parameters: space.axes().to_vec(),
        };
        play(|| Run::create(&self.out, config, &start), &self.playing)
    }
}

/// Goes on with a run, shows it, and says what came of it.
pub(crate) fn play(run: impl FnOnce() -> Result<Run>, playing: &Playing) -> Result<ExitCode> {
    let (run, mut crew) = playing.begin(run)?;
    let folder = run.folder().to_path_buf();
    let generations = run.config.generations;
    let mut screen = Screen::new(&run.config, run.generation);
    let ended = fit(run, crew.players(), &mut screen);
    screen.close();
    let (ended, effort) = ended.map_err(|error| how_to_go_on(error, &folder))?;
    match ended {
        Ended::Finished(outcome) => {
            crew.finish();
            let shown = folder.display();
            let text = told(&outcome) + &spent(&effort);
            let next = if outcome.is_better() {
                format!("; put them into the bot: tuner export {shown}")
            } else {
                String::new()
            };
            output::print(&format!(
                "{text}\nThe weights are in {shown}/weights.json{next}\n"
            ))?;
            Ok(ExitCode::SUCCESS)
        }
        Ended::Stopped(stage) => {
            let stage = match stage {
                Stage::Generation(number) => format!("in generation {number} of {generations}"),
                Stage::Validation => "in the validation".into(),
            };
            let folder = folder.display();
            Ok(interrupt::interrupted(&format!(
                "{stage}; to go on: tuner resume {folder}"
            )))
        }
    }
}

/// An error of the system has lost nothing: says how to go on once its cause is gone.
fn how_to_go_on(error: Error, folder: &Path) -> Error {
    let mut causes = error.chain();
    if causes.any(<dyn StdError>::is::<io::Error>) {
        let folder = folder.display();
        anyhow!("{error:#}; nothing is lost, to go on: tuner resume {folder}")
    } else {
        error
    }
}

/// What this process did, for people; nothing if it did nothing.
fn spent(effort: &Effort) -> String {
    if effort.games == 0 {
        return String::new();
    }
    // Games played elsewhere cost this process nothing.
    let cost = if effort.games_s > effort.process_s {
        format!(
            "{:.0} s of processor time elsewhere and {:.1} s here",
            effort.games_s, effort.process_s
        )
    } else {
        format!(
            "{:.1} % of the processor time went into them",
            100.0 * effort.games_s / effort.process_s
        )
    };
    format!(
        "\n{} games in {}, {:.1} games/s; {cost}.\n",
        effort.games,
        FormattedDuration(Duration::from_secs_f64(effort.wall_s)),
        effort.games as f64 / effort.wall_s,
    )
}

/// What a fit came to, for people.
fn told(outcome: &Outcome) -> String {
    let rows = outcome.parameters.iter().map(|parameter| {
        [
            parameter.name.clone(),
            parameter.start.to_string(),
            parameter.value.to_string(),
            format!("{:+.2}", parameter.steps),
        ]
    });
    let mut text = aligned(["parameter", "start", "fitted", "steps"], rows);
    let _ = writeln!(
        text,
        "\nOn the held-out seeds {}, the fitted weights (B) against the start (A):\n\n{}",
        outcome.held_out, outcome.validation
    );
    let verdict = if outcome.is_better() {
        "better than the start"
    } else {
        "not shown to be better than the start"
    };
    let _ = writeln!(text, "The result is {verdict}: {}.", outcome.claim());
    text
}
