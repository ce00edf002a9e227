//! `tuner report`: draws several runs on one page.

use anyhow::{Result, ensure};
use clap::Args;
use columns_cli::{file, output};
use columns_tuner::experiment::folder;
use columns_tuner::report::{Report, render_html};
use std::path::PathBuf;

/// Draw several runs of `tuner fit` in the same plots, on one page
///
/// The page is a self-contained HTML file. Each run already has a page of its own, DIR/report.html.
/// A run that has not ended is shown up to its last generation.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner report monday tuesday --out both.html")]
pub(crate) struct Options {
    /// Folders of the runs, at least two
    #[arg(value_name = "DIR", required = true, num_args = 2..)]
    folders: Vec<PathBuf>,
    /// File to write the page to
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let states = self.folders.iter().map(|folder| folder::read(folder));
        let states = states.collect::<Result<Vec<_>>>()?;
        let mut reports = Vec::new();
        for (state, folder) in states.iter().zip(&self.folders) {
            ensure!(
                !state.generations.is_empty(),
                "{}: no generation has ended yet",
                folder.display()
            );
            reports.push(Report::new(folder, state));
        }
        let own = self
            .folders
            .iter()
            .flat_map(|folder| folder::file_paths(folder));
        file::check_outputs([&self.out], own)?;
        file::write(&self.out, render_html(&reports, false).as_bytes())?;
        output::print(&format!("{}\n", self.out.display()))
    }
}
