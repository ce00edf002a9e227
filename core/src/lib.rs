//! The rules of the Columns Game and the modules that every room shares.
//!
//! * [`rules`]: cases, plans, and the rules as the statement words them;
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
pub mod text;
