//! The command `judge`: scores plans, plays bots on many cases, keeps the runs, and compares them.

mod commands;

use clap::Parser;
use columns_cli::command;
use columns_judge::arena::supervisor;
use commands::{NAME, compare, init, list, open, run, score, show, watch};
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
    /// Write a columns.toml, with comments, into this folder
    #[command(after_help = "Examples:\n  judge init")]
    Init,
    Score(score::Options),
}

fn main() -> ExitCode {
    supervisor::run_if_supervisor();
    command::main(NAME, |command| {
        match command {
            Command::Run(options) => return run::run(&options),
            Command::Show(options) => return show::run(&options),
            Command::Watch(options) => return watch::run(&options),
            Command::Score(options) => return score::run(&options),
            Command::List(options) => list::run(&options)?,
            Command::Compare(options) => compare::run(&options)?,
            Command::Open(options) => open::run(&options)?,
            Command::Init => init::run()?,
        }
        Ok(ExitCode::SUCCESS)
    })
}
