//! The subcommands, one per file, and the text of a game that two of them print.

use clap::Args;
use columns_judge::store::Store;
use std::path::PathBuf;

/// Name of the command, at the start of its error messages.
pub(crate) const NAME: &str = "judge";

pub(crate) mod calibrate;
pub(crate) mod compare;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod moves;
pub(crate) mod open;
pub(crate) mod prune;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod show;
pub(crate) mod watch;

/// The option `--store`, which names the folder of the runs.
#[derive(Debug, Args)]
pub(crate) struct StoreOptions {
    /// Folder of the runs [default: runs, beside columns.toml if there is one]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

impl StoreOptions {
    fn store(&self) -> Store {
        Store::new(self.store.as_deref())
    }
}
