//! `tuner report`: a run as a page.

use anyhow::Result;
use clap::Args;
use columns_cli::{file, output};
use columns_tuner::report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show a run of `tuner fit` as a page with plots.
///
/// One HTML file that needs no network, with the numbers behind every plot. A run that has not
/// ended is shown as far as it is.
#[derive(Debug, Args)]
#[command(after_help = "Example: tuner report night")]
pub(crate) struct Options {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The page [default: report.html in that folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let report = Report::read(&self.folder)?;
        let path = match &self.out {
            Some(path) => path.clone(),
            None => self.folder.join("report.html"),
        };
        file::write(&path, report.html().as_bytes())?;
        output::print(&format!("{}\n", path.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
