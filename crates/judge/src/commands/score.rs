//! `judge score`: prints the points of a plan.

use super::{NAME, moves};
use anyhow::{Result, ensure};
use clap::Args;
use columns_cli::options::{JsonOption, integer_between};
use columns_cli::{input, json, output, stderr};
use columns_core::rules::replay;
use columns_judge::{arena::process, verdict};
use std::path::PathBuf;
use std::process::ExitCode;

/// Score a plan and print `Score = N`
///
/// An invalid plan scores 0. The reason is then printed to standard error, and the exit status is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge score in/0001.txt out/0001.txt\n  \
    judge score in/0001.txt out/0001.txt --column 9\n  \
    bot < in/0001.txt | judge score --show in/0001.txt - | less")]
pub(crate) struct Options {
    /// File with the case; - for standard input
    case: PathBuf,
    /// File with the plan that a bot printed; - for standard input
    plan: PathBuf,
    /// Show the game as text instead: where each column lands, and which jewels it clears
    #[arg(long, conflicts_with = "json")]
    show: bool,
    /// Show this column only, counted from 1
    #[arg(long, value_name = "N", conflicts_with = "json", value_parser = integer_between(0, usize::MAX))]
    column: Option<usize>,
    #[command(flatten)]
    json: JsonOption,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    ensure!(
        !(input::is_stdio(&args.case) && input::is_stdio(&args.plan)),
        "standard input: expected either the case or the plan there, not both"
    );
    let case = input::read_case(&args.case)?;
    let output = input::read_start(&args.plan, process::MAX_OUTPUT_BYTES)?;
    let plan = verdict::parse_plan(&case, &output);
    let plan = plan.map_err(|reason| format!("{}: {reason:#}", input::name(&args.plan)));
    let outcome = plan.as_ref().ok().map(|plan| replay::score(&case, plan));
    if let (Ok(plan), true) = (&plan, args.show || args.column.is_some()) {
        output::print(&moves::describe_game(&case, plan, args.column)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let points = outcome.map_or(0, |outcome| outcome.points);
    let json = || {
        json::to_pretty(&serde_json::json!({
            "score": points,
            "columns": case.columns().len(),
            "placed_columns": outcome.map(|outcome| outcome.placed_columns),
            "ended_early": outcome.map(|outcome| outcome.ended_early),
            "longest_chain": outcome.map(|outcome| outcome.longest_chain),
            "reason": plan.as_ref().err(),
        }))
    };
    args.json.print(json, &format!("Score = {points}\n"))?;
    if let Err(reason) = &plan {
        stderr::warn(NAME, reason);
    }
    Ok(ExitCode::from(u8::from(plan.is_err())))
}
