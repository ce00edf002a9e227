//! SameGame: remove groups of adjacent tiles of one colour.
//!
//! * [`Board`]: the board of a game (with a single row, the game is the variant SimpleSameGame);
//! * [`random_board`]: a random board, determined by its seed;
//! * [`topcoder`]: TopCoder's fixed strategy and its score;
//! * [`Scoring`]: the points of a game, by one of several conventions;
//! * [`solver`]: beam searches, followed by annealing;
//! * [`notation`]: boards as text.

mod board;
mod evaluation;
pub mod notation;
mod planes;
mod random;
mod scoring;
pub mod solver;
pub mod topcoder;

pub use board::{Board, Cell, Tile};
pub use random::random_board;
pub use scoring::{ScoredGame, Scoring};
