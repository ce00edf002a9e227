//! Game review: what each placement lost against the best line that a search finds.
//!
//! A position is worth the points so far and the points that the best known line pays until a fixed column. A
//! placement loses what the position is worth less after it:
//!
//! ```text
//!     before column 7: 940 so far, the search finds 1,410 more until column 60   -> worth 2,350
//!     after it:        987 so far, the search finds 1,034 more until column 60   -> worth 2,021, lost 329
//! ```
//!
//! The game itself is a known line as well, so a weak search never blames a strong game.

use crate::sight::player;
use columns_bot::observe::explain::advise;
use columns_bot::Weights;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Placement;
use columns_core::simd::Cpu;
use serde::Serialize;

/// The best line from a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its points until the last column.
    pub points: u64,
    /// Its first placement: stack and shifts. Absent where no line pays.
    pub first: Option<(usize, usize)>,
}

/// Searches for the best line from `start` until `until` columns have landed, building `nodes` states; `None` if
/// `start` cannot be played.
pub fn line(
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
    fn a_line_is_worth_what_it_pays() {
        // A level line of three a pays 47; its last column must go to position 3.
        let case: Case = "6 13\n3\nabc\nacb\nadd\n".parse().unwrap();
        let mut start = vec![(0, 0), (1, 0)];
        let placements = |start: &[(usize, usize)]| -> Vec<Placement> {
            let placement = |&(stack, shift)| Placement { stack, shift };
            start.iter().map(placement).collect()
        };
        let found = line(&case, &placements(&start), 3, 500, &|| 0.0).unwrap();
        assert_eq!((found.points, found.first), (47, Some((2, 0))));
        start.extend(found.first);
        let plan = Plan {
            placements: placements(&start),
        };
        assert_eq!(replay::score(&case, &plan).points, 47);
        // The last column at the wrong place loses all of it.
        start[2] = (5, 0);
        let after = line(&case, &placements(&start), 3, 500, &|| 0.0).unwrap();
        assert_eq!((after.points, after.first), (0, None));
    }
}
