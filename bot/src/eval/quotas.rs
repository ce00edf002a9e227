//! The quotas: parts of the beam that are filled by a score other than the value.
//!
//! An example with up to seven colours: the values and the quota scores of two states, in matches. The points
//! so far are `earned`, and the hand-set value of the field is `field`. A stack without room for a column is
//! blocked. The scores subtract a penalty for each blocked stack and for each jewel.
//!
//! ```text
//!                                              value    room                  survival
//! earned 10, field 100, 40 jewels, 2 blocked     110    10 + 60 - 40 - 4      10 + 20 - 40 - 160
//! earned 10, field  40, 10 jewels, 0 blocked      50    10 + 24 -  0 - 1      10 +  8 -  0 -  40
//!                                                       -> 26 against 33      -> -170 against -22
//! ```
//!
//! The first state has the higher value. Both quotas prefer the second state, since it has more room.

use crate::case::geometry::Occupancy;
use crate::case::queue::MAX_COLOUR_EXCESS;
use crate::eval::scaled::{Value, scale_weight};
use crate::eval::weights::Weights;
use columns_core::network::VALUE_SCALE;
use std::array;

/// A part of the beam, and the terms of its score. The score is the points, plus a share of the
/// hand-set value of the field, less penalties for occupied cells and blocked stacks.
///
/// `share` and `cell_penalty` depend on the number of colours. Their first number is the value for up to
/// seven colours. Ten colours or more add the second number, nine colours two thirds of it, eight a third.
///
/// `T` is `f64` for weights, or `i32` for integers in units of 1/[`VALUE_SCALE`]. With `i32`, the second
/// number of `cell_penalty` is already divided by 3.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota<T> {
    /// The share of the beam that the quota fills.
    share: [f64; 2],
    /// The factor applied to the hand-set value of the field.
    value_factor: T,
    /// The penalty for each occupied cell.
    cell_penalty: [T; 2],
    /// The penalty for each stack without room for a column.
    stack_penalty: T,
}

/// The quotas, computed from the weights. The beam fills them in this order: if the sum of the shares
/// exceeds 1, the last quotas get fewer places.
const QUOTA_TABLE: &[fn(&Weights) -> Quota<f64>] = &[
    // Room: states with a lot of empty space.
    |weights| Quota {
        share: [weights.room_share, weights.room_share_crowded],
        value_factor: weights.room_value_factor,
        cell_penalty: [weights.room_cell, weights.room_cell_crowded],
        stack_penalty: weights.room_stack,
    },
    // Survival: states that survive a mistake. Without them, the beam sometimes has only promising states
    // whose games end soon.
    |weights| Quota {
        share: [weights.survival_share, 0.0],
        value_factor: weights.survival_value_factor,
        cell_penalty: [weights.survival_cell, 0.0],
        stack_penalty: weights.room_stack,
    },
];

/// The number of quotas: room and survival.
pub const QUOTA_COUNT: usize = QUOTA_TABLE.len();

impl Quota<i32> {
    /// Computes all quotas from these weights.
    pub(crate) fn from_weights(weights: &Weights) -> [Self; QUOTA_COUNT] {
        array::from_fn(|row| {
            let quota = QUOTA_TABLE[row](weights);
            let [cell, crowded] = quota.cell_penalty;
            Self {
                share: quota.share,
                value_factor: scale_weight(quota.value_factor),
                cell_penalty: [
                    scale_weight(cell),
                    scale_weight(crowded / f64::from(MAX_COLOUR_EXCESS)),
                ],
                stack_penalty: scale_weight(quota.stack_penalty),
            }
        })
    }

    /// Returns the share of the beam for the given colour excess.
    pub(crate) fn share(&self, colour_excess: i32) -> f64 {
        let [share, crowded] = self.share;
        share + f64::from(colour_excess) / f64::from(MAX_COLOUR_EXCESS) * crowded
    }

    /// Computes the score of a state: the points, plus the hand-set value times its factor, less the
    /// penalties for blocked stacks and occupied cells.
    #[inline(always)]
    pub(crate) fn score(
        &self,
        earned: Value,
        field_value: Value,
        occupancy: Occupancy,
        colour_excess: i32,
    ) -> i32 {
        let cell = self.cell_penalty[0] + colour_excess * self.cell_penalty[1];
        let field_value = field_value.0 / VALUE_SCALE * self.value_factor;
        earned.0 + field_value
            - occupancy.blocked_stacks * self.stack_penalty
            - occupancy.occupied_cells * cell
    }
}
