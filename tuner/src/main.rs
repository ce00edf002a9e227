//! The command `tuner`.

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
    after_help = "Examples:\n  \
        tuner eval --seeds 1..=40\n  \
        tuner fit --out night\n  \
        tuner resume night\n  \
        tuner report night\n  \
        tuner export night"
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

/// Makes the list of the subcommands and runs them: each is the options of a file in `commands`.
macro_rules! subcommands {
    ($($name:ident $module:ident,)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name(Box<commands::$module::Options>),)+
        }

        fn run(options: Options) -> Result<ExitCode> {
            match options.command {
                $(Command::$name(options) => options.run(),)+
            }
        }
    };
}

subcommands! {
    Eval eval, Sample sample, Learn learn, Refine refine, Compare compare, Fit fit,
    Rehearse rehearse, Resume resume, Report report, Export export, Space space, Worker worker,
}

fn main() -> ExitCode {
    supervisor::init();
    command::main("tuner", run)
}
