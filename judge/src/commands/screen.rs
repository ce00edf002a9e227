//! What a run shows as it goes on: its rows, above a progress bar on a terminal.

use anyhow::Result;
use columns_cli::mistake::tell;
use columns_cli::output::{forgive_closed_pipe, print_to_reader};
use columns_cli::progress;
use columns_judge::cases::Entry;
use columns_judge::row::Row;
use columns_judge::table::Table;
use indicatif::ProgressBar;
use std::cell::Cell;

/// Where the rows of a run are printed.
pub(super) struct Screen {
    table: Table,
    pub(super) bar: ProgressBar,
    to_stderr: bool,
    /// Whether the games are wanted even if nobody reads of them.
    goes_on: bool,
    /// Whether the header is shown.
    begun: Cell<bool>,
}

impl Screen {
    /// `columns` are shown besides the usual ones. The games are played to the end even if nobody
    /// reads of them, if the run `goes_on`.
    pub(super) fn new(cases: &[Entry], columns: &[String], to_stderr: bool, goes_on: bool) -> Self {
        let names = cases.iter().map(|entry| entry.name.as_str());
        let template = "{bar:40} {pos}/{len} games, {msg}, {eta} left";
        Self {
            table: Table::new(names, columns.to_vec()),
            bar: progress::bar(cases.len() as u64, template),
            to_stderr,
            goes_on,
            begun: Cell::default(),
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
    /// Why it cannot be shown. A reader that has gone is no reason where the games are wanted.
    pub(super) fn line(&self, line: &str) -> Result<()> {
        self.bar.suspend(|| {
            if self.to_stderr {
                tell(line);
                return Ok(());
            }
            let shown = print_to_reader(&format!("{line}\n"));
            if self.goes_on {
                forgive_closed_pipe(shown)
            } else {
                shown
            }
        })
    }
}

/// What the games so far come to, beside the progress bar.
pub(super) struct Progress {
    pub(super) bar: ProgressBar,
    /// Points, or relative scores where they are known.
    pub(super) sum: f64,
}

impl Progress {
    /// A game has ended.
    pub(super) fn advance(&mut self, row: &Row) {
        self.bar.inc(1);
        self.sum += row.relative.unwrap_or(row.game.score as f64);
        let mean = self.sum / self.bar.position() as f64;
        self.bar.set_message(match row.relative {
            Some(_) => format!("{mean:.2} % of the best"),
            None => format!("mean {mean:.1}"),
        });
    }
}
