//! `tuner fit`: fitting the weights by playing.

use super::playing::{Crew, Playing};
use super::searching::{Searching, Table, OF_WEIGHTS};
use anyhow::Result;
use clap::Args;
use columns_cli::output;
use columns_cli::table::aligned;
use columns_tuner::experiment::folder::{NETWORK, WEIGHTS};
use columns_tuner::experiment::outcome::Outcome;
use columns_tuner::experiment::run::{Effort, Run};
use indicatif::FormattedDuration;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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
    #[command(flatten)]
    table: Table,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    playing: Playing,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let space = self.table.space(&self.searching.start()?)?;
        let config = self.searching.config(&space, OF_WEIGHTS)?;
        let crew = self.playing.crew()?;
        finish(Run::create(&self.out, config)?, &crew)
    }
}

/// Works on a run to its end, and prints its result.
pub(crate) fn finish(mut run: Run, crew: &Crew) -> Result<ExitCode> {
    let (outcome, effort) = crew.work(&mut run)?;
    let shown = run.folder.path().display();
    let text = told(&outcome) + &spent(&effort);
    let next = if outcome.is_better() {
        format!("; to put it into the bot: tuner export {shown}")
    } else {
        String::new()
    };
    let file = if outcome.is_of_network() {
        NETWORK
    } else {
        WEIGHTS
    };
    output::print(&format!("{text}\nThe result is in {shown}/{file}{next}\n"))?;
    Ok(ExitCode::SUCCESS)
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

/// The result of a run as text. The numbers of a network mean nothing to a reader.
fn told(outcome: &Outcome) -> String {
    let mut text = String::new();
    if let (Some(look), Some(comparison)) = (outcome.looks.last(), &outcome.comparison) {
        if !outcome.is_of_network() {
            let rows = outcome.parameters.iter().map(|parameter| {
                [
                    parameter.name.clone(),
                    parameter.start.to_string(),
                    parameter.value.to_string(),
                    format!("{:+.2}", parameter.steps),
                ]
            });
            text = aligned(["parameter", "start", "fitted", "steps"], rows) + "\n";
        }
        let against = match look.against {
            0 => "the start (A)".into(),
            look => format!("the result of judgement {look} (A)"),
        };
        let _ = writeln!(
            text,
            "On the held-out seeds {}, the best of generation {} (B) against {against}:\n\n\
             {comparison}",
            look.seeds, look.generation
        );
    }
    let reason = outcome
        .stopped
        .map_or(String::new(), |reason| reason.to_string());
    let _ = writeln!(
        text,
        "The search stopped after {} generations and {} games: {reason}.\n{}",
        outcome.generations, outcome.games, outcome.verdict
    );
    text
}
