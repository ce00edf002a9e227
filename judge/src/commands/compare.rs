//! `judge compare`: two runs, case by case.

use anyhow::{Context, Result};
use clap::Args;
use columns_cli::json;
use columns_cli::options::Json;
use columns_judge::compare::Comparison;
use columns_judge::report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare two runs case by case: how B does against A
///
/// `log score` is the change of the mean logarithm of the score, every case
/// counting alike; `score` is that of the sum of scores, which the contest ranks
/// by. Both have 95 % intervals by Student's t, from five cases on; p is that of
/// Wilcoxon's signed-rank test, two-sided. The cases with the largest changes follow.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge compare a.json b.json
  judge compare --by layers a.json b.json")]
pub(crate) struct Options {
    /// Results of a run, from `judge run --json`
    a: PathBuf,
    /// Results of another run over the same cases
    b: PathBuf,
    /// Group the cases by this number, as A told it: a line `NAME = 5` on the bot's standard
    /// error, or a field of a game in the report such as `cpu_s`
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    args.json.check([&args.a, &args.b])?;
    let (a, b) = (Report::read(&args.a)?, Report::read(&args.b)?);
    let comparison = Comparison::of(&a, &b, args.by.as_deref());
    let comparison = comparison.with_context(|| format!("{} and {}", a.file, b.file))?;
    let text = comparison.to_string();
    args.json.give(|| json::pretty(&comparison), &text)?;
    Ok(ExitCode::SUCCESS)
}
