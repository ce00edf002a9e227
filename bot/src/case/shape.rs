//! The size of a field, and what follows from it alone.

use columns_core::field::{Field, Mask, MAX_WIDTH};
use columns_core::simd::Cells;

/// The size of a field, and its cells of note.
#[derive(Debug)]
pub struct Shape<const W: usize> {
    /// Width in stacks.
    pub width: usize,
    /// Height in cells.
    pub height: u32,
    /// The floor cells.
    pub floor: Mask<W>,
    /// The cells that the lowest jewel of a column can take: all three jewels fit.
    pub landing: Mask<W>,
    /// All cells.
    pub cells: Mask<W>,
}

/// How much room a field has.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Occupied cells.
    pub occupied: i32,
    /// Stacks that can take no column.
    pub blocked: i32,
}

impl<const W: usize> Shape<W> {
    /// The shape of fields of this width and height.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height: height as u32,
            floor: Mask::area(width, 1),
            landing: Mask::area(width, height - 2),
            cells: Mask::area(width, height),
        }
    }

    /// The lowest empty cell of each stack, those of stacks that cannot take a column included.
    #[inline(always)]
    pub fn tops(&self, occupied: Mask<W>) -> Mask<W> {
        occupied.up::<1>().or(self.floor).without(occupied)
    }

    /// The heights of the stacks.
    #[inline(always)]
    pub fn heights(&self, occupied: Mask<W>) -> [u32; MAX_WIDTH] {
        let mut heights = [0; 12];
        for (x, height) in heights.iter_mut().enumerate().take(self.width) {
            *height = occupied.stack(x).trailing_ones();
        }
        heights
    }

    /// How much room a field has.
    #[inline(always)]
    pub fn room<const P: usize>(&self, field: &Field<W, P>) -> Room {
        let occupied = field.occupied();
        let open = self.tops(occupied).and(self.landing).count();
        Room {
            occupied: occupied.count() as i32,
            blocked: self.width as i32 - open as i32,
        }
    }
}
