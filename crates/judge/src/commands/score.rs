//! `judge score`: prints the points of a plan.

use super::{Game, NAME};
use anyhow::Result;
use clap::Args;
use columns_cli::options::Json;
use columns_cli::{json, stderr};
use columns_core::rules::replay;
use std::process::ExitCode;

/// Score a plan: prints `Score = N` to standard error
///
/// An invalid plan scores 0. Then the reason follows on standard error, and the exit status is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge score in/0001.txt out/0001.txt\n  \
    bot < in/0001.txt | judge score --json in/0001.txt -")]
pub(crate) struct Options {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    args.json
        .check(&["ended_early"], [&args.game.case, &args.game.plan])?;
    let (case, plan) = args.game.read()?;
    let outcome = plan.as_ref().ok().map(|plan| replay::score(&case, plan));
    let points = outcome.map_or(0, |outcome| outcome.points);
    stderr::log(&format!("Score = {points}"));
    let plan = plan.inspect_err(|reason| stderr::warn(NAME, reason));
    let result = serde_json::json!({
        "score": points,
        "columns": case.columns().len(),
        "placed": outcome.map(|outcome| outcome.placed),
        "ended_early": outcome.map(|outcome| outcome.ended_early),
        "longest_chain": outcome.map(|outcome| outcome.longest_chain),
        "invalid": plan.err(),
    });
    args.json.write(|| json::pretty(&result), "")?;
    Ok(ExitCode::from(u8::from(outcome.is_none())))
}
