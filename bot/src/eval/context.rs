//! The context of a game: its case, and the weights in the form that the search needs.

use crate::case::geometry::{FieldGeometry, Occupancy};
use crate::case::queue::ColumnQueue;
use crate::eval::quotas::{QUOTA_COUNT, Quota};
use crate::eval::scaled::{ScaledWeights, Value};
use crate::eval::weights::Weights;
use columns_core::beam::Scores;
use columns_core::rules::case::Case;
use std::array;

/// The immutable context of a game, which all its states share.
#[cfg_attr(feature = "tools", derive(Debug))]
pub struct Context<const W: usize> {
    /// The size of the field, and sets of cells such as its lowest row.
    pub geometry: FieldGeometry<W>,
    /// The columns of the case, and the upcoming colours.
    pub queue: ColumnQueue,
    /// The weights as integers, for the size of this field.
    pub(crate) weights: ScaledWeights,
    /// The quotas of the beam, with their weights as integers.
    quotas: [Quota<i32>; QUOTA_COUNT],
}

impl<const W: usize> Context<W> {
    /// Creates the context for playing a case with these weights.
    pub fn new(case: &Case, weights: &Weights) -> Self {
        Self {
            geometry: FieldGeometry::new(case.width(), case.height()),
            queue: ColumnQueue::new(case),
            weights: ScaledWeights::new(case, weights),
            quotas: Quota::from_weights(weights),
        }
    }

    /// Returns the share of each quota after `placed` columns.
    pub fn quota_shares(&self, placed: usize) -> [f64; QUOTA_COUNT] {
        let excess = self.queue.colour_excess(placed);
        self.quotas.map(|quota| quota.share(excess))
    }

    /// Computes the scores by which a state after `placed` columns competes in its layer.
    ///
    /// `points` are the points so far, in matches. `promised` is the hand-set value of the field, and
    /// `learned` the network's value.
    #[inline(always)]
    pub(crate) fn scores(
        &self,
        placed: usize,
        points: u32,
        promised: Value,
        learned: Value,
        occupancy: Occupancy,
    ) -> Scores<QUOTA_COUNT> {
        let paid = Value::from_points(points);
        if self.queue.is_exhausted(placed) {
            return Scores {
                value: paid.0,
                quota_scores: [paid.0; QUOTA_COUNT],
            };
        }
        let excess = self.queue.colour_excess(placed);
        Scores {
            value: (paid + promised + learned).0,
            quota_scores: array::from_fn(|i| {
                self.quotas[i].score(paid, promised, occupancy, excess)
            }),
        }
    }
}
