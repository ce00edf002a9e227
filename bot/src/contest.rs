//! The contest: a case comes in, a plan goes out, in time.

use crate::eval::weights::Weights;
use crate::search::solve;
use columns_core::beam::{Budget, Clock};
use columns_core::rules::case::{Case, ParseError};
use columns_core::simd::Cpu;
use columns_core::text;

/// When the search ends, in seconds since the process started. The judge allows
/// 4; the rest is for starting, reading and writing on a busy machine. Lower this
/// where a judge's clock is stricter.
pub const SECONDS: f64 = 3.8;

/// What the contest binary answers to its input.
///
/// # Errors
/// What is wrong with the input.
pub fn answer(input: &[u8], budget: Budget, clock: Clock, cpu: Cpu) -> Result<String, ParseError> {
    let case: Case = text::decode(input)?.parse()?;
    let solution = solve(&case, &Weights::default(), budget, clock, cpu);
    Ok(solution.plan.to_string())
}
