//! The strategy: a beam search over the placements of the columns.
//!
//! * [`search`]: the search for a plan, based on the beam search of `columns-core`;
//! * [`case`]: the size of the field and the columns, which do not change during a game;
//! * [`eval`]: the evaluation of a state: the weights, the potential, the patterns;
//! * [`learned`]: the part of the evaluation that a network has learned;
//! * [`observe`]: search observers, and explanations of moves;
//! * [`submission`]: the program for the contest.

pub mod case;
pub mod eval;
pub mod learned;
pub mod observe;
pub mod search;
pub mod submission;

pub use eval::weights::Weights;
pub use search::{Solution, solve};
