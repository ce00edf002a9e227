//! Paired comparisons: two players on the same cases.
//!
//! * [`Pair`]: the two games of a case;
//! * [`Objective`]: what a comparison measures, with an estimate of the change;
//! * [`Estimate`]: a mean with its confidence interval;
//! * [`ComparisonTable`]: the results of two players, over all cases and by class;
//! * [`Candidate`]: a sequential test, which a caller may check after every pair;
//! * [`gate`]: the test that the result of a fit must pass, possibly several times in a run.
//!
//! The judge, the tuner and the viewer's page print these numbers. The crate needs no operating system, so it
//! also compiles to WebAssembly.

mod candidate;
mod estimate;
pub mod gate;
mod objective;
mod table;
#[cfg(test)]
mod tests;
mod wager;

pub use candidate::{Candidate, Question, Verdict, add_case};
pub use estimate::{Estimate, change_text, format_change, format_interval};
pub use objective::{Objective, Pair, PairPoints, log_ratio};
pub use table::{ComparisonRow, ComparisonTable};
