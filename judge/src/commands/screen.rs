//! What a run shows as it goes on: its rows, above a progress bar on a terminal.

use super::NAME;
use anyhow::{Context, Error, Result};
use columns_cli::mistake::{complain, tell};
use columns_cli::output::{forgive_closed_pipe, print_to_reader};
use columns_cli::{file, progress};
use columns_judge::cases::Entry;
use columns_judge::process::kill_all;
use columns_judge::row::Row;
use columns_judge::table::Table;
use indicatif::ProgressBar;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// Where the rows of a run are printed.
pub(super) struct Screen {
    table: Table,
    pub(super) bar: ProgressBar,
    games: usize,
    /// Points so far.
    sum: Cell<u64>,
    finished: Arc<AtomicUsize>,
    to_stderr: bool,
    /// Whether the games are wanted even if nothing of them can be shown.
    goes_on: bool,
    /// Whether the header is shown.
    begun: Cell<bool>,
    /// Why the first line that could not be shown was not.
    failed: RefCell<Option<Error>>,
}

impl Screen {
    pub(super) fn new(cases: &[Entry], to_stderr: bool, goes_on: bool) -> Self {
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
            goes_on,
            begun: Cell::default(),
            failed: RefCell::default(),
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

    /// Shows the row of a game, the first one below the header.
    ///
    /// # Errors
    /// Those of [`Screen::line`].
    pub(super) fn row(&self, row: &Row) -> Result<()> {
        if !self.begun.replace(true) {
            self.line(&self.table.header())?;
        }
        self.line(&self.table.row(row))
    }

    /// Shows a line.
    ///
    /// # Errors
    /// Why it cannot be shown. Where the games are wanted all the same, [`Screen::end`] tells it.
    pub(super) fn line(&self, line: &str) -> Result<()> {
        let shown = self.bar.suspend(|| {
            if self.to_stderr {
                tell(line);
                Ok(())
            } else {
                print_to_reader(&format!("{line}\n"))
            }
        });
        match shown {
            Err(error) if self.goes_on => {
                self.failed.borrow_mut().get_or_insert(error);
                Ok(())
            }
            shown => shown,
        }
    }

    /// Ends the output.
    ///
    /// # Errors
    /// Why a line could not be shown, but for a reader that has gone.
    pub(super) fn end(self) -> Result<()> {
        forgive_closed_pipe(self.failed.into_inner().map_or(Ok(()), Err))
    }
}
