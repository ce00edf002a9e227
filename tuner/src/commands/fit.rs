//! `tuner fit`: fitting the weights by playing.

use super::playing::{Crew, Playing};
use super::searching::{Searching, Table, OF_WEIGHTS};
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::{input, output, table::aligned};
use columns_tuner::{
    contestant::Contestant, experiment::outcome::Outcome, experiment::run::Run,
    search::space::of_toml,
};
use indicatif::FormattedDuration;
use std::{fmt::Write as _, path::PathBuf, process::ExitCode, time::Instant};

/// Fit the bot's parameters by playing many games
///
/// Each case of a generation is played with a random change of all parameters and with the opposite
/// change; the differences show where to go. What the search has found from time to time challenges
/// the best so far. The search stops when it finds nothing better, after `--games` or after
/// `--for`; the best then plays held-out seeds against the start, and where it is not shown to be
/// better, the result is the start.
///
/// The run lives in a folder and survives every stop: go on with `tuner resume`. It comes to the
/// same bytes then, and for any number of jobs; but not where a program with a clock is fitted.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner fit --out night --for 8h
  tuner fit --out spots --parameters spot,second_spot,completion --games 20000
  tuner fit --out mine --bot './mine --width {width}' --space space.toml --time-limit 1
  tuner resume night")]
pub(crate) struct Options {
    /// Folder for the run, new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Fit a program instead of the bot of this build: a command line with `{NAME}` for the value of
    /// each parameter in --space. It reads a case and prints a plan, and is judged as `judge run` does
    #[arg(long, value_name = "CMD", requires = "space",
        conflicts_with_all = ["parameters", "weights", "network", "nats"])]
    bot: Option<String>,
    /// The parameters of the program, in TOML: `NAME = { start = 8, lowest = 1, highest = 50, step =
    /// 2 }` on a line for each
    #[arg(long, value_name = "FILE", requires = "bot")]
    space: Option<PathBuf>,
    #[command(flatten)]
    table: Table,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    playing: Playing,
}

/// Most bytes of a file of parameters.
const LIMIT: u64 = 1 << 20;

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let games = &self.searching.games_are;
        let (axes, start) = if let (Some(command), Some(space)) = (&self.bot, &self.space) {
            let text = input::read(space, LIMIT)?;
            let axes = of_toml(&text).with_context(|| input::name(space))?;
            (axes, games.program(command)?)
        } else {
            let start = self.searching.player.read()?;
            (self.table.axes(&start)?, games.bot(start)?)
        };
        let config = self.searching.config(axes, start, OF_WEIGHTS)?;
        let crew = self.playing.crew()?;
        finish(Run::create(&self.out, config)?, &crew)
    }
}

/// Works on a run to its end, and prints its result.
pub(crate) fn finish(mut run: Run, crew: &Crew) -> Result<ExitCode> {
    let begun = Instant::now();
    let outcome = crew.work(&mut run)?;
    let shown = run.folder.display();
    let mut text = told(&outcome);
    if run.played > 0 {
        let rate = run.played as f64 / begun.elapsed().as_secs_f64();
        let time = FormattedDuration(begun.elapsed());
        let _ = writeln!(text, "\n{} games in {time}, {rate:.1} games/s.", run.played);
    }
    let next = match outcome.result {
        Contestant::Bot { .. } if outcome.passed().is_some() => {
            format!("; to put it into the bot: tuner export {shown}")
        }
        _ => String::new(),
    };
    let (file, _) = outcome.file();
    output::print(&format!("{text}\nThe result is in {shown}/{file}{next}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// The result of a run as text. The numbers of a network mean nothing to a reader.
fn told(outcome: &Outcome) -> String {
    let mut text = String::new();
    if let (Some(look), Some(comparison)) = (outcome.looks.last(), &outcome.comparison) {
        if !outcome.is_of_network {
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
    let _ = writeln!(
        text,
        "The search stopped after {} generations and {} games: {}.\n{}",
        outcome.generations,
        outcome.games,
        outcome.why(),
        outcome.verdict
    );
    text
}
