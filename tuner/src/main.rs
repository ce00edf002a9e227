//! The command `tuner`: fits the bot's evaluation, and compares players.

mod commands;

use anyhow::Result;
use clap::{Parser, Subcommand};
use columns_cli::command;
use columns_judge::arena::supervisor;
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

/// Defines the enum `Command` and the function `run`. Each subcommand is a module in `commands` with a type
/// `Options`.
macro_rules! subcommands {
    ($($name:ident $module:ident,)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name(Box<commands::$module::Options>),)+
        }

        fn run(options: Options) -> Result<ExitCode> {
            match options.command {
                $(Command::$name(options) => options.run()?,)+
            }
            Ok(ExitCode::SUCCESS)
        }
    };
}

subcommands! {
    Compare compare, Fit fit, Export export, Sample sample, Learn learn, Parameters parameters,
    Worker worker,
}

fn main() -> ExitCode {
    supervisor::init();
    command::main("tuner", run)
}
