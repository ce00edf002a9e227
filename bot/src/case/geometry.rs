//! The geometry of a field: its size, and sets of cells such as its lowest row.

use columns_core::field::{Field, MAX_WIDTH, Mask};
use columns_core::simd::Cells;

/// The size of a field, and the sets of cells that depend only on the size.
#[derive(Debug)]
pub struct FieldGeometry<const W: usize> {
    /// Width in stacks.
    pub width: usize,
    /// Height in cells.
    pub height: u32,
    /// The cells of the lowest row.
    pub floor: Mask<W>,
    /// The cells where the lowest jewel of a column can land with all three jewels inside the field.
    pub landing_cells: Mask<W>,
    /// All cells of the field.
    pub cells: Mask<W>,
}

/// Two counts that describe how full a field is.
#[derive(Debug, Clone, Copy)]
pub struct Occupancy {
    /// The number of jewels on the field.
    pub occupied_cells: i32,
    /// The number of stacks without room for a column.
    pub blocked_stacks: i32,
}

impl<const W: usize> FieldGeometry<W> {
    /// Creates the geometry of a field of `width` stacks and `height` rows.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height: height as u32,
            floor: Mask::from_size(width, 1),
            landing_cells: Mask::from_size(width, height - 2),
            cells: Mask::from_size(width, height),
        }
    }

    /// Returns the lowest empty cell of each stack, including stacks without room for a column. For a full
    /// stack, this is the cell above the field.
    #[inline(always)]
    pub fn tops(&self, occupied: Mask<W>) -> Mask<W> {
        occupied.up::<1>().or(self.floor).without(occupied)
    }

    /// Returns the number of jewels on each stack, 0 beyond the width of the field. The field must
    /// be settled.
    #[inline(always)]
    pub fn heights(&self, occupied: Mask<W>) -> [u32; MAX_WIDTH] {
        let mut heights = [0; MAX_WIDTH];
        for (x, height) in heights.iter_mut().enumerate().take(self.width) {
            *height = occupied.stack_bits(x).trailing_ones();
        }
        heights
    }

    /// Counts the occupied cells and the blocked stacks of a field.
    #[inline(always)]
    pub fn occupancy<const P: usize>(&self, field: &Field<W, P>) -> Occupancy {
        let occupied = field.occupied();
        let open = self.tops(occupied).and(self.landing_cells).count();
        Occupancy {
            occupied_cells: occupied.count() as i32,
            blocked_stacks: self.width as i32 - open as i32,
        }
    }
}
