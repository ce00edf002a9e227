//! What the solver is asked, and what it answers.

use crate::network;
use crate::puzzles::samegame::board::Cell;
use crate::puzzles::samegame::evaluation::HandSet;
use crate::puzzles::samegame::features::{Features, Network};
use crate::puzzles::samegame::scoring::Scoring;
use std::fmt;

/// The largest board: columns and rows.
pub const MAX_SIDE: usize = 64;

/// A board that the solver has no representation for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height } = self;
        write!(
            f,
            "the solver takes boards of up to {MAX_SIDE} × {MAX_SIDE}, this one is {width} × {height}"
        )
    }
}

impl std::error::Error for TooLarge {}

/// What a search may spend, all phases together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Seconds from the call on.
    Time(f64),
    /// Positions built. The outcome does not depend on the machine.
    Nodes(u64),
    /// One beam from the start, with so many positions in every layer.
    Width(usize),
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options<'a> {
    /// What a game is worth.
    pub scoring: Scoring,
    /// When to stop.
    pub limit: Limit,
    /// The greatest amount that the rank of a position is changed by, in points.
    pub noise: f64,
    /// Draws the noise. Searches that differ only in it find different games.
    pub seed: u64,
    /// A learned evaluation; boards of more than
    /// [`COLOURS`](crate::puzzles::samegame::features::COLOURS) colours are played without it.
    pub network: Option<&'a Network>,
}

impl Options<'_> {
    /// A second of search for a scoring.
    pub fn new(scoring: Scoring) -> Self {
        Self {
            scoring,
            limit: Limit::Time(1.0),
            noise: NOISE * HandSet::scale(scoring),
            seed: 1,
            network: None,
        }
    }
}

/// How much noise is good, in points of js-games' scoring.
const NOISE: f64 = 140.0;

/// A game that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Which tiles to remove, each a cell of the board as it then is.
    pub moves: Vec<Cell>,
    /// Positions built.
    pub nodes: u64,
    /// Children ranked.
    pub candidates: u64,
    /// Whether the search has seen every game, so that none is better.
    pub optimal: bool,
}

/// An observer of the positions of a search.
pub trait Observer {
    /// All positions of a layer that were evaluated. The first call tells of the root.
    fn evaluated(&mut self, layer: usize, positions: Vec<Described>);
    /// The hashes of those that survived, best first.
    fn survived(&mut self, layer: usize, hashes: Vec<u64>);
    /// After the search: the positions of the best game, each with its layer.
    fn best(&mut self, positions: Vec<(usize, Described)>);
}

/// What an [`Observer`] is told of a position. Its values are in 1/[`SCALE`](network::SCALE) of
/// [`POINTS`](crate::puzzles::samegame::features::POINTS).
pub type Described = network::Described<Features>;
