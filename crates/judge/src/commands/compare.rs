//! `judge compare`: compares one or more runs with a run A, case by case.

use anyhow::{Context, Result, ensure};
use clap::Args;
use columns_cli::json;
use columns_cli::options::Json;
use columns_judge::compare::{self, Comparison};
use columns_judge::report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare run B, or several runs, with run A, case by case
///
/// `log score` is the change of the mean logarithm of the score, which gives all cases the same
/// weight. `score` is the change of the sum of scores, by which the contest ranks. Both have 95 %
/// intervals by Student's t if there are at least five cases. `p` is the two-sided p-value of
/// Wilcoxon's signed-rank test. Below the table are the cases with the largest changes. For several
/// runs B, the command prints one line each, and corrects the intervals and p-values for their number.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge compare a.json b.json
  judge compare --by layers a.json b.json
  judge compare base.json wide.json deep.json")]
pub(crate) struct Options {
    /// Results of a run, from `judge run --json`
    a: PathBuf,
    /// Results of other runs on the same cases
    #[arg(required = true)]
    b: Vec<PathBuf>,
    /// Group the cases by a number that A's bot reported in a line `NAME = 5` on standard error,
    /// or by a field of a game in the report, such as `cpu_s`
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
        let mut comparison = Comparison::of(&a, &b, args.by.as_deref(), side)
            .with_context(|| format!("{} and {}", a.file, b.file))?;
        if count > 1 {
            comparison.correct_for(count);
        }
        Ok(comparison)
    };
    let comparisons = args.b.iter().zip('B'..).map(compare);
    let comparisons = comparisons.collect::<Result<Vec<_>>>()?;
    let json = || match &comparisons[..] {
        [one] => json::pretty(one),
        several => json::pretty(&several),
    };
    args.json.write(json, &compare::text(&comparisons))?;
    Ok(ExitCode::SUCCESS)
}

/// Maximum number of candidates: there are 25 letters after A.
const MOST: usize = 25;
