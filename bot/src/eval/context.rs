//! The context of a game: its case, and the weights in the form that the search needs.

use crate::case::geometry::{FieldGeometry, Occupancy};
use crate::case::queue::ColumnQueue;
use crate::eval::quotas::{QUOTA_COUNT, Quota};
use crate::eval::scaled::{ScaledWeights, Value};
use crate::eval::weights::Weights;
use columns_core::beam::Scores;
use columns_core::rules::case::Case;
use std::array;

/// The immutable data that all states of a game share.
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

    /// Returns the share of each quota after `placed_columns` columns.
    pub fn quota_shares(&self, placed_columns: usize) -> [f64; QUOTA_COUNT] {
        let colour_excess = self.queue.colour_excess(placed_columns);
        self.quotas.map(|quota| quota.share(colour_excess))
    }

    /// Computes the scores by which a state after `placed_columns` columns competes in its layer.
    ///
    /// `points` are the points so far, in matches. `field_value` is the hand-set value of the field, and
    /// `learned_value` the network's value.
    #[inline(always)]
    pub(crate) fn scores(
        &self,
        placed_columns: usize,
        points: u32,
        field_value: Value,
        learned_value: Value,
        occupancy: Occupancy,
    ) -> Scores<QUOTA_COUNT> {
        let earned = Value::from_points(points);
        if self.queue.is_exhausted(placed_columns) {
            return Scores {
                value: earned.0,
                quota_scores: [earned.0; QUOTA_COUNT],
            };
        }
        let colour_excess = self.queue.colour_excess(placed_columns);
        Scores {
            value: (earned + field_value + learned_value).0,
            quota_scores: array::from_fn(|i| {
                self.quotas[i].score(earned, field_value, occupancy, colour_excess)
            }),
        }
    }
}
