//! The command `tuner`: fits the bot's evaluation, and compares players.

mod commands;

use anyhow::Result;
use clap::{Parser, Subcommand};
use columns_cli::command;
use columns_judge::supervisor;
use std::process::ExitCode;

/// Fit and learn the bot's evaluation by self-play over many seeds
#[derive(Debug, Parser)]
#[command(
    name = "tuner",
    after_help = "Four ideas:
  compare    compare shows which player is better, in as few games as possible
  fit        fit searches for better numbers: of the weights, of a network, of any program
  look       DIR/report.html shows a run in progress; report draws several into the same plots
  adopt      export puts a player that was shown to be better into the bot

A command with --out keeps its games. After any interruption, the same command continues.

Examples:
  tuner compare --b w.json --delta 1
  tuner fit --out night --max-time 8h
  tuner export night"
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

/// Defines the enum `Command` and the function `run`. The options of each subcommand are the type
/// `Options` of a module in `commands`.
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
    Compare compare, Fit fit, Report report, Export export, Sample sample, Learn learn,
    Parameters parameters, Worker worker,
}

fn main() -> ExitCode {
    supervisor::init();
    command::main("tuner", run)
}
