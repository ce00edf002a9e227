//! The options and the results of the solver.

use crate::samegame::board::Cell;
use crate::samegame::scoring::Scoring;

/// The maximum number of columns or rows of a board that the solver accepts.
pub const MAX_SIDE: usize = 64;

/// The limit of a search, for all phases together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Number of seconds from the call to the end of the search.
    Seconds(f64),
    /// Approximate number of positions built. Annealing counts four changed games as one position. The result
    /// does not depend on the machine.
    Nodes(u64),
}

/// The options of [`solve`](super::solve) and [`improve`](super::improve).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How games are scored. The search maximises this score.
    pub scoring: Scoring,
    /// The limit on time or on positions.
    pub limit: Limit,
    /// Seed of the noise and of annealing. Searches that differ only in their seeds usually find different
    /// games.
    pub seed: u64,
}

impl Options {
    /// Creates options with a limit of one second and seed 1.
    pub fn new(scoring: Scoring) -> Self {
        Self {
            scoring,
            limit: Limit::Seconds(1.0),
            seed: 1,
        }
    }
}

/// The best game that a search found, and statistics of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The moves. Each is a cell of the group to remove, on the board before that move.
    pub moves: Vec<Cell>,
    /// Number of positions built. Annealing counts four changed games as one position.
    pub nodes: u64,
    /// Number of children ranked.
    pub children: u64,
    /// True if the search was exhaustive, so no game is better.
    pub is_optimal: bool,
}
