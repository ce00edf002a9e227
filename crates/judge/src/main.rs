//! The command `judge`: scores plans, plays bots on many cases, and compares runs.

mod commands;

use clap::Parser;
use columns_cli::command;
use columns_judge::supervisor;
use commands::{NAME, calibrate, compare, history, run, score, show};
use std::process::ExitCode;

/// Score plans, play bots on many cases of the Columns Game, and compare runs
#[derive(Debug, Parser)]
#[command(
    name = "judge",
    after_help = "Exit status: 0 if all is well, 1 for an invalid plan or a lost game, 2 for bad \
        input.\n\n\
        Examples:\n  \
        judge run --seeds 1..=20\n  \
        judge score in/0001.txt out/0001.txt\n  \
        judge compare a.json b.json"
)]
enum Command {
    Score(score::Options),
    Show(show::Options),
    Run(Box<run::Options>),
    Compare(compare::Options),
    History(history::Options),
    Calibrate(calibrate::Options),
}

fn main() -> ExitCode {
    supervisor::init();
    command::main(NAME, |command| match command {
        Command::Score(options) => score::run(&options),
        Command::Show(options) => show::run(&options),
        Command::Run(options) => run::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::History(options) => history::run(&options),
        Command::Calibrate(options) => calibrate::run(&options),
    })
}
