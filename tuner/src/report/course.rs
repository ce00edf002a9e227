//! A run as its ledger records it, with the course of its search.

use crate::experiment::folder;
use crate::experiment::outcome::Outcome;
use crate::experiment::state::{Next, State};
use anyhow::Result;
use columns_stats::Estimate;
use std::path::Path;

/// A run as its ledger records it, whether it has ended or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The path of the folder, as the user gave it.
    pub name: String,
    /// The state of the run.
    pub state: State,
    /// The course of the search, a point for each generation.
    pub course: Vec<Point>,
    /// The verdict so far.
    pub verdict: String,
    /// True if a process is working on the run: the page then refreshes itself.
    pub is_live: bool,
}

/// The search after a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Games of the run.
    pub games: f64,
    /// The change of the score from the start to the average in percent, see [`State::recent`].
    pub recent: Estimate,
    /// The average, the value of each axis.
    pub average: Vec<f64>,
}

impl Report {
    /// Reads a run without changing its folder; another process may be working on it.
    ///
    /// # Errors
    /// One line with the file's name and what is missing or damaged in it.
    pub fn read(folder: &Path) -> Result<Self> {
        Ok(Self::new(folder, folder::read(folder)?, false))
    }

    pub(super) fn new(folder: &Path, state: State, is_live: bool) -> Self {
        let verdict = Outcome::new(&state).verdict;
        let has_ended = state.next(false) == Next::End;
        let generations = state.generations.iter().zip(&state.games_after).zip(1..);
        let course = generations.filter_map(|((generation, &games), count)| {
            Some(Point {
                games: games as f64,
                recent: state.recent(count)?,
                average: generation.average.clone(),
            })
        });
        Self {
            name: folder.display().to_string(),
            verdict: match state.looks.last() {
                _ if has_ended => verdict,
                Some(_) => format!("The run has not ended. So far: {verdict}"),
                None => "The run has not ended, and nothing is judged yet.".into(),
            },
            course: course.collect(),
            state,
            is_live,
        }
    }
}
