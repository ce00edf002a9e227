//! `judge open`: opens the page with some runs in it.

use super::StoreOptions;
use anyhow::Result;
use clap::Args;
use columns_cli::output;
use columns_judge::page;
use std::path::PathBuf;
use std::process::ExitCode;

/// Open runs in the page: their results, and every game
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge open\n  judge open last~1 last")]
pub(crate) struct Options {
    /// Runs to open [default: last]
    #[arg(value_name = "RUN", default_value = "last", hide_default_value = true)]
    runs: Vec<String>,
    /// Page to fill with the runs [default: columns.html beside this command, or else the page that
    /// `cargo xtask viewer` has built]
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// URL of the published page, for the links that the opened page creates
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    #[command(flatten)]
    store: StoreOptions,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let store = args.store.store();
    let runs = args.runs.iter().map(|run| store.read(run));
    let runs = runs.collect::<Result<Vec<_>>>()?;
    let page = page::read(args.page.as_deref())?;
    let file = page::fill(&page, &runs, args.base.as_deref())?;
    output::print(&(page::open(&file) + "\n"))?;
    Ok(ExitCode::SUCCESS)
}
