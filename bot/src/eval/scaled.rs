//! Values and weights as integers.

use crate::eval::weights::{Table, Weights};
use columns_core::field::Chain;
use columns_core::network::SCALE;
use columns_core::rules::case::Case;
use std::ops::Add;

/// A value in units of 1/[`SCALE`] of a match of the first step, like the values of the networks.
/// It is an integer, so that it is the same on every machine. Points are in whole matches;
/// [`Value::paid`] converts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Value(pub i32);

impl Value {
    /// Converts points, given in whole matches of the first step, to a value.
    #[inline(always)]
    pub fn paid(points: u32) -> Self {
        Self(points as i32 * SCALE)
    }
}

impl Add for Value {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Converts a weight to a multiple of 1/[`SCALE`].
pub(crate) fn scale(weight: f64) -> i32 {
    (weight * f64::from(SCALE)).round() as i32
}

/// The smallest number of cells of a large field.
const MIN_LARGE_CELLS: usize = 150;

/// The weights as integers, multiplied by [`SCALE`].
pub type Scaled = Table<i32>;

impl Scaled {
    /// Converts the weights for the fields of a case. On large fields, `steps` includes
    /// [`Weights::steps_large`].
    pub fn new(case: &Case, weights: &Weights) -> Self {
        let mut weights = weights.clone();
        if case.width() * case.height() >= MIN_LARGE_CELLS {
            weights.steps += weights.steps_large;
        }
        weights.map(scale)
    }

    /// Computes the worth of a chain that a field promises.
    #[inline(always)]
    pub(crate) fn worth(&self, chain: Chain) -> Value {
        Value(chain.points as i32 * self.potential + chain.steps as i32 * self.steps)
    }
}
