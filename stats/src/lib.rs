//! Paired comparisons: two players on the same cases.
//!
//! * [`Estimate`], [`wilcoxon`]: a mean with its interval, and signed ranks;
//! * [`Pair`], [`Difference`]: the scores of both players on a case, and their difference over many cases.
//!
//! The judge prints these numbers and the page shows them. Nothing here needs an operating system.

mod difference;
mod estimate;

pub use difference::{log_score, Difference, Pair};
pub use estimate::{wilcoxon, Estimate};
