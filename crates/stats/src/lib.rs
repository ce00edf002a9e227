//! Paired comparisons: two players on the same cases.
//!
//! * [`Pair`]: the two games of a case;
//! * [`Objective`]: what a comparison measures, and the one estimator of the change;
//! * [`Table`]: the results of two players, over all cases and by class;
//! * [`Candidate`], [`Candidates`]: sequential tests, which a caller may check after every pair;
//! * [`gate`]: the test that the result of a fit must pass, possibly several times in a run;
//! * [`Estimate`], [`wilcoxon`]: a mean with its confidence interval, and the signed-rank test;
//! * [`normal`]: normal random numbers that are the same on every machine.
//!
//! The judge, the tuner and the viewer's page print these numbers. The crate needs no operating system, so it also
//! compiles to WebAssembly.

mod candidate;
mod estimate;
pub mod gate;
pub mod normal;
mod objective;
mod sequential;
mod table;
#[cfg(test)]
mod tests;

pub use candidate::{Answer, Candidate, Candidates, Question};
pub use estimate::{Estimate, wilcoxon};
pub use objective::{Objective, Pair, log_score};
pub use table::{Row, Table, failed_games};
