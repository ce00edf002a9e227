//! `tuner rehearse`: a rehearsal of a fit.

use super::playing::Playing;
use super::searching::{Searching, Table, OF_WEIGHTS};
use anyhow::{Context, Result};
use clap::Args;
use columns_cli::{output, table::aligned};
use columns_tuner::{
    experiment::config::Rehearsal, experiment::event::Recovery, experiment::folder::LEDGER,
    experiment::outcome::Outcome, experiment::run::Run,
};
use std::{path::PathBuf, process::ExitCode};

/// Rehearse a fit: whether its budget can find anything
///
/// The weights are made worse on purpose: each parameter moves by 3 to 8 of its steps, one way or
/// the other, until that costs 12 % or more. A fit with the settings given goes on from there, and
/// its result plays held-out seeds against the weights as they were. What it recovers of the loss
/// says what a night with these settings can do. Each start is a run in the folder, and the same
/// command goes on after any stop.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner rehearse --out rehearsal --games 20000
  tuner rehearse --out narrow --games 20000 --columns 200 --work 24 --starts 5")]
pub(crate) struct Options {
    /// Folder for the runs
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// How many starts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    starts: u32,
    /// Held-out seeds to measure on
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    held_out: u64,
    #[command(flatten)]
    table: Table,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    playing: Playing,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let start = self.searching.player.read()?;
        let axes = self.table.axes(&start)?;
        let start = self.searching.games_are.bot(start)?;
        let config = self.searching.config(axes, start, OF_WEIGHTS)?;
        let crew = self.playing.crew()?;
        let mut all = Vec::new();
        for number in 1..=self.starts {
            let (mut config, held_out) = (config.clone(), self.held_out);
            config.rehearsal = Some(Rehearsal { number, held_out });
            let folder = self.out.join(number.to_string());
            let mut run = if folder.join(LEDGER).exists() {
                Run::open_or_create(&folder, config)?
            } else {
                Run::create(&folder, config)?
            };
            let outcome = crew.work(&mut run)?;
            let recovery = run.state.recovery;
            all.push((recovery.context("a rehearsal ends with this")?, outcome));
        }
        output::print(&told(&all))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The result of the rehearsal as text.
fn told(all: &[(Recovery, Outcome)]) -> String {
    let percent = |percent: f64| format!("{percent:+.1} %");
    let rows = all.iter().zip(1..).map(|((recovery, outcome), number)| {
        let (low, high) = recovery.interval;
        [
            number.to_string(),
            percent(recovery.start),
            percent(recovery.result),
            format!("{low:+.1} to {high:+.1} %"),
            format!("{:.0} %", 100.0 * recovery.share()),
            outcome.games.to_string(),
            outcome.why(),
        ]
    });
    let head = [
        "start",
        "loses",
        "result",
        "95 %",
        "recovered",
        "games",
        "stopped, since",
    ];
    let table = aligned(head, rows);
    let shares = all.iter().map(|(recovery, _)| recovery.share());
    let mean = shares.clone().sum::<f64>() / all.len() as f64;
    let least = shares.fold(f64::INFINITY, f64::min);
    let seeds = all[0].0.seeds;
    format!(
        "Against the weights as they were, on the held-out seeds {seeds}:\n\n{table}\n\
         A fit with these settings recovers {:.0} % of a loss in the mean, {:.0} % at the least.\n",
        100.0 * mean,
        100.0 * least
    )
}
