//! The operations of an instruction set in safe Rust, without intrinsics.

use super::isa::{Cells, Isa, Kernel, Lanes, SLOT_BITS};

/// A set of cells in memory: `W` words, 2 or 4. For any other number, most operations do not compile:
///
/// ```compile_fail,E0080
/// use columns_core::simd::{Cells, Mask};
///
/// let _ = Mask([1; 3]).and(Mask([1; 3]));
/// ```
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask<const W: usize>(pub [u64; W]);

impl<const W: usize> Mask<W> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; W]);
    // A plane has 2 or 4 words. The assertion has no message, since the submission would contain the message.
    pub(super) const WIDTH_IS_VALID: () = assert!(W == 2 || W == 4);

    /// Applies `f` to each pair of corresponding words.
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let () = Self::WIDTH_IS_VALID;
        let mut out = self;
        out.0[0] = f(self.0[0], other.0[0]);
        out.0[1] = f(self.0[1], other.0[1]);
        // Not a loop: inlined a thousand times, a loop would cost the compiler seconds.
        if W == 4 {
            out.0[2] = f(self.0[2], other.0[2]);
            out.0[3] = f(self.0[3], other.0[3]);
        }
        out
    }
}

impl<const W: usize> Cells for Mask<W> {
    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        Self([word; W])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn add_words(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn sub_words(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        self.zip(self, |a, _| a >> N)
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        self.zip(self, |a, _| a << N)
    }

    #[inline(always)]
    fn left(self) -> Self {
        let mut out = self;
        for i in 1..W {
            out.0[i - 1] = self.0[i];
        }
        out.0[W - 1] = self.0[0] >> SLOT_BITS;
        out
    }

    #[inline(always)]
    fn right(self) -> Self {
        let mut out = self;
        for i in 1..W {
            out.0[i] = self.0[i - 1];
        }
        out.0[0] = self.0[W - 1] << SLOT_BITS;
        out
    }

    #[inline(always)]
    fn right2(self) -> Self {
        self.right().right()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let () = Self::WIDTH_IS_VALID;
        let mut all = self.0[0] | self.0[1];
        if W == 4 {
            all |= self.0[2] | self.0[3];
        }
        all == 0
    }
}

impl<const W: usize> Lanes<W> for Mask<W> {
    #[inline(always)]
    fn words(self) -> [u64; W] {
        self.0
    }

    #[inline(always)]
    fn with_word(mut self, lane: usize, word: u64) -> Self {
        self.0[lane] |= word;
        self
    }
}

/// Safe Rust without intrinsics, for any processor.
#[derive(Debug, Clone, Copy)]
pub struct Scalar;

impl Isa for Scalar {
    type Lanes<const W: usize> = Mask<W>;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> Mask<W> {
        Mask(*words)
    }
}
