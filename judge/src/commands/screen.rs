//! What a run shows as it goes on: its rows, above a progress bar on a terminal.

use anyhow::{Context, Error, Result};
use columns_cli::command::STOPPED;
use columns_cli::mistake::tell;
use columns_cli::output::{forgive_closed_pipe, print_to_reader};
use columns_cli::{file, progress};
use columns_judge::cases::Entry;
use columns_judge::process;
use columns_judge::row::Row;
use columns_judge::table::Table;
use indicatif::ProgressBar;
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;

/// Where the rows of a run are printed.
pub(super) struct Screen {
    table: Table,
    pub(super) bar: ProgressBar,
    to_stderr: bool,
    /// Whether the games are wanted even if nothing of them can be shown.
    goes_on: bool,
    /// Whether the header is shown.
    begun: Cell<bool>,
    /// Why the first line that could not be shown was not.
    failed: RefCell<Option<Error>>,
}

impl Screen {
    /// `columns` are shown besides the usual ones. The games are played to the end even if nobody
    /// reads of them, if the run `goes_on`.
    pub(super) fn new(cases: &[Entry], columns: &[String], to_stderr: bool, goes_on: bool) -> Self {
        Self {
            table: Table::new(
                cases.iter().map(|entry| entry.name.as_str()),
                columns.to_vec(),
            ),
            bar: progress::bar(
                cases.len() as u64,
                "{bar:40} {pos}/{len} games, {msg}, {eta} left",
            ),
            to_stderr,
            goes_on,
            begun: Cell::default(),
            failed: RefCell::default(),
        }
    }

    /// What is told as games end.
    pub(super) fn progress(&self) -> Progress {
        Progress {
            bar: self.bar.clone(),
            sum: 0.0,
        }
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

/// What the games so far come to, beside the progress bar.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Points, or relative scores where they are known.
    sum: f64,
}

impl Progress {
    /// A game has ended.
    pub(super) fn advance(&mut self, row: &Row) {
        self.bar.inc(1);
        self.sum += row.relative.unwrap_or(row.score as f64);
        let mean = self.sum / self.bar.position() as f64;
        self.bar.set_message(match row.relative {
            Some(_) => format!("{mean:.2} % of the best"),
            None => format!("mean {mean:.1}"),
        });
    }
}

/// Has Ctrl-C or a request to end kill the bots, so that the run ends with the games that have
/// ended. The second one ends this process when no file is being written.
pub(super) fn stop_on_interrupt() -> Result<()> {
    ctrlc::set_handler(move || {
        if process::stopped().load(Ordering::Relaxed) {
            let _no_file = file::pause_writing();
            std::process::exit(i32::from(STOPPED));
        }
        process::kill_all();
    })
    .context("cannot watch for Ctrl-C")
}
