//! `tuner fit`: fitting the weights by playing.

use super::interrupt;
use super::playing::{Crew, Playing};
use super::progress::Screen;
use super::searching::Searching;
use anyhow::{anyhow, Error, Result};
use clap::Args;
use columns_cli::command::Stopped;
use columns_cli::options::duration;
use columns_cli::output;
use columns_cli::table::aligned;
use columns_tuner::fit::outcome::Outcome;
use columns_tuner::fit::record::Stage;
use columns_tuner::fit::run::Run;
use columns_tuner::fit::runner::{fit, Ended, Limits};
use columns_tuner::fit::stage::Effort;
use indicatif::FormattedDuration;
use std::error::Error as StdError;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Fit the bot's parameters by playing many games
///
/// Each case of a generation is played with a random change of all parameters and with the opposite
/// change; the differences show where to go. What the search has found from time to time challenges
/// the best so far. The search stops when it finds nothing better, after `--games` or after
/// `--for`; the best then plays held-out seeds against the start, and where it is not shown to be
/// better, the result is the start.
///
/// The run lives in a folder and survives every stop: go on with `tuner resume`. It comes to the
/// same bytes then, and for any number of jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner fit --out night --for 8h
  tuner fit --out spots --parameters spot,second_spot,completion --games 20000
  tuner resume night")]
pub(crate) struct Options {
    /// Folder for the run, new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Weights to start from [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Stop after this time, such as 90s, 30m or 8h
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    playing: Playing,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let start = super::weights(self.weights.as_ref())?;
        let (config, _) = self.searching.config(&start)?;
        let limits = Limits {
            games: config.games,
            until: self.time.map(|time| Instant::now() + time),
            extend: false,
        };
        let stop = interrupt::watch()?;
        let (run, crew) = self
            .playing
            .begin(stop, || Run::create(&self.out, config, &start))?;
        play(run, limits, crew)
    }
}

/// Works on a run, shows its progress, and prints its result.
pub(crate) fn play(run: Run, limits: Limits, mut crew: Crew) -> Result<ExitCode> {
    let folder = run.folder().to_path_buf();
    match watched(run, limits, &mut crew)? {
        (Ended::Finished(outcome), effort) => {
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
        (Ended::Stopped(stage), _) => {
            let folder = folder.display();
            let stage = where_it_was(stage);
            Err(Stopped(format!("{stage}; to go on: tuner resume {folder}")).into())
        }
    }
}

/// Works on a run and shows its progress.
pub(crate) fn watched(run: Run, limits: Limits, crew: &mut Crew) -> Result<(Ended, Effort)> {
    let folder = run.folder().to_path_buf();
    let mut screen = Screen::new(&run, limits);
    let ended = fit(run, limits, crew.players(), &mut screen);
    screen.close();
    ended.map_err(|error| how_to_go_on(error, &folder))
}

/// The name of a stage in the message of an interruption.
pub(crate) fn where_it_was(stage: Stage) -> String {
    match stage {
        Stage::Generation(number) => format!("in generation {number}"),
        Stage::Challenge(number) => format!("in challenge {number}"),
        Stage::Look(_) => "in the games on held-out seeds".into(),
    }
}

/// Adds to an error of the system how to go on: nothing is lost.
fn how_to_go_on(error: Error, folder: &Path) -> Error {
    let mut causes = error.chain();
    if causes.any(<dyn StdError>::is::<io::Error>) {
        let folder = folder.display();
        anyhow!("{error:#}; nothing is lost, to go on: tuner resume {folder}")
    } else {
        error
    }
}

/// The effort of this process as text; empty if it played nothing.
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

/// The result of a fit as text.
fn told(outcome: &Outcome) -> String {
    let mut text = String::new();
    if let Some(judged) = &outcome.judged {
        let rows = outcome.parameters.iter().map(|parameter| {
            [
                parameter.name.clone(),
                parameter.start.to_string(),
                parameter.value.to_string(),
                format!("{:+.2}", parameter.steps),
            ]
        });
        text = aligned(["parameter", "start", "fitted", "steps"], rows);
        let _ = writeln!(
            text,
            "\nOn the held-out seeds {}, the fitted weights (B) against the start (A):\n\n{}",
            judged.held_out, judged.comparison
        );
    }
    let reason = outcome
        .stopped
        .map_or(String::new(), |reason| reason.to_string());
    let _ = writeln!(
        text,
        "The search stopped after {} generations and {} games: {reason}.\n{}",
        outcome.generations,
        outcome.games,
        outcome.verdict()
    );
    text
}
