//! The statement's sample solution (section Quickstart), the baseline for the scores in reports.

use crate::rules::case::Case;
use crate::rules::plan::{Placement, Plan};
use crate::rules::replay::Referee;

/// Returns the plan that places every column, unshifted, on the lowest stack, the leftmost on a tie.
///
/// The plan ends with the last column that fits. More placements would not change the score: even the
/// lowest stack is then too high, so the default placement ends the game.
pub fn play_quickstart(case: &Case) -> Plan {
    let mut game = Referee::new(case);
    let mut plan = Plan::default();
    loop {
        let placement = next_placement(case.width(), |stack| game.field().stack_height(stack));
        if game.play(placement).is_err() {
            return plan;
        }
        plan.placements.push(placement);
    }
}

/// Returns the placement that [`play_quickstart`] chooses on a field of `width` stacks. `height` returns the
/// height of a stack.
pub fn next_placement<H: Ord>(width: usize, height: impl Fn(usize) -> H) -> Placement {
    let stack = (0..width).min_by_key(|&stack| height(stack));
    Placement {
        stack: stack.unwrap_or_default(),
        shift: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::replay::{self, tests::SAMPLE};

    #[test]
    fn it_prints_the_sample_output() {
        let case = SAMPLE.parse().unwrap();
        let positions = [1, 2, 3, 3, 4, 5, 6, 6, 1, 2, 3];
        let expected: String = positions.iter().map(|p| format!("{p} 0\n")).collect();
        assert_eq!(
            play_quickstart(&case).to_string(),
            format!("11\n{expected}")
        );
    }

    #[test]
    fn it_stops_when_nothing_fits_any_more() {
        // Letters in the order of the alphabet never match on this field: the
        // letters of neighbouring cells are 1 to 19 places apart, never 26.
        // Four columns fit into a stack of 13 cells, so 24 fit into six stacks.
        let letters: Vec<char> = (0..90).map(|i| (b'a' + i % 26) as char).collect();
        let columns: Vec<String> = letters.chunks(3).map(String::from_iter).collect();
        let case: Case = format!("6 13\n30\n{}", columns.join("\n")).parse().unwrap();
        let plan = play_quickstart(&case);
        assert_eq!(plan.placements.len(), 24);
        let outcome = replay::score(&case, &plan);
        assert_eq!((outcome.placed_columns, outcome.points), (24, 0));
        assert!(outcome.ended_early);
    }
}
