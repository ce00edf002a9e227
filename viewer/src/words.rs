//! Numbers, columns, placements and steps in words.

use columns_core::rules::case::Column;
use columns_core::rules::naive::Step;
use columns_core::rules::plan::Placement;
use columns_core::text::grouped;

/// `1 match`, `2,000 matches`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    let unit = if number == 1 { one } else { many };
    format!("{} {unit}", grouped(number as u64))
}

/// A column as letters, bottom to top, after `shift` shifts.
pub fn letters(column: Column, shift: usize) -> String {
    match column.shifted(shift) {
        Some(jewels) => jewels.iter().map(|colour| colour.letter()).collect(),
        None => column.to_string(),
    }
}

/// How a placement is told: positions count from 1, as in plans.
pub fn told(placement: Placement) -> String {
    let shifts = match placement.shift {
        0 => "no shift".to_string(),
        n => counted(n, "shift", "shifts"),
    };
    format!("position {}, {shifts}", placement.stack + 1)
}

/// How a step with matches is told: which it is of how many, and what it pays.
pub fn told_step(step: &Step, combo: usize, steps: usize) -> String {
    format!(
        "Step {combo} of {steps}: {}, combo {combo}: {} points.",
        counted(step.matches.len(), "match", "matches"),
        grouped(step.points)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let shown = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }
}
