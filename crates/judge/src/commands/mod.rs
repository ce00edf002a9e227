//! The subcommands, one per file.

use anyhow::{Result, ensure};
use clap::Args;
use columns_cli::input;
use columns_core::rules::{case::Case, plan::Plan};
use columns_judge::store::Store;
use columns_judge::{process, runner};
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

/// The option for the folder of runs.
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

/// A game: a case and a plan for it.
#[derive(Debug, Args)]
pub(crate) struct Game {
    /// File with the case; - for standard input
    case: PathBuf,
    /// File with the plan that a bot printed; - for standard input
    plan: PathBuf,
}

impl Game {
    /// Reads the case and the plan. If the plan is invalid, returns the reason in its place.
    fn read(&self) -> Result<(Case, Result<Plan, String>)> {
        ensure!(
            [&self.case, &self.plan].map(|path| input::name(path)) != ["standard input"; 2],
            "standard input: expected either the case or the plan there, not both"
        );
        let case = input::read_case(&self.case)?;
        let output = input::read_start(&self.plan, process::OUTPUT_LIMIT)?;
        let plan = runner::plan(&case, &output);
        let plan = plan.map_err(|reason| format!("{}: {reason:#}", input::name(&self.plan)));
        Ok((case, plan))
    }
}
