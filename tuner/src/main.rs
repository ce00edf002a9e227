//! The command `tuner`: fits the bot's evaluation, and compares players.

mod commands;

use anyhow::Result;
use clap::{Parser, Subcommand};
use columns_cli::command;
use columns_judge::arena::supervisor;
use commands::{compare, export, fit, learn, parameters, sample, worker};
use std::process::ExitCode;

/// Compare players over many seeds, and fit better ones
///
/// A command with --out keeps its games: after any interruption, the same command resumes the work.
#[derive(Debug, Parser)]
#[command(
    name = "tuner",
    after_help = "Examples:
  tuner compare --b w.json --delta 1
  tuner fit --out night --max-time 8h
  tuner export night"
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Compare(Box<compare::Options>),
    Fit(Box<fit::Options>),
    Export(Box<export::Options>),
    Sample(Box<sample::Options>),
    Learn(Box<learn::Options>),
    Parameters(Box<parameters::Options>),
    Worker(Box<worker::Options>),
}

fn run(options: Options) -> Result<ExitCode> {
    match options.command {
        Command::Compare(options) => options.run()?,
        Command::Fit(options) => options.run()?,
        Command::Export(options) => options.run()?,
        Command::Sample(options) => options.run()?,
        Command::Learn(options) => options.run()?,
        Command::Parameters(options) => options.run()?,
        Command::Worker(options) => options.run()?,
    }
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    supervisor::run_if_supervisor();
    command::main("tuner", run)
}
