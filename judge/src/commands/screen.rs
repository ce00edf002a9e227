//! What a run shows as it goes on: its rows, above a progress bar on a terminal.

use super::NAME;
use anyhow::{Context, Result};
use columns_cli::mistake::complain;
use columns_cli::output::print;
use columns_cli::{file, progress};
use columns_judge::cases::Entry;
use columns_judge::process::kill_all;
use columns_judge::table::Table;
use indicatif::ProgressBar;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// Where the rows of a run are printed.
pub(super) struct Screen {
    pub(super) table: Table,
    pub(super) bar: ProgressBar,
    games: usize,
    /// Points so far.
    sum: Cell<u64>,
    finished: Arc<AtomicUsize>,
    to_stderr: bool,
}

impl Screen {
    pub(super) fn new(cases: &[Entry], to_stderr: bool) -> Self {
        Self {
            table: Table::new(cases.iter().map(|entry| entry.name.as_str())),
            bar: progress::bar(
                cases.len() as u64,
                "{bar:40} {pos}/{len} games, mean {msg}, {eta} left",
            ),
            games: cases.len(),
            sum: Cell::new(0),
            finished: Arc::default(),
            to_stderr,
        }
    }

    /// Has Ctrl-C or a request to end kill the bots and end this process when no file is being
    /// written.
    pub(super) fn stop_on_interrupt(&self) -> Result<()> {
        let finished = Arc::clone(&self.finished);
        let games = self.games;
        ctrlc::set_handler(move || {
            let _no_process = kill_all();
            let _no_file = file::pause_writing();
            if io::stderr().is_terminal() {
                // The progress bar is still on the line.
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
            let finished = finished.load(Ordering::Relaxed);
            complain(
                NAME,
                &format!("interrupted after {finished} of {games} games"),
            );
            std::process::exit(130);
        })
        .context("cannot watch for Ctrl-C")
    }

    /// A game has ended, with this score.
    pub(super) fn advance(&self, score: u64) {
        let finished = self.finished.fetch_add(1, Ordering::Relaxed) + 1;
        self.sum.set(self.sum.get() + score);
        let mean = self.sum.get() as f64 / finished as f64;
        self.bar.set_message(format!("{mean:.1}"));
        self.bar.inc(1);
    }

    pub(super) fn line(&self, line: &str) -> Result<()> {
        self.bar.suspend(|| {
            if self.to_stderr {
                writeln!(io::stderr(), "{line}").context("standard error")
            } else {
                print(&format!("{line}\n"))
            }
        })
    }
}
