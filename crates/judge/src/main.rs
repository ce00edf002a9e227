//! The command `judge`: scores plans, plays bots on many cases, keeps the runs, and compares them.

mod commands;

use clap::Parser;
use columns_cli::command;
use columns_judge::supervisor;
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
    Init(init::Options),
    Score(score::Options),
    Calibrate(calibrate::Options),
}

fn main() -> ExitCode {
    supervisor::init();
    command::main(NAME, |command| match command {
        Command::Run(options) => run::run(&options),
        Command::List(options) => list::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Open(options) => open::run(&options),
        Command::Watch(options) => watch::run(&options),
        Command::Prune(options) => prune::run(&options),
        Command::Init(options) => init::run(&options),
        Command::Score(options) => score::run(&options),
        Command::Calibrate(options) => calibrate::run(&options),
    })
}
