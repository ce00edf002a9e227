//! Sets of cells: a bit for every cell of the field.
//!
//! A set has `W` words of three slots. A slot holds a stack in 21 bits, with the floor in the lowest
//! bit. Stack `x` lies in word `x % W`, slot `x / W`:
//!
//! ```text
//! W = 2      slot 2    slot 1    slot 0         the cells # of a field six wide:
//! word 0    stack 4   stack 2   stack 0         . . # . . .    word 0 = 0b10 << 21
//! word 1    stack 5   stack 3   stack 1         . # . . . .    word 1 = 0b1
//! ```
//!
//! Neighbouring stacks are in neighbouring words. A rotation of the words and one shift therefore give the
//! right-hand neighbours of all stacks at the same time. With 2 words a field is up to 6 wide, with 4 words
//! up to 12. Fields are at most 19 high: the two spare bits of a slot separate the stacks when a set is
//! shifted up or down.

pub use crate::simd::Mask;
use crate::simd::SLOT_BITS;
use std::iter;

/// The maximum number of stacks (statement, section Constraints).
pub const MAX_WIDTH: usize = 12;
/// The floor of every slot: its lowest bit.
pub(crate) const FLOOR: u64 = 1 | 1 << SLOT_BITS | 1 << (2 * SLOT_BITS);
/// The roof of every slot: its highest bit.
pub(crate) const ROOF: u64 = FLOOR << (SLOT_BITS - 1);

impl<const W: usize> Mask<W> {
    /// Returns the cells of the leftmost `width` stacks in the lowest `rows` rows.
    pub fn from_size(width: usize, rows: usize) -> Self {
        let mut mask = Self::EMPTY;
        for x in 0..width {
            mask.0[x % W] |= ((1 << rows) - 1) << (SLOT_BITS as usize * (x / W));
        }
        mask
    }

    /// Returns the cells of stack `x`, one bit per cell, with the floor in the lowest bit.
    #[inline(always)]
    pub fn stack_bits(self, x: usize) -> u64 {
        self.0[x % W] >> (SLOT_BITS as usize * (x / W)) & ((1 << SLOT_BITS) - 1)
    }

    /// Iterates over the cells as (stack, row): word by word, each from the lowest bit up.
    #[inline(always)]
    pub fn cells(self) -> impl Iterator<Item = (usize, u32)> {
        let (mut word, mut left) = (0, self.0[0]);
        iter::from_fn(move || {
            while left == 0 {
                word += 1;
                left = *self.0.get(word)?;
            }
            let bit = left.trailing_zeros();
            left &= left - 1;
            Some(((bit / SLOT_BITS) as usize * W + word, bit % SLOT_BITS))
        })
    }

    /// Returns the number of cells in the set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        let mut count = self.0[0].count_ones() + self.0[1].count_ones();
        if W == 4 {
            count += self.0[2].count_ones() + self.0[3].count_ones();
        }
        count
    }
}
