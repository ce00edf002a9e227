//! Game review: the loss of each placement against the best line that a search finds.
//!
//! The value of a position is its points so far plus the points of the best known line until a
//! fixed column. The loss of a placement is the decrease of this value:
//!
//! ```text
//!     before column 7: 940 so far, the search finds 1,410 more until column 60 -> value 2,350
//!     after it:        987 so far, the search finds 1,034 more until column 60 -> value 2,021, loss 329
//! ```
//!
//! The game itself counts as a known line, so a weak search cannot report losses in a stronger
//! game.

use crate::evaluation::player;
use columns_bot::Weights;
use columns_bot::observe::explain::advise;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Placement;
use columns_core::simd::Cpu;
use serde::Serialize;

/// The best line from a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Line {
    /// Points of the line until the fixed column.
    pub(crate) points: u64,
    /// The first placement: stack and shift. Absent if no line scores.
    pub(crate) first: Option<(usize, usize)>,
}

/// Searches for the best line from `start` until `until` columns have landed, with a budget of
/// `nodes` states. Returns `None` if `start` cannot be played.
pub(crate) fn line(
    case: &Case,
    start: &[Placement],
    until: usize,
    nodes: u64,
    clock: &dyn Fn() -> f64,
) -> Option<Line> {
    let ahead = until.saturating_sub(start.len());
    let weights = Weights::default();
    let (budget, cpu) = (Budget::Nodes(nodes.max(1)), Cpu::detect());
    let (_, advice) = advise(case, start, ahead, player(&weights), budget, clock, cpu)?;
    Some(Line {
        points: advice.points,
        first: advice.placements.first().map(|p| (p.stack, p.shift)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::plan::Plan;
    use columns_core::rules::replay;

    #[test]
    fn a_line_scores_its_points_in_a_game() {
        // A horizontal line of three `a` scores 47; the last column must land on position 3.
        let case: Case = "6 13\n3\nabc\nacb\nadd\n".parse().unwrap();
        let mut start = vec![(0, 0), (1, 0)];
        let placements = |start: &[(usize, usize)]| -> Vec<Placement> {
            let placement = |&(stack, shift)| Placement { stack, shift };
            start.iter().map(placement).collect()
        };
        let best = line(&case, &placements(&start), 3, 500, &|| 0.0).unwrap();
        assert_eq!((best.points, best.first), (47, Some((2, 0))));
        start.extend(best.first);
        let plan = Plan {
            placements: placements(&start),
        };
        assert_eq!(replay::score(&case, &plan).points, 47);
        // On another stack the last column scores nothing.
        start[2] = (5, 0);
        let after = line(&case, &placements(&start), 3, 500, &|| 0.0).unwrap();
        assert_eq!((after.points, after.first), (0, None));
    }
}
