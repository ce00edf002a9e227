//! `judge prune`: removes the plans and the standard error of old runs.

use anyhow::Result;
use clap::Args;
use columns_cli::options::integer_between;
use columns_cli::output::{self, count_text};
use columns_judge::store::{self, Store};

/// Remove the plans and the standard error of old runs, but keep their scores
///
/// The page can no longer show the games of a pruned run; `judge list`, `show` and `compare` still show its
/// scores.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge prune --keep 20")]
pub(crate) struct Options {
    /// Number of newest runs that keep their plans
    #[arg(long, value_name = "N", value_parser = integer_between(0, usize::MAX))]
    keep: usize,
    #[command(flatten)]
    store: Store,
}

pub(crate) fn run(args: &Options) -> Result<()> {
    let pruned = store::prune(&args.store, args.keep)?;
    output::print(&format!("{} pruned\n", count_text(pruned, "run")))
}
