//! Lines: consecutive placements from a position of a game, with the points of each placement.
//!
//! The page merges lines into a graph of positions. A line of two placements from turn 7 on:
//!
//! ```text
//! turn: 7   positions: [p, q, r]   placements: [[3, 0], [5, 2]]   points: [0, 141]
//! ```

use columns_core::rules::case::Case;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simulator::Simulator;
use serde::Serialize;

/// Multiplier for Fibonacci hashing of the turn: 2⁶⁴ divided by the golden ratio.
const TURN_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Consecutive placements from a position.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Line {
    /// The index of the first placement's column.
    pub(crate) turn: usize,
    /// The position before each placement and after the last one. Equal numbers mean the same field at the
    /// same turn. A number has at most 53 bits, so that JavaScript stores it exactly.
    pub(crate) positions: Vec<u64>,
    /// The stack and the shift of each placement.
    pub(crate) placements: Vec<(usize, usize)>,
    /// The points that each placement scores.
    pub(crate) points: Vec<u64>,
}

impl Line {
    /// Plays the first `columns` columns of a plan, or fewer if one does not fit. Returns the line from
    /// `turn` on; `None` if the game is over before `turn`.
    pub(crate) fn trace(case: &Case, plan: &Plan, turn: usize, columns: usize) -> Option<Self> {
        let mut game = Simulator::new(case);
        for index in 0..turn {
            game.place(plan.placement(index)).ok()?;
        }
        let mut line = Self {
            turn,
            positions: vec![position(&game)],
            placements: Vec::new(),
            points: Vec::new(),
        };
        for index in turn..columns {
            let before = game.points();
            let placement = plan.placement(index);
            if game.place(placement).is_err() {
                break;
            }
            let Placement { stack, shift } = placement;
            line.placements.push((stack, shift));
            line.points.push(game.points() - before);
            line.positions.push(position(&game));
        }
        Some(line)
    }
}

/// Returns the number that identifies a position: a hash of its field and its turn.
fn position(game: &Simulator) -> u64 {
    (game.hash() ^ (game.placed_columns() as u64).wrapping_mul(TURN_FACTOR)) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::quickstart::play_quickstart;
    use columns_core::rules::replay;
    use columns_generator::{Spec, generate};

    #[test]
    fn a_line_has_the_points_and_positions_of_its_game() {
        let case = generate(5, &Spec::default().with_columns(80).unwrap());
        let plan = play_quickstart(&case);
        let game = Line::trace(&case, &plan, 0, 80).unwrap();
        assert_eq!(
            game.points.iter().sum::<u64>(),
            replay::score(&case, &plan).points
        );
        let end = Line::trace(&case, &plan, 30, 50).unwrap();
        assert_eq!(end.positions, game.positions[30..51]);
        assert_eq!(end.placements, game.placements[30..50]);
        // A position includes its turn, so all positions of a game differ, even those with equal fields.
        let mut positions = game.positions;
        positions.sort_unstable();
        positions.dedup();
        assert_eq!(positions.len(), 81);
        // A column that does not fit ends a line.
        let tower = Plan {
            placements: vec![Placement { stack: 0, shift: 0 }; 80],
        };
        let line = Line::trace(&case, &tower, 0, 80).unwrap();
        assert!(line.points.len() < 80 && line.positions.len() == line.points.len() + 1);
        assert_eq!(Line::trace(&case, &tower, 70, 80), None);
    }
}
