//! Runs as a page: one HTML file that needs nothing else.
//!
//! * this file: a run, as its ledger tells it;
//! * `page`: one or several of them as a page; `plot`: the drawings on it.

mod page;
mod plot;

use crate::experiment::state::{recent, Next, State};
use crate::{
    experiment::config::Config, experiment::event::Generation, experiment::folder,
    experiment::outcome::Outcome,
};
use anyhow::Result;
use columns_stats::Estimate;
pub use page::html;
use std::path::Path;

/// A run as its ledger tells it, whether it has ended or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The folder, as it was given.
    pub name: String,
    /// The configuration.
    pub config: Config,
    /// What has happened so far.
    pub state: State,
    /// The course of the search, a point for each generation.
    pub course: Vec<Point>,
    /// What came of it so far.
    pub verdict: String,
}

/// Where the search was after a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Games of the run.
    pub games: f64,
    /// What the average scored against the start, in percent, see [`recent`].
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
        let (config, state) = folder::read(folder)?;
        let mut report = Self {
            name: folder.display().to_string(),
            verdict: Outcome::new(&config, &state, None)?.verdict,
            course: course(&state),
            config,
            state,
        };
        if !report.has_ended() {
            report.verdict = match report.state.looks.last() {
                Some(_) => format!("The run has not ended. So far: {}", report.verdict),
                None => "The run has not ended, and nothing is judged yet.".into(),
            };
        }
        Ok(report)
    }

    /// Whether the run has ended: there is nothing left to play.
    pub fn has_ended(&self) -> bool {
        self.state.next(&self.config, false) == Next::End
    }
}

/// The course of the search.
fn course(state: &State) -> Vec<Point> {
    let each = state.generations.iter().zip(&state.games_after).enumerate();
    let point = |(index, (generation, &games)): (usize, (&Generation, &u64))| {
        Some(Point {
            games: games as f64,
            recent: recent(&state.generations[..=index])?,
            average: generation.average.clone(),
        })
    };
    each.filter_map(point).collect()
}
