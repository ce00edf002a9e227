//! `tuner report`: runs as a page.

use anyhow::{bail, ensure, Result};
use clap::Args;
use columns_cli::{
    file, output,
    paths::{Format, Paths},
};
use columns_tuner::experiment::folder;
use columns_tuner::report::{html, Report};
use std::{path::PathBuf, process::ExitCode};

/// Show a run of `tuner fit`, or several over each other, as a page with plots
///
/// One HTML file that needs no network. A run that has not ended is shown as far as it is.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner report night
  tuner report monday tuesday --out both.html
  watch -n 60 tuner report night")]
pub(crate) struct Options {
    /// The folders of the runs
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The page [default: report.html in the folder of a single run]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let path = match (&self.out, &self.folders[..]) {
            (Some(path), _) => path.clone(),
            (None, [folder]) => folder.join("report.html"),
            _ => bail!("expected --out FILE, for the page of several runs"),
        };
        let reports = self.folders.iter().map(|folder| Report::read(folder));
        let reports = reports.collect::<Result<Vec<_>>>()?;
        for (report, folder) in reports.iter().zip(&self.folders) {
            ensure!(
                !report.course.is_empty() || report.has_ended(),
                "{}: no generation is done yet",
                folder.display()
            );
        }
        let own = self.folders.iter().flat_map(|folder| folder::files(folder));
        let paths = Paths::default().read(own);
        paths
            .written(Format::Text("<h2>Judgements</h2>"), [&path])
            .check()?;
        file::write(&path, html(&reports).as_bytes())?;
        output::print(&format!("{}\n", path.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
