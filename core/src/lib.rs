//! The rules of the Columns Game and the modules that every room shares.
//!
//! * [`case`], [`plan`]: what a judge hands out and what a bot answers;
//! * [`notation`]: fields as text, for tests, logs and the page;
//! * [`naive`]: the rules as the statement words them, slow and checkable by eye;
//! * [`field`]: the same rules on bit planes, fast, of sets of cells ([`mask`]);
//! * [`isa`]: what the processor offers for them;
//! * [`lines`]: where one more jewel would complete a line;
//! * [`game`]: a plan played on a case, frame by frame;
//! * [`quickstart`]: the statement's sample solution, the baseline;
//! * [`beam`]: a beam search that knows nothing of any game;
//! * [`network`]: a learned evaluation, of any game;
//! * [`puzzles`]: SameGame, Maya and Inc.
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
pub mod case;
pub mod field;
pub mod game;
pub mod isa;
pub mod lines;
pub mod mask;
pub mod naive;
pub mod network;
pub mod notation;
pub mod plan;
pub mod puzzles;
pub mod quickstart;
pub mod text;
