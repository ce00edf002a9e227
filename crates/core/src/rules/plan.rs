//! Plans. A plan is a bot's answer to a case: the placements of the columns.

use crate::text::Tokens;
use std::fmt;

pub use crate::text::ParseError;

/// The choice for one column: its stack, and the number of shifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The stack that the column falls onto, 0 for the leftmost. (The text form counts positions
    /// from 1.)
    pub stack: usize,
    /// The number of cyclic shifts before the column falls, 0 to 2.
    pub shift: usize,
}

impl Placement {
    /// The placement of columns that a plan does not mention: position 1, no shift (statement,
    /// section Scoring).
    pub const DEFAULT: Self = Self { stack: 0, shift: 0 };
}

/// The placements of the first columns of a case. Each further column gets [`Placement::DEFAULT`].
///
/// `Display` writes the statement's output format, and [`Plan::parse`] reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The placements, in the order in which the columns fall.
    pub placements: Vec<Placement>,
}

impl Plan {
    /// Reads a plan for a case of `columns` columns on a field of `width` stacks.
    ///
    /// # Errors
    /// Returns an error if the plan is invalid and so scores 0: there are more placements than columns,
    /// a position or shift is out of range, or a token is missing, superfluous or not a number.
    pub fn parse(text: &str, width: usize, columns: usize) -> Result<Self, ParseError> {
        let (plan, error) = Self::parse_prefix(text, width, columns);
        error.map_or(Ok(plan), Err)
    }

    /// Reads a plan like [`parse`](Self::parse). If the plan is invalid, returns the placements before the
    /// first mistake, and the error.
    pub fn parse_prefix(text: &str, width: usize, columns: usize) -> (Self, Option<ParseError>) {
        let mut plan = Self::default();
        let error = plan.read(text, width, columns).err();
        (plan, error)
    }

    /// Appends the placements of a text up to the first mistake, and returns the error for it.
    fn read(&mut self, text: &str, width: usize, columns: usize) -> Result<(), ParseError> {
        let mut tokens = Tokens::new(text);
        let t = tokens.next_number("the number of placements,", 0..=columns)?;
        self.placements.reserve(t);
        for i in 1..=t {
            let position = format_args!("the position of placement {i} of {t},");
            let stack = tokens.next_number(position, 1..=width)? - 1;
            let shifts = format_args!("the shifts of placement {i} of {t},");
            let shift = tokens.next_number(shifts, 0..=2)?;
            self.placements.push(Placement { stack, shift });
        }
        tokens.expect_end()
    }

    /// Returns the placement of column `index`, counted from 0, or [`Placement::DEFAULT`] if the
    /// plan does not mention this column.
    pub fn placement(&self, index: usize) -> Placement {
        self.placements
            .get(index)
            .copied()
            .unwrap_or(Placement::DEFAULT)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.placements.len())?;
        self.placements
            .iter()
            .try_for_each(|p| writeln!(f, "{} {}", p.stack + 1, p.shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    #[test]
    fn a_plan_reads_and_writes_the_same_bytes() {
        let text = "2\n1 0\n6 2\n";
        let plan = Plan::parse(text, 6, 3).unwrap();
        assert_eq!(plan.placements[1], Placement { stack: 5, shift: 2 });
        assert_eq!(plan.placement(2), Placement::DEFAULT);
        assert_eq!(plan.to_string(), text);
        assert_eq!(Plan::parse("0", 6, 3).unwrap(), Plan::default());
    }

    const INVALID_PLANS: &str = r#"
| line 1: expected the number of placements, from 0 to 3, found nothing
4/ | line 1: expected the number of placements, from 0 to 3, found "4"
-1/ | line 1: expected the number of placements, from 0 to 3, found "-1"
+1/1 0/ | line 1: expected the number of placements, from 0 to 3, found "+1"
1/+1 0/ | line 2: expected the position of placement 1 of 1, from 1 to 6, found "+1"
1/0 0/ | line 2: expected the position of placement 1 of 1, from 1 to 6, found "0"
1/7 0/ | line 2: expected the position of placement 1 of 1, from 1 to 6, found "7"
1/1 3/ | line 2: expected the shifts of placement 1 of 1, from 0 to 2, found "3"
1/x 0/ | line 2: expected the position of placement 1 of 1, from 1 to 6, found "x"
2/1 0/1/ | line 3: expected the shifts of placement 2 of 2, from 0 to 2, found nothing
1/1 0/1 0/ | line 3: expected the end of the input, found "1"
"#;

    #[test]
    fn the_prefix_of_an_invalid_plan_ends_before_its_mistake() {
        for (text, placements) in [
            ("3\n1 0\n7 1\n3 2\n", 1),
            ("3\n1 0\n2 1\n3 x\n", 2),
            ("3\n1 0\n2\n", 1),
            ("1\n1 0\n2 1\n", 1),
            ("4\n1 0\n", 0),
        ] {
            let (plan, error) = Plan::parse_prefix(text, 6, 3);
            assert!(error.is_some(), "{text}");
            assert_eq!(plan.placements.len(), placements, "{text}");
        }
    }

    #[test]
    fn every_kind_of_invalid_plan_is_named() {
        check_parse_errors(INVALID_PLANS, |text| Plan::parse(text, 6, 3));
    }
}
