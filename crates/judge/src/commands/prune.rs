//! `judge prune`: removes the plans and the standard error of old runs.

use anyhow::{Context, Result};
use clap::Args;
use columns_cli::options::integer_between;
use columns_cli::output::{self, count_text};
use columns_judge::store::{self, Store};
use std::fs;

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

/// Skips runs that another process is playing.
pub(crate) fn run(args: &Options) -> Result<()> {
    let runs = args.store.run_folders()?;
    let mut pruned = 0;
    for folder in &runs[..runs.len().saturating_sub(args.keep)] {
        let Some(_lock) = store::lock_if_free(folder) else {
            continue;
        };
        let mut is_pruned = false;
        for path in ["out", "err"].map(|name| folder.join(name)) {
            if fs::read_dir(&path).is_ok_and(|mut files| files.next().is_some()) {
                let removed = fs::remove_dir_all(&path).and_then(|()| fs::create_dir(&path));
                removed.with_context(|| format!("{}: cannot be removed", path.display()))?;
                is_pruned = true;
            }
        }
        pruned += usize::from(is_pruned);
    }
    output::print(&format!("{} pruned\n", count_text(pruned, "run")))
}
