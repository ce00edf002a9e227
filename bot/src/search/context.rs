//! What stays the same through a whole game.

use crate::eval::scaled::{Scaled, SCALE};
use crate::eval::shape::{Room, Shape};
use crate::eval::weights::Weights;
use crate::search::pieces::PieceQueue;
use columns_core::beam::{Scores, QUOTAS};
use columns_core::rules::case::Case;

/// What stays the same through a whole game.
#[derive(Debug)]
pub(crate) struct Context<const W: usize> {
    /// The size of the field.
    pub(crate) shape: Shape<W>,
    /// The columns.
    pub(crate) queue: PieceQueue,
    /// The weights.
    pub(crate) scaled: Scaled,
    /// Whether states are described for the learned evaluation.
    pub(crate) described: bool,
}

impl<const W: usize> Context<W> {
    /// The context of a case.
    pub(crate) fn new(case: &Case, weights: &Weights, described: bool) -> Self {
        Self {
            shape: Shape::new(case.width(), case.height()),
            queue: PieceQueue::new(case),
            scaled: Scaled::new(case, weights),
            described,
        }
    }

    /// Puts the ways together by which a state competes after `placed` columns: `points` in
    /// matches, `rest` in [`SCALE`].
    #[inline(always)]
    pub(crate) fn scores(
        &self,
        placed: usize,
        points: u32,
        rest: i32,
        learned: i32,
        room: Room,
    ) -> Scores {
        let colour_excess = self.queue.colour_excess.get(placed).copied().unwrap_or(0);
        let cell = self.scaled.reserve_cell + colour_excess * self.scaled.reserve_cell_crowded;
        let points = points as i32 * SCALE;
        if self.queue.over(placed) {
            return Scores {
                value: points,
                quotas: [points; QUOTAS],
            };
        }
        let safe = points - room.blocked * self.scaled.reserve_stack;
        let rest_of = |share| rest / SCALE * share;
        let reserve = safe + rest_of(self.scaled.reserve_rest) - room.occupied * cell;
        let refuge =
            safe + rest_of(self.scaled.refuge_rest) - room.occupied * self.scaled.refuge_cell;
        Scores {
            value: points + rest + learned,
            quotas: [reserve, refuge],
        }
    }
}
