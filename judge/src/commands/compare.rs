//! `judge compare`: runs against one run, case by case.

use anyhow::{ensure, Context, Result};
use clap::Args;
use columns_cli::json;
use columns_cli::options::Json;
use columns_judge::compare::{self, Comparison};
use columns_judge::report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare runs case by case: how B, and others, do against A
///
/// `log score` is the change of the mean logarithm of the score, every case
/// counting alike; `score` is that of the sum of scores, which the contest ranks
/// by. Both have 95 % intervals by Student's t, from five cases on; p is that of
/// Wilcoxon's signed-rank test, two-sided. The cases with the largest changes follow.
/// Of several candidates each has a line; their intervals and p-values hold for all of them
/// together.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge compare a.json b.json
  judge compare --by layers a.json b.json
  judge compare base.json wide.json deep.json")]
pub(crate) struct Options {
    /// Results of a run, from `judge run --json`
    a: PathBuf,
    /// Results of other runs over the same cases
    #[arg(required = true)]
    b: Vec<PathBuf>,
    /// Group the cases by this number that A's bot reported, a line `NAME = 5` on its standard
    /// error, or by a field of a game in the report such as `cpu_s`
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let files = args.b.iter().chain([&args.a]);
    args.json.check(&["classes"], files)?;
    let (a, count) = (Report::read(&args.a)?, args.b.len());
    ensure!(
        count == 1 || args.by.is_none(),
        "--by: expected one run to compare with A, found {count}"
    );
    ensure!(
        count <= MOST,
        "expected at most {MOST} runs to compare with A, found {count}"
    );
    let compare = |(path, side): (&PathBuf, char)| {
        let b = Report::read(path)?;
        let comparison = Comparison::of(&a, &b, args.by.as_deref(), side);
        comparison.with_context(|| format!("{} and {}", a.file, b.file))
    };
    let comparisons = args.b.iter().zip('B'..).map(compare);
    let mut comparisons = comparisons.collect::<Result<Vec<_>>>()?;
    if let [one] = &comparisons[..] {
        args.json.give(|| json::pretty(one), &one.to_string())?;
    } else {
        comparisons.iter_mut().for_each(|of| of.share(count));
        let text = compare::several(&comparisons);
        args.json.give(|| json::pretty(&comparisons), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of runs that have a letter.
const MOST: usize = 25;
