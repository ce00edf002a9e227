//! `judge compare`: two runs, case by case.

use anyhow::{Context, Result};
use clap::Args;
use columns_cli::options::Json;
use columns_cli::{input, json};
use columns_judge::compare::Comparison;
use columns_judge::report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare two runs case by case: how B does against A
///
/// `log score` is the change of the mean logarithm of the score, every case
/// counting alike; `score` is that of the sum of scores, which the contest ranks
/// by. Both have 95 % intervals by Student's t; p is that of Wilcoxon's
/// signed-rank test, two-sided.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge compare a.json b.json")]
pub(crate) struct Options {
    /// Results of a run, from `judge run --json`
    a: PathBuf,
    /// Results of another run over the same cases
    b: PathBuf,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (a, b) = (Report::read(&args.a)?, Report::read(&args.b)?);
    let comparison = Comparison::of(&a, &b)
        .with_context(|| format!("{} and {}", input::name(&args.a), input::name(&args.b)))?;
    let text = comparison.to_string();
    args.json.give(|| json::pretty(&comparison), &text)?;
    Ok(ExitCode::SUCCESS)
}
