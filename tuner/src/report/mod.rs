//! Runs as a page: one HTML file that needs nothing else.
//!
//! * this file: a run as its ledger records it;
//! * `page`: one or several of them as a page; `plot`: the drawings on it.

mod page;
mod plot;

use crate::experiment::folder::{self, PAGE};
use crate::experiment::outcome::Outcome;
use crate::experiment::state::{Next, State};
use anyhow::{Context, Result};
use columns_cli::file;
use columns_stats::Estimate;
pub use page::html;
use std::path::Path;

/// A run as its ledger records it, whether it has ended or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The folder, as it was given.
    pub name: String,
    /// What has happened so far.
    pub state: State,
    /// The course of the search, a point for each generation.
    pub course: Vec<Point>,
    /// The outcome so far.
    pub verdict: String,
    /// Whether a process is working on the run: then the page refreshes itself.
    pub is_live: bool,
}

/// Where the search was after a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Games of the run.
    pub games: f64,
    /// What the average scored against the start, in percent, see [`State::recent`].
    pub recent: Estimate,
    /// The average, a value for each axis.
    pub average: Vec<f64>,
}

impl Report {
    /// Reads a run. The folder stays as it is, and may belong to a process that works on it.
    ///
    /// # Errors
    /// One line with the file and the line in it: what is missing or damaged.
    pub fn read(folder: &Path) -> Result<Self> {
        Ok(Self::of(folder, &folder::read(folder)?, false))
    }

    fn of(folder: &Path, state: &State, is_live: bool) -> Self {
        let verdict = Outcome::new(state).verdict;
        let has_ended = state.next(false) == Next::End;
        Self {
            name: folder.display().to_string(),
            verdict: match state.looks.last() {
                _ if has_ended => verdict,
                Some(_) => format!("The run has not ended. So far: {verdict}"),
                None => "The run has not ended, and nothing is judged yet.".into(),
            },
            course: course(state),
            state: state.clone(),
            is_live,
        }
    }
}

/// Writes the page of a run into its folder.
///
/// # Errors
/// The file's name and why it cannot be written.
pub fn write(folder: &Path, state: &State, is_live: bool) -> Result<()> {
    let path = folder.join(PAGE);
    let page = html(&[Report::of(folder, state, is_live)]);
    let name = || format!("{}: cannot be written", path.display());
    file::replace(&path, page.as_bytes()).with_context(name)
}

/// The course of the search.
fn course(state: &State) -> Vec<Point> {
    let each = state.generations.iter().zip(&state.games_after).zip(1..);
    each.filter_map(|((generation, &games), count)| {
        Some(Point {
            games: games as f64,
            recent: state.recent(count)?,
            average: generation.average.clone(),
        })
    })
    .collect()
}
