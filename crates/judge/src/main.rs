//! The command `judge`: scores plans, plays bots on many cases, keeps the runs, and compares them.

mod commands;

use clap::Parser;
use columns_cli::command;
use columns_judge::arena::supervisor;
use commands::{NAME, calibrate, compare, init, list, open, prune, run, score, show, watch};
use std::process::ExitCode;

/// Play bots on many cases of the Columns Game, keep the runs, and compare them
///
/// A RUN is a number that `judge list` shows, a name, the folder of a run, `last`, or `last~1` (the run
/// before the last one). The exit status is 0 on success, 1 for an invalid plan or a failed game, and 2 for
/// bad input or a system error.
#[derive(Debug, Parser)]
#[command(
    name = "judge",
    after_help = "Examples:\n  \
        judge run --seeds 1..=20\n  \
        judge compare\n  \
        judge watch\n  \
        judge score in/0001.txt out/0001.txt"
)]
enum Command {
    Run(Box<run::Options>),
    List(list::Options),
    Show(show::Options),
    Compare(compare::Options),
    Open(open::Options),
    Watch(watch::Options),
    Prune(prune::Options),
    /// Write a columns.toml, with comments, into this folder
    #[command(after_help = "Examples:\n  judge init")]
    Init,
    Score(score::Options),
    /// Measure the speed of this machine, relative to the machine that defines `bot --work`
    ///
    /// The bot of this build plays three cases with 1000 ms of work each. Its processor time shows what
    /// a time limit on this machine is worth elsewhere, and how long `bot --work` takes here. Other
    /// programs that run at the same time make the machine look slower.
    #[command(after_help = "Examples:\n  judge calibrate")]
    Calibrate,
}

fn main() -> ExitCode {
    supervisor::init();
    command::main(NAME, |command| {
        match command {
            Command::Run(options) => return run::run(&options),
            Command::Show(options) => return show::run(&options),
            Command::Watch(options) => return watch::run(&options),
            Command::Score(options) => return score::run(&options),
            Command::List(options) => list::run(&options)?,
            Command::Compare(options) => compare::run(&options)?,
            Command::Open(options) => open::run(&options)?,
            Command::Prune(options) => prune::run(&options)?,
            Command::Init => init::run()?,
            Command::Calibrate => calibrate::run()?,
        }
        Ok(ExitCode::SUCCESS)
    })
}
