//! The rules of the Columns Game, a fast simulator, and a generic beam search.
//!
//! A bot reads a [`Case`](rules::case::Case), plays it with a [`Simulator`](simulator::Simulator), and
//! prints a [`Plan`](rules::plan::Plan). `examples/greedy.rs` is one in 40 lines;
//! `examples/beam.rs` searches with [`beam::best_path`].
//!
//! * [`rules`]: cases, plans, and the rules as the statement words them;
//! * [`simulator`]: a game in play, for a case of any size: start here;
//! * [`field`]: the same rules on bit planes, fast;
//! * [`simd`]: what the processor offers for them;
//! * [`beam`]: a beam search that knows nothing of any game;
//! * [`network`]: a learned evaluation, of any game;
//! * [`puzzles`]: SameGame, Maya and Inc;
//! * [`text`]: reading texts whose mistakes are named by line.
//!
//! No dependencies, and nothing newer than Rust 1.75: the contest submission is
//! made from these sources and its judge's compiler is unknown.

// What the unit tests share with the tests of the folder `tests`.
#[cfg(test)]
extern crate self as columns_core;
#[cfg(test)]
#[path = "../tests/support/fields.rs"]
mod fields;
#[cfg(test)]
#[path = "../tests/support/isas.rs"]
mod isas;
#[cfg(test)]
#[path = "../tests/support/random.rs"]
mod random;

pub mod beam;
pub mod field;
pub mod network;
pub mod puzzles;
pub mod rules;
pub mod simd;
pub mod simulator;
pub mod text;
