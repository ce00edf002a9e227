//! The command `tuner`.

mod eval;
mod learn_command;
mod sample;

use clap::{Parser, Subcommand};
use columns_cli::command;
use columns_cli::output::forgive_closed_pipe;
use std::process::ExitCode;

/// Fit and learn the bot's evaluation by self-play over many seeds.
#[derive(Debug, Parser)]
#[command(
    name = "tuner",
    version,
    arg_required_else_help = false,
    after_help = "Example: tuner eval --seeds 1..=40 --nodes 20000"
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Options),
    Sample(sample::Options),
    Learn(learn_command::Options),
}

fn main() -> ExitCode {
    command::main("tuner", |options: Options| {
        forgive_closed_pipe(match options.command {
            Command::Eval(options) => options.run(),
            Command::Sample(options) => options.run(),
            Command::Learn(options) => options.run(),
        })
    })
}
