//! `judge history`: runs side by side.

use anyhow::Result;
use clap::Args;
use columns_cli::json;
use columns_cli::options::Json;
use columns_judge::report::Report;
use columns_judge::standing;
use std::path::PathBuf;
use std::process::ExitCode;

/// List runs, the oldest first, against the best score that any of them has on a case
///
/// The relative score is the mean of score / best score over the cases of a run. Cases are the
/// same if their text is, whatever they are called.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge run --seeds 1..=100 --json runs/wider.json --comment 'wider beam'
  judge history runs/*.json
  judge history --cases runs/wider.json runs/narrow.json")]
pub(crate) struct Options {
    /// Results of runs, from `judge run --json`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// List the cases instead: the best score of each, and each run's score in percent of it
    #[arg(long)]
    cases: bool,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    args.json.check(&args.files)?;
    let runs: Result<Vec<_>> = args.files.iter().map(|path| Report::read(path)).collect();
    let mut runs = runs?;
    standing::stand(&mut runs);
    let text = if args.cases {
        standing::cases(&runs)
    } else {
        standing::table(&runs)
    };
    args.json.give(|| json::pretty(&runs), &text)?;
    Ok(ExitCode::SUCCESS)
}
