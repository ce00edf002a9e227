//! Paired comparisons: two runs on the same cases.
//!
//! * [`Estimate`], [`wilcoxon`]: a mean with its confidence interval, and the signed-rank test;
//! * [`Pair`], [`Difference`]: the scores of two runs on a case, and their difference over many cases.
//!
//! The judge prints these numbers, and the page shows them. The crate needs no operating system, so it also compiles to
//! WebAssembly.

mod difference;
mod estimate;

pub use difference::{Difference, Pair, log_score};
pub use estimate::{Estimate, wilcoxon};
