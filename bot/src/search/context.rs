//! What stays the same through a whole game.

use crate::eval::scaled::{Scaled, SCALE};
use crate::eval::shape::{Room, Shape};
use crate::eval::weights::Weights;
use crate::search::pieces::Coming;
use columns_core::beam::{Rank, RESERVES};
use columns_core::rules::case::Case;

/// What stays the same through a whole game.
#[derive(Debug)]
pub(crate) struct Context<const W: usize> {
    /// The size of the field.
    pub(crate) shape: Shape<W>,
    /// The columns.
    pub(crate) coming: Coming,
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
            coming: Coming::new(case),
            scaled: Scaled::new(case, weights),
            described,
        }
    }

    /// Puts the ways together by which a state competes after `placed` columns: `points` in
    /// matches, `rest` in [`SCALE`].
    #[inline(always)]
    pub(crate) fn rank(
        &self,
        placed: usize,
        points: u32,
        rest: i32,
        learned: i32,
        room: Room,
    ) -> Rank {
        let crowd = self.coming.crowd.get(placed).copied().unwrap_or(0);
        let cell = self.scaled.reserve_cell + crowd * self.scaled.reserve_cell_crowded;
        let points = points as i32 * SCALE;
        if self.coming.over(placed) {
            return Rank {
                value: points,
                reserves: [points; RESERVES],
            };
        }
        let safe = points - room.blocked * self.scaled.reserve_stack;
        let rest_of = |share| rest / SCALE * share;
        let reserve = safe + rest_of(self.scaled.reserve_rest) - room.occupied * cell;
        let refuge =
            safe + rest_of(self.scaled.refuge_rest) - room.occupied * self.scaled.refuge_cell;
        Rank {
            value: points + rest + learned,
            reserves: [reserve, refuge],
        }
    }
}
