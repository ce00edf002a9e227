//! A depth-first search in lexicographic order. It prunes only moves and fields that cannot lead to the
//! smallest solution.
//!
//! * A colour with one or two blocks left can never be cleared ([`Stacks::is_hopeless`]).
//! * The search skips a left move onto a block. The right move of that block results in the same field
//!   and comes first, so the smallest solution never contains the left move.
//! * The search remembers failures by field and number of moves left. Moves in different places often
//!   commute, so the search reaches many fields more than once.

use super::stacks::{HEIGHT, Move, Stacks, WIDTH};
use std::collections::HashSet;

/// Returns the lexicographically smallest solution of exactly `moves` moves, or `None` if there is none.
pub(super) fn solve(field: &Stacks, moves: usize) -> Option<Vec<Move>> {
    let mut search = Search {
        failed: vec![HashSet::default(); moves + 1],
        path: Vec::with_capacity(moves),
    };
    search.visit(field, moves).then_some(search.path)
}

struct Search {
    /// For each number of moves left, the fields that cannot be emptied in that many moves.
    failed: Vec<HashSet<Stacks>>,
    /// The moves from the initial field to the field that is being visited.
    path: Vec<Move>,
}

impl Search {
    /// True if `field` can be emptied in exactly `left` moves. If so, appends the moves to the path.
    fn visit(&mut self, field: &Stacks, left: usize) -> bool {
        if left == 0 {
            return field.is_empty();
        }
        // An empty field has no moves, so it cannot be emptied in `left` moves.
        if field.is_empty() || field.is_hopeless() || self.failed[left].contains(field) {
            return false;
        }
        for stack in 0..WIDTH {
            for row in 0..HEIGHT.min(field.stack_height(stack)) {
                for to_right in [true, false] {
                    let onto_block = stack > 0 && field.colour(stack - 1, row) != 0;
                    if !to_right && onto_block {
                        continue;
                    }
                    let step = Move {
                        stack,
                        row,
                        to_right,
                    };
                    let Some(next) = field.after_move(step) else {
                        continue;
                    };
                    self.path.push(step);
                    if self.visit(&next, left - 1) {
                        return true;
                    }
                    self.path.pop();
                }
            }
        }
        // Trying the last move again is cheaper than remembering that it failed.
        if left > 1 {
            self.failed[left].insert(*field);
        }
        false
    }
}
