//! Parses plans. For an invalid plan, returns its longest valid prefix and the error.

use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;

/// A plan up to its first mistake, and the message about the mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedPlan {
    /// The placements; for an invalid plan, only the placements before the mistake.
    pub(crate) plan: Plan,
    /// The error message; `None` for a valid plan.
    pub(crate) error: Option<String>,
}

impl ParsedPlan {
    /// Parses a plan for a case up to the first mistake.
    pub(crate) fn new(text: &str, case: &Case) -> Self {
        let (plan, mistake) = Plan::parse_prefix(text, case.width(), case.columns().len());
        Self {
            plan,
            error: mistake.map(|mistake| mistake.to_string()),
        }
    }

    /// Returns the number of columns to play on a case of `columns` columns. An invalid plan is played up to
    /// its mistake. A valid plan is completed with default placements.
    pub(crate) fn columns_to_play(&self, columns: usize) -> usize {
        match self.error {
            None => columns,
            Some(_) => self.plan.placements.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_generator::SAMPLE;

    /// Each row has a plan, with `/` for a newline; the number of its valid placements; and the start of the
    /// message.
    const PLANS: &str = "
3/1 0/2 1/3 2/ | 3 |
3/1 0/7 1/3 2/ | 1 | line 3: expected the position of placement 2 of 3
3/1 0/2 1/3 x/ | 2 | line 4: expected the shifts of placement 3 of 3
3/1 0/2 1/ | 2 | line 3: expected the position of placement 3 of 3
3/1 0/2 | 1 | line 3: expected the shifts of placement 2 of 3
1/1 0/2 1/ | 1 | line 3: expected the end of the input
12/1 0/ | 0 | line 1: expected the number of placements, from 0 to 11
x | 0 | line 1: expected the number of placements
 | 0 | line 1: expected the number of placements
";

    #[test]
    fn a_plan_is_parsed_up_to_its_mistake() {
        let case = SAMPLE.parse().unwrap();
        for row in PLANS.trim_matches('\n').lines() {
            let [text, count, message] =
                [0, 1, 2].map(|part| row.split('|').nth(part).unwrap().trim());
            let ParsedPlan { plan, error } = ParsedPlan::new(&text.replace('/', "\n"), &case);
            assert_eq!(plan.placements.len().to_string(), count, "{row}");
            assert_eq!(error.is_none(), message.is_empty());
            assert!(error.unwrap_or_default().starts_with(message), "{row}");
        }
    }
}
