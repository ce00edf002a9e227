//! The command `tuner`.

mod commands;

use clap::{Parser, Subcommand};
use columns_cli::command;
use commands::{
    compare, eval, export, fit, learn, refine, rehearse, report, resume, sample, space, worker,
};
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

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Options),
    Sample(sample::Options),
    Learn(learn::Options),
    Refine(Box<refine::Options>),
    Compare(Box<compare::Options>),
    Fit(Box<fit::Options>),
    Rehearse(Box<rehearse::Options>),
    Resume(resume::Options),
    Report(report::Options),
    Export(export::Options),
    Space(space::Options),
    Worker(worker::Options),
}

fn main() -> ExitCode {
    command::main("tuner", |options: Options| match options.command {
        Command::Eval(options) => options.run(),
        Command::Sample(options) => options.run(),
        Command::Learn(options) => options.run(),
        Command::Refine(options) => options.run(),
        Command::Compare(options) => options.run(),
        Command::Fit(options) => options.run(),
        Command::Report(options) => options.run(),
        Command::Export(options) => options.run(),
        Command::Space(options) => options.run(),
        Command::Rehearse(options) => options.run(),
        Command::Resume(options) => options.run(),
        Command::Worker(options) => options.run(),
    })
}
