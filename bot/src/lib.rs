//! The strategy: a beam search over placements and shifts.
//!
//! * [`search`]: the game as the beam search of `columns-core` sees it, and how a case is played;
//! * [`case`]: what a case fixes for the whole game;
//! * [`eval`]: what a state is worth: the weights, the potential, the patterns;
//! * [`learned`]: what a network adds to that;
//! * [`observe`]: search observers, and explanations of moves;
//! * [`submission`]: the contest's program.

pub mod case;
pub mod eval;
pub mod learned;
pub mod observe;
pub mod search;
pub mod submission;
#[cfg(feature = "cli")]
pub mod weights_file;

pub use eval::weights::Weights;
pub use search::{solve, Solution};
