//! The quotas: parts of the beam that are filled by another score than the value.

use crate::case::queue::MAX_EXCESS;
use crate::case::shape::Room;
use crate::eval::scaled::{scale, Value};
use crate::eval::weights::Weights;
use columns_core::network::SCALE;

/// A part of the beam, and the score that it is filled by: points, less what the field lacks in
/// room. A pair holds what counts with up to seven colours, and what is added with ten and more.
struct Quota {
    /// Its share of the beam.
    share: [f64; 2],
    /// Worth of what is not points (a fraction).
    rest: f64,
    /// Price of an occupied cell.
    cell: [f64; 2],
    /// Price of a stack that can take no column.
    stack: f64,
}

/// The table: a row for each quota. Fitted numbers are fields of [`Weights`]. Quotas are served in
/// this order: where the shares exceed 1 together, the last ones get fewer places.
const TABLE: &[fn(&Weights) -> Quota] = &[
    // Room: states that leave some.
    |weights| Quota {
        share: [weights.reserve_share, weights.reserve_share_crowded],
        rest: weights.reserve_rest,
        cell: [weights.reserve_cell, weights.reserve_cell_crowded],
        stack: weights.reserve_stack,
    },
    // Survival: states that outlive a mistake. Without them a beam now and then is full of states
    // that promise much and die together.
    |weights| Quota {
        share: [weights.refuge_share, 0.0],
        rest: weights.refuge_rest,
        cell: [weights.refuge_cell, 0.0],
        stack: weights.reserve_stack,
    },
];

/// The number of quotas.
pub const QUOTAS: usize = TABLE.len();

/// A row of the table, its prices in [`SCALE`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScaledQuota {
    share: [f64; 2],
    rest: i32,
    cell: [i32; 2],
    stack: i32,
}

impl ScaledQuota {
    /// The table with these weights.
    pub(crate) fn table(weights: &Weights) -> [Self; QUOTAS] {
        std::array::from_fn(|row| {
            let quota = TABLE[row](weights);
            let [cell, crowded] = quota.cell;
            Self {
                share: quota.share,
                rest: scale(quota.rest),
                cell: [scale(cell), scale(crowded / f64::from(MAX_EXCESS))],
                stack: scale(quota.stack),
            }
        })
    }

    /// Its share of the beam, with this excess of colours.
    pub(crate) fn share(&self, excess: i32) -> f64 {
        let [share, crowded] = self.share;
        share + f64::from(excess) / f64::from(MAX_EXCESS) * crowded
    }

    /// The score of a state by what was paid and what is promised.
    #[inline(always)]
    pub(crate) fn score(&self, paid: Value, promised: Value, room: Room, excess: i32) -> i32 {
        let cell = self.cell[0] + excess * self.cell[1];
        let promised = promised.0 / SCALE * self.rest;
        paid.0 + promised - room.blocked * self.stack - room.occupied * cell
    }
}
