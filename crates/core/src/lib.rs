//! The rules of the Columns Game, a fast simulator, and a generic beam search.
//!
//! A bot reads a [`Case`](rules::case::Case), plays it with a [`Simulator`](simulator::Simulator),
//! and prints a [`Plan`](rules::plan::Plan). This bot places each column where it scores most:
//!
//! ```no_run
//! use columns_core::rules::case::Case;
//! use columns_core::rules::plan::{Placement, Plan};
//! use columns_core::simulator::Simulator;
//!
//! let case: Case = std::io::read_to_string(std::io::stdin())?.parse()?;
//! let mut game = Simulator::new(&case);
//! let mut plan = Plan::default();
//! loop {
//!     let stacks = 0..case.width();
//!     let placements = stacks.flat_map(|stack| (0..3).map(move |shift| Placement { stack, shift }));
//!     let after = placements.filter_map(|placement| {
//!         let mut after = game;
//!         after.place(placement).ok()?;
//!         Some((after, placement))
//!     });
//!     let Some((after, placement)) = after.max_by_key(|(after, _)| after.points()) else {
//!         break;
//!     };
//!     plan.placements.push(placement);
//!     game = after;
//! }
//! print!("{plan}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/greedy.rs` looks two columns ahead; `examples/beam.rs` searches with
//! [`beam::find_best_path`]. README.md shows how to run these two bots, and what they score.
//!
//! * [`rules`]: cases, plans, and the rules as the statement words them;
//! * [`simulator`]: a game in progress, for a case of any size;
//! * [`field`]: a fast implementation of the rules, on bit planes;
//! * [`simd`]: instruction sets, and the choice between them at run time;
//! * [`beam`]: a beam search for any game; implement [`beam::Position`] for yours;
//! * [`network`]: a learned evaluation for any game;
//! * [`text`]: parsing with error messages that name the line.
//!
//! The crate has no dependencies and compiles with Rust 1.75: the contest submission is made from
//! these sources, and the version of the contest's compiler is unknown.

// Helpers that the unit tests share with the tests in the folder `tests`.
#[cfg(test)]
extern crate self as columns_core;
#[cfg(test)]
#[path = "../tests/support/fields.rs"]
mod fields;
#[cfg(test)]
#[path = "../tests/support/isas.rs"]
mod isas;
#[cfg(test)]
#[path = "../tests/support/parse_errors.rs"]
mod parse_errors;
#[cfg(test)]
#[path = "../tests/support/random.rs"]
mod random;

pub mod beam;
pub mod field;
pub mod network;
pub mod rules;
pub mod simd;
pub mod simulator;
pub mod text;
