//! A set of cells: a bit for every cell of the field.
//!
//! A set is `W` words of three stacks each. Stack `x` lies in word `x % W`, slot `x / W`; a slot
//! has 21 bits, the floor at its lowest. With 2 words a field is up to 6 wide, with 4 up to
//! 12. Neighbouring stacks are then in neighbouring words, so that looking sideways costs a
//! rotation of the words and one shift for the whole field. Fields are at most 19 high: a slot's
//! two spare bits keep stacks apart when looking up and down.

/// Bits of a word that one stack takes.
pub(crate) const SLOT: u32 = 21;

/// The most stacks of a field.
pub const MAX_WIDTH: usize = 12;

/// A set of cells.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask<const W: usize>(pub [u64; W]);

impl<const W: usize> Mask<W> {
    /// No cell.
    pub const EMPTY: Self = Self([0; W]);

    /// The cells of the given stacks and rows.
    pub fn area(width: usize, rows: usize) -> Self {
        let mut mask = Self::EMPTY;
        for x in 0..width {
            mask.0[x % W] |= ((1 << rows) - 1) << (SLOT as usize * (x / W));
        }
        mask
    }

    /// The cells of stack `x`, a bit each, the floor lowest.
    #[inline(always)]
    pub fn stack(self, x: usize) -> u64 {
        self.0[x % W] >> (SLOT as usize * (x / W)) & ((1 << SLOT) - 1)
    }

    /// The words that `f` makes of both sets' words.
    #[inline(always)]
    pub(crate) fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut out = self;
        out.0[0] = f(self.0[0], other.0[0]);
        out.0[1] = f(self.0[1], other.0[1]);
        // Written out: a loop here, a thousand times inlined, costs the compiler seconds.
        if W == 4 {
            out.0[2] = f(self.0[2], other.0[2]);
            out.0[3] = f(self.0[3], other.0[3]);
        }
        out
    }

    /// The cells as stack and row: word after word, in each from the lowest bit on.
    #[inline(always)]
    pub fn cells(self) -> impl Iterator<Item = (usize, u32)> {
        let (mut word, mut left) = (0, self.0[0]);
        std::iter::from_fn(move || {
            while left == 0 {
                word += 1;
                left = *self.0.get(word)?;
            }
            let bit = left.trailing_zeros();
            left &= left - 1;
            Some(((bit / SLOT) as usize * W + word, bit % SLOT))
        })
    }

    /// The number of cells in the set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        let mut count = self.0[0].count_ones() + self.0[1].count_ones();
        if W == 4 {
            count += self.0[2].count_ones() + self.0[3].count_ones();
        }
        count
    }
}
