//! `judge history`: the runs that were kept.

use anyhow::{ensure, Result};
use clap::Args;
use columns_cli::options::Json;
use columns_judge::history::History;
use std::path::PathBuf;
use std::process::ExitCode;

/// Where runs are kept when nothing else is said.
pub(super) const FILE: &str = "history.jsonl";

/// List the runs that `judge run --comment` has kept, against the best score of each case
///
/// The relative score is the mean of score / best score over the cases of a run; the best score of
/// a case is that of all runs in the file. Cases are the same if their text is, whatever they are
/// called.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge run --seeds 1..=100 --comment 'wider beam'
  judge history
  judge history --run 3")]
pub(crate) struct Options {
    /// Where the runs are kept
    #[arg(value_name = "FILE", default_value = FILE)]
    file: PathBuf,
    /// List the cases of this run instead, each with its best score
    #[arg(long, value_name = "N")]
    run: Option<usize>,
    #[command(flatten)]
    json: Json,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let history = History::read(&args.file)?;
    ensure!(
        !history.runs.is_empty(),
        "{}: expected runs of `judge run --comment`, found none",
        args.file.display()
    );
    let text = match args.run {
        Some(number) => history.cases(number)?,
        None => history.table(),
    };
    args.json.give(|| history.json(), &text)?;
    Ok(ExitCode::SUCCESS)
}
