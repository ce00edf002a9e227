//! What stays the same through a whole game: the case, and the weights as the game needs them.

use crate::case::queue::PieceQueue;
use crate::case::shape::{Room, Shape};
use crate::eval::quotas::{ScaledQuota, QUOTAS};
use crate::eval::scaled::{Scaled, Value};
use crate::eval::weights::Weights;
use columns_core::beam::Scores;
use columns_core::rules::case::Case;

/// What stays the same through a whole game.
#[derive(Debug)]
pub struct Context<const W: usize> {
    /// The size of the field.
    pub shape: Shape<W>,
    /// The columns.
    pub queue: PieceQueue,
    /// The weights.
    pub(crate) scaled: Scaled,
    /// The quotas of the beam.
    quotas: [ScaledQuota; QUOTAS],
}

impl<const W: usize> Context<W> {
    /// The context of a case.
    pub fn new(case: &Case, weights: &Weights) -> Self {
        Self {
            shape: Shape::new(case.width(), case.height()),
            queue: PieceQueue::new(case),
            scaled: Scaled::new(case, weights),
            quotas: ScaledQuota::table(weights),
        }
    }

    /// The share of each quota after `placed` columns.
    pub fn shares(&self, placed: usize) -> [f64; QUOTAS] {
        let excess = self.queue.colour_excess[placed];
        self.quotas.map(|quota| quota.share(excess))
    }

    /// Computes the scores by which the states of a layer are compared, after `placed` columns,
    /// by the points that were paid, in matches, what is promised, and what the learned evaluation
    /// adds.
    #[inline(always)]
    pub(crate) fn scores(
        &self,
        placed: usize,
        points: u32,
        promised: Value,
        learned: Value,
        room: Room,
    ) -> Scores<QUOTAS> {
        let paid = Value::paid(points);
        if self.queue.over(placed) {
            return Scores {
                value: paid.0,
                quotas: [paid.0; QUOTAS],
            };
        }
        let excess = self.queue.colour_excess[placed];
        Scores {
            value: (paid + promised + learned).0,
            quotas: std::array::from_fn(|i| self.quotas[i].score(paid, promised, room, excess)),
        }
    }
}
