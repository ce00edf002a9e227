//! What a bot's output is worth on a case.

use anyhow::{bail, Result};
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::replay::{self, Outcome};
use columns_core::text;

/// Most bytes of output that are read. The longest plan has 60 KB; whatever is longer than this is
/// none.
pub const OUTPUT_LIMIT: u64 = 1 << 20;

/// Reads the plan in `output`.
///
/// # Errors
/// Why the plan is invalid and so scores 0: the line, and what was expected there.
pub fn plan(case: &Case, output: &[u8]) -> Result<Plan> {
    if output.len() as u64 >= OUTPUT_LIMIT {
        bail!("expected a plan, found {OUTPUT_LIMIT} bytes or more");
    }
    let text = text::decode(output)?;
    Ok(Plan::parse(text, case.width(), case.columns().len())?)
}

/// Plays the plan in `output`.
///
/// # Errors
/// Those of [`plan`].
pub fn judge(case: &Case, output: &[u8]) -> Result<Outcome> {
    Ok(replay::score(case, &plan(case, output)?))
}
