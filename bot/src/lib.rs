//! The strategy: a beam search over placements and shifts.
//!
//! * [`search`]: the game as the beam search of `columns-core` sees it, and how a case is played;
//! * [`eval`]: what a state is worth: the weights, the potential, the patterns;
//! * [`learned`]: what a network adds to that;
//! * [`observe`]: who looks at a search, and why the bot likes what it likes;
//! * [`submission`]: the contest's program.

pub mod eval;
pub mod learned;
pub mod observe;
pub mod search;
pub mod submission;
#[cfg(feature = "cli")]
pub mod weights_file;

pub use eval::weights::Weights;
pub use search::{solve, Solution};
