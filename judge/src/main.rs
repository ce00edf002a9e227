//! The command `judge`.

mod commands;

use clap::{Parser, Subcommand};
use columns_cli::command;
use commands::{compare, run, score, NAME};
use std::process::ExitCode;

/// Scores plans and plays bots over many cases of the Columns Game.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Example: judge run --seeds 1..=20\n\n\
        Exit status: 0 if all is well, 1 for an invalid plan or a lost game, 2 for bad input."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Score(score::Options),
    Run(Box<run::Options>),
    Compare(compare::Options),
}

fn main() -> ExitCode {
    command::main(NAME, |cli: Cli| match cli.command {
        Command::Score(options) => score::run(&options),
        Command::Run(options) => run::run(&options),
        Command::Compare(options) => compare::run(&options),
    })
}
