//! SameGame: remove groups of adjacent tiles of one colour.
//!
//! * [SameGame] and [SimpleSameGame]: the playable games (seed statement
//!   "SameGame", sections Background and SimpleSameGame);
//! * [`get_score`]: TopCoder's fixed strategy and its score;
//! * [`Scoring`]: what a sequence of removals is worth, by several conventions;
//! * [`solver`]: good play by beam search, ranked by an [`evaluation`];
//! * [`features`]: what a learned evaluation sees of a position;
//! * [`notation`]: boards as text.

mod board;
pub mod evaluation;
pub mod features;
pub mod notation;
mod planes;
mod scoring;
mod simple;
pub mod solver;
pub mod topcoder;

pub use board::{Cell, NotARectangle, SameGame, Tile};
pub use scoring::{Scoring, Tally};
pub use simple::SimpleSameGame;
pub use topcoder::get_score;
