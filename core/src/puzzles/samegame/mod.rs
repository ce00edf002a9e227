//! SameGame: remove groups of adjacent tiles of one colour.
//!
//! * [SameGame]: the playable game (seed statement "SameGame", section Background; its section
//!   SimpleSameGame is the same game on a board of one row);
//! * [`topcoder`]: TopCoder's fixed strategy and its score;
//! * [`Scoring`]: what a sequence of removals is worth, by several conventions;
//! * [`solver`]: good play by beam search, ranked by a hand-set evaluation;
//! * [`features`]: what a learned evaluation sees of a position;
//! * [`notation`]: boards as text.

mod board;
mod evaluation;
pub mod features;
pub mod notation;
mod planes;
mod scoring;
pub mod solver;
pub mod topcoder;

pub use board::{Cell, NotARectangle, SameGame, Tile};
pub use scoring::{Scoring, Tally};
