//! Values and weights as integers.

use crate::eval::weights::{WeightTable, Weights};
use columns_core::field::Chain;
use columns_core::network::VALUE_SCALE;
use columns_core::rules::case::Case;
use std::ops::Add;

/// A value in units of 1/[`VALUE_SCALE`] of a match of the first step, like the values of the networks. It is
/// an integer, so that results are the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Value(pub i32);

impl Value {
    /// Converts points, in matches of the first step, to a value.
    #[inline(always)]
    pub fn from_points(points: u32) -> Self {
        Self(points as i32 * VALUE_SCALE)
    }
}

impl Add for Value {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Converts a weight, in matches, to units of 1/[`VALUE_SCALE`] of a match, rounded.
pub(crate) fn scale_weight(weight: f64) -> i32 {
    (weight * f64::from(VALUE_SCALE)).round() as i32
}

/// The minimum number of cells of a large field.
const MIN_LARGE_CELLS: usize = 150;

/// The weights as integers, multiplied by [`VALUE_SCALE`].
pub type ScaledWeights = WeightTable<i32>;

impl ScaledWeights {
    /// Converts the weights for the field of a case. On large fields, `steps` includes
    /// [`Weights::steps_large`].
    pub fn new(case: &Case, weights: &Weights) -> Self {
        let mut weights = weights.clone();
        if case.width() * case.height() >= MIN_LARGE_CELLS {
            weights.steps += weights.steps_large;
        }
        weights.map(scale_weight)
    }

    /// Computes the value of a chain that one jewel would set off: a share of its points, and a bonus for
    /// each step.
    #[inline(always)]
    pub(crate) fn chain_value(&self, chain: Chain) -> Value {
        Value(chain.points as i32 * self.potential + chain.steps as i32 * self.steps)
    }
}
