//! `judge prune`: removes the plans and errors of old runs.

use super::StoreOptions;
use anyhow::Result;
use clap::Args;
use columns_cli::options::whole;
use columns_cli::output::{self, count};
use columns_judge::store;
use std::process::ExitCode;

/// Remove the plans and the standard error of old runs; their rows stay
///
/// The page cannot show the games of a pruned run any more; `judge list`, `show` and `compare` still have
/// their scores.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge prune --keep 20")]
pub(crate) struct Options {
    /// Number of runs, the newest, that keep their plans
    #[arg(long, value_name = "N", value_parser = whole(0, usize::MAX))]
    keep: usize,
    #[command(flatten)]
    store: StoreOptions,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let pruned = store::prune(&args.store.store(), args.keep)?;
    output::print(&format!("{} pruned\n", count(pruned, "run")))?;
    Ok(ExitCode::SUCCESS)
}
