//! What stays the same through a whole game.

use crate::eval::quotas::{ScaledQuota, QUOTAS};
use crate::eval::scaled::{Scaled, SCALE};
use crate::eval::shape::{Room, Shape};
use crate::eval::weights::Weights;
use crate::search::pieces::PieceQueue;
use columns_core::beam::Scores;
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
    /// The quotas of the beam.
    quotas: [ScaledQuota; QUOTAS],
}

impl<const W: usize> Context<W> {
    /// The context of a case.
    pub(crate) fn new(case: &Case, weights: &Weights) -> Self {
        Self {
            shape: Shape::new(case.width(), case.height()),
            queue: PieceQueue::new(case),
            scaled: Scaled::new(case, weights),
            quotas: ScaledQuota::table(weights),
        }
    }

    /// The share of each quota after `placed` columns.
    pub(crate) fn shares(&self, placed: usize) -> [f64; QUOTAS] {
        let excess = self.queue.colour_excess[placed];
        self.quotas.map(|quota| quota.share(excess))
    }

    /// Computes the scores by which the states of a layer are compared, after `placed` columns:
    /// `points` in matches, `rest` and `learned` in [`SCALE`].
    #[inline(always)]
    pub(crate) fn scores(
        &self,
        placed: usize,
        points: u32,
        rest: i32,
        learned: i32,
        room: Room,
    ) -> Scores<QUOTAS> {
        let paid = points as i32 * SCALE;
        if self.queue.over(placed) {
            return Scores {
                value: paid,
                quotas: [paid; QUOTAS],
            };
        }
        let excess = self.queue.colour_excess.get(placed).copied().unwrap_or(0);
        Scores {
            value: paid + rest + learned,
            quotas: std::array::from_fn(|i| self.quotas[i].score(paid, rest, room, excess)),
        }
    }
}
