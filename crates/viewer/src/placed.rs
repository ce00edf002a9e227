//! A placement, ready to draw.

use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use serde::Serialize;

/// The placement of a column, and the place where the column lands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Placed {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    pub(crate) shift: usize,
    /// True if the plan or the user chose this placement; false for the default placement.
    pub(crate) planned: bool,
    /// The row of the lowest jewel after landing.
    pub(crate) landing: usize,
    /// True if the column fits below the top of the field.
    pub(crate) fits: bool,
}

impl Placed {
    /// Describes a placement. `field` is the field before it.
    pub(crate) fn new(field: &NaiveField, placement: Placement, planned: bool) -> Self {
        let Placement { stack, shift } = placement;
        let landing = field.stack_height(stack);
        Self {
            stack,
            shift,
            planned,
            landing,
            fits: landing + 3 <= field.height(),
        }
    }
}
