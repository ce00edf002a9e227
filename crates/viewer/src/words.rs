//! Numbers, columns and placements as text.

use columns_core::rules::case::Column;
use columns_core::text::group_digits;

/// Formats a number with its unit: `1 match`, `2,000 matches`.
pub(crate) fn count_text(number: usize, one: &str, many: &str) -> String {
    let unit = if number == 1 { one } else { many };
    format!("{} {unit}", group_digits(number as u64))
}

/// Returns the letters of a column after `shift` shifts, bottom to top.
pub(crate) fn column_letters(column: Column, shift: usize) -> String {
    match column.shifted(shift) {
        Some(jewels) => jewels.iter().map(|colour| colour.letter()).collect(),
        None => column.to_string(),
    }
}

/// Formats a placement: `position 3, 2 shifts`. Positions are numbered from 1, as in plans.
pub(crate) fn placement_text(stack: usize, shift: usize) -> String {
    let shifts = match shift {
        0 => "no shift".to_string(),
        n => count_text(n, "shift", "shifts"),
    };
    format!("position {}, {shifts}", stack + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        let texts = [0, 999, 1000, 1_234_567].map(group_digits);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
