//! `tuner report`: runs as a page.

use super::interrupt;
use anyhow::{bail, ensure, Result};
use clap::Args;
use columns_cli::command::Stopped;
use columns_cli::{file, output};
use columns_tuner::experiment::folder::is_own;
use columns_tuner::report::{html, Report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a page that follows a run is brought up to date.
const PAUSE: Duration = Duration::from_secs(2);
/// How often Ctrl-C is looked for in between.
const GLANCE: Duration = Duration::from_millis(50);
/// Seconds of waiting for each second of reading: the run needs the processors more.
const WAIT: u32 = 20;

/// Show a run of `tuner fit`, or several over each other, as a page with plots
///
/// One HTML file that needs no network, with the numbers behind every plot. A run that has not
/// ended is shown as far as it is; with --follow the page is written again while it goes on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner report night
  tuner report night --follow
  tuner report monday tuesday --out both.html")]
pub(crate) struct Options {
    /// The folders of the runs
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The page [default: report.html in the folder of a single run]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the page again whenever there is something new, until the runs have ended
    #[arg(long)]
    follow: bool,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let path = match (&self.out, &self.folders[..]) {
            (Some(path), _) => path.clone(),
            (None, [folder]) => folder.join("report.html"),
            _ => bail!("expected --out FILE, for the page of several runs"),
        };
        let reports = self.read()?;
        for folder in &self.folders {
            ensure!(
                !is_own(folder, &path),
                "{}: expected another file for the page, found one of the run in {}",
                path.display(),
                folder.display()
            );
        }
        if self.follow {
            return self.follow(&path);
        }
        for (folder, report) in self.folders.iter().zip(&reports) {
            let shown = folder.display();
            ensure!(has_content(report), "{shown}: no generation is done yet");
        }
        file::write(&path, html(&reports, false).as_bytes())?;
        output::print(&format!("{}\n", path.display()))?;
        Ok(ExitCode::SUCCESS)
    }

    fn read(&self) -> Result<Vec<Report>> {
        let folders = self.folders.iter();
        folders.map(|folder| Report::read(folder)).collect()
    }

    /// Writes the page whenever there is something new on it, until all runs have ended.
    fn follow(&self, path: &Path) -> Result<ExitCode> {
        let stop = interrupt::watch()?;
        let mut before = None;
        loop {
            let begun = Instant::now();
            let reports = self.read()?;
            let ended = reports.iter().all(Report::has_ended);
            let state: Vec<_> = reports.iter().map(state).collect();
            if reports.iter().all(has_content) && before.as_ref() != Some(&state) {
                file::write(path, html(&reports, true).as_bytes())?;
                if before.is_none() {
                    output::print(&format!("{}\n", path.display()))?;
                }
                before = Some(state);
            }
            if ended {
                return Ok(ExitCode::SUCCESS);
            }
            if !wait(&stop, PAUSE.max(WAIT * begun.elapsed())) {
                if before.is_some() {
                    // It is not written again, so it need not load itself anew.
                    file::write(path, html(&reports, false).as_bytes())?;
                }
                bail!(Stopped("before the end of the run".into()));
            }
        }
    }
}

/// Whether there is something to show: a generation, or that there was none.
fn has_content(report: &Report) -> bool {
    !report.course.is_empty() || report.has_ended()
}

/// What makes a page new.
fn state(report: &Report) -> (usize, usize, usize, bool) {
    let state = &report.state;
    let (challenges, looks) = (state.challenges.len(), state.looks.len());
    (report.course.len(), challenges, looks, report.has_ended())
}

/// Waits. Returns false if Ctrl-C was pressed.
fn wait(stop: &AtomicBool, time: Duration) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.load(Ordering::Relaxed) {
        thread::sleep(GLANCE);
    }
    !stop.load(Ordering::Relaxed)
}
