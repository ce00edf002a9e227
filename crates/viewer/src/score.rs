//! Scores plans with the fast simulator.
//!
//! The referee needs up to 0.1 s per game, too much for a table of hundreds of games. Tests of the page
//! compare its scores with the referee's.

use crate::record::parse_valid_part;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart;
use columns_core::simulator::Simulator;
use serde::Serialize;

/// The result of playing a plan in the simulator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Score {
    /// Total points; 0 for an invalid plan.
    pub(crate) points: u64,
    /// The number of columns that landed.
    pub(crate) placed: usize,
    /// The number of placements in the plan, up to its first mistake. Later columns of a valid plan have
    /// default placements.
    pub(crate) planned: usize,
    /// The error message of an invalid plan.
    pub(crate) error: Option<String>,
    /// Quickstart's plan; `None` if the caller passed a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plan: Option<String>,
}

/// Scores a plan on a case. If `plan` is `None`, scores quickstart's plan.
pub(crate) fn score(case: &Case, plan: Option<&str>) -> Score {
    let (parsed, columns, error) = match plan {
        Some(text) => {
            let (plan, columns, error) = parse_valid_part(case, text);
            (Some(plan), columns, error)
        }
        None => (None, case.columns().len(), None),
    };
    let mut game = Simulator::new(case);
    let mut placements = Vec::new();
    while game.placed_columns() < columns {
        let placement = match &parsed {
            Some(plan) => plan.placement(game.placed_columns()),
            None => quickstart::next_placement(case.width(), |stack| game.stack_height(stack)),
        };
        if game.place(placement).is_err() {
            break;
        }
        placements.push(placement);
    }
    Score {
        points: if error.is_some() { 0 } else { game.points() },
        placed: placements.len(),
        planned: parsed.map_or(placements.len(), |plan| plan.placements.len()),
        error,
        plan: plan.is_none().then(|| Plan { placements }.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_plan_scores_nothing() {
        let case = "6 13\n2\naaa\naaa\n".parse().unwrap();
        let result = score(&case, Some("2\n1 0\n7 0\n"));
        assert_eq!((result.points, result.placed), (0, 1));
        let error = result.error.unwrap();
        assert!(error.starts_with("line 3: expected the position"));
    }
}
