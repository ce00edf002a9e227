//! Paired comparisons: two runs on the same cases.
//!
//! * [`Estimate`], [`wilcoxon`]: a mean with its confidence interval, and the signed-rank test;
//! * [`Pair`], [`Difference`]: the scores of two runs on a case, and their difference over many cases;
//! * [`unit`](mod@unit): the objective of a search, and the unit of the difference between two games;
//! * [`sequential`]: a test that may be checked after every pair;
//! * [`gate`]: the sequential test that a tuned result must pass, possibly several times in a run;
//! * [`candidate`]: a candidate of a comparison, and the answer about it;
//! * [`table`]: the comparison of two players by an objective, over all cases and by class;
//! * [`normal`]: normal random numbers that are the same on every machine.
//!
//! The judge and the tuner print these numbers, and the viewer's page shows them. The crate needs no operating system,
//! so it also compiles to WebAssembly.

pub mod candidate;
mod difference;
mod estimate;
pub mod gate;
pub mod normal;
pub mod sequential;
pub mod table;
pub mod unit;

pub use difference::{Difference, Pair, log_score};
pub use estimate::{Estimate, wilcoxon};
