//! A placement, ready to draw.

use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use serde::Serialize;

/// A placement, and the place where its column lands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Landing {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    #[serde(skip)]
    pub(crate) shift: usize,
    /// The row of the lowest jewel after landing.
    pub(crate) row: usize,
    /// True if the column fits below the top of the field.
    pub(crate) fits: bool,
}

impl Landing {
    /// Computes where the column lands. `field` is the field before the placement.
    pub(crate) fn new(field: &NaiveField, placement: Placement) -> Self {
        let Placement { stack, shift } = placement;
        let row = field.stack_height(stack);
        Self {
            stack,
            shift,
            row,
            fits: row + 3 <= field.height(),
        }
    }
}
