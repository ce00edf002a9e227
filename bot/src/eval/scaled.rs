//! The weights as integers.

use crate::eval::weights::Weights;
use crate::search::pieces::MAX_EXCESS;
use columns_core::field::Chain;
use columns_core::rules::case::Case;

/// Values are integers, in 1/256 of a match of the first step, so that they are the same on every
/// machine.
pub(crate) const SCALE: i32 = 256;

/// The fewest cells of a large field.
const LARGE: usize = 150;

/// [`Weights`] as integers, in [`SCALE`]; the shares of the beam as they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scaled {
    /// See [`Weights::potential`].
    pub(crate) potential: i32,
    /// See [`Weights::steps`]; those of large fields are added.
    pub(crate) steps: i32,
    /// See [`Weights::spot`].
    pub(crate) spot: i32,
    /// See [`Weights::second_spot`].
    pub(crate) second_spot: i32,
    /// See [`Weights::completion`].
    pub(crate) completion: i32,
    /// See [`Weights::placeable`].
    pub(crate) placeable: i32,
    /// See [`Weights::reserve_rest`].
    pub(crate) reserve_rest: i32,
    /// See [`Weights::reserve_cell`].
    pub(crate) reserve_cell: i32,
    /// See [`Weights::reserve_cell_crowded`], divided by [`MAX_EXCESS`].
    pub(crate) reserve_cell_crowded: i32,
    /// See [`Weights::reserve_stack`].
    pub(crate) reserve_stack: i32,
    /// See [`Weights::refuge_rest`].
    pub(crate) refuge_rest: i32,
    /// See [`Weights::refuge_cell`].
    pub(crate) refuge_cell: i32,
    /// See [`Weights::reserve_share`].
    pub(crate) reserve_share: f64,
    /// See [`Weights::reserve_share_crowded`].
    pub(crate) reserve_share_crowded: f64,
    /// See [`Weights::refuge_share`].
    pub(crate) refuge_share: f64,
}

impl Scaled {
    /// The weights for the fields of a case.
    pub(crate) fn new(case: &Case, weights: &Weights) -> Self {
        let scale = |weight: f64| (weight * f64::from(SCALE)).round() as i32;
        let large = case.width() * case.height() >= LARGE;
        let steps = weights.steps + if large { weights.steps_large } else { 0.0 };
        Self {
            potential: scale(weights.potential),
            steps: scale(steps),
            spot: scale(weights.spot),
            second_spot: scale(weights.second_spot),
            completion: scale(weights.completion),
            placeable: scale(weights.placeable),
            reserve_rest: scale(weights.reserve_rest),
            reserve_cell: scale(weights.reserve_cell),
            reserve_cell_crowded: scale(weights.reserve_cell_crowded / f64::from(MAX_EXCESS)),
            reserve_stack: scale(weights.reserve_stack),
            refuge_rest: scale(weights.refuge_rest),
            refuge_cell: scale(weights.refuge_cell),
            reserve_share: weights.reserve_share,
            reserve_share_crowded: weights.reserve_share_crowded,
            refuge_share: weights.refuge_share,
        }
    }

    /// What a potential chain is worth, in [`SCALE`].
    #[inline(always)]
    pub(crate) fn worth(&self, chain: Chain) -> i32 {
        chain.points as i32 * self.potential + chain.steps as i32 * self.steps
    }
}
