//! Registers of two words: SSE2, which every x86-64 processor has, and WebAssembly's instructions
//! under the names of SSE2.
//!
//! SAFETY: every pointer points to an array at least as long as the access, and no access needs alignment.

#[allow(clippy::wildcard_imports)] // some twenty intrinsics
use super::*;
use crate::simd::isa::{Cells, Isa, Kernel, Lanes, NETWORK_UNITS, SLOT_BITS};
use crate::simd::scalar::Mask;
// Not in the prelude of Rust 2018, and the submission must compile in every edition.
use std::convert::TryInto;

/// Expands to the body of [`Isa::add_products`] for registers of the given type.
macro_rules! add_products {
    (
        $sums:expr, $inputs:expr, $weights:expr; $register:ty;
        $zero:ident, $load:ident, $store:ident, $same:ident, $multiply:ident, $add:ident
    ) => {
        unsafe {
            const REGISTERS: usize =
                std::mem::size_of::<[i32; NETWORK_UNITS]>() / std::mem::size_of::<$register>();
            let to: *mut $register = $sums.as_mut_ptr().cast();
            let mut totals = [$zero(); REGISTERS];
            for i in 0..REGISTERS {
                totals[i] = $load(to.add(i));
            }
            for (input, row) in $inputs.iter().zip($weights) {
                let pair = $same(input.as_ptr().cast::<i32>().read_unaligned());
                let row: *const $register = row.as_ptr().cast();
                for i in 0..REGISTERS {
                    totals[i] = $add(totals[i], $multiply(pair, $load(row.add(i))));
                }
            }
            for i in 0..REGISTERS {
                $store(to.add(i), totals[i]);
            }
        }
    };
}

/// The instruction set that every processor of the target has: SSE2 on x86-64, `simd128` on WebAssembly.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Isa for Portable {
    type Lanes<const W: usize> = Xmm<W>;

    #[inline(never)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> Xmm<W> {
        Xmm::load(words)
    }

    #[inline(always)]
    fn add_products<const PAIRS: usize>(
        self,
        sums: &mut [i32; NETWORK_UNITS],
        inputs: &[[i16; 2]; PAIRS],
        weights: &[[[i16; 2]; NETWORK_UNITS]; PAIRS],
    ) {
        add_products! { sums, inputs, weights; __m128i;
            _mm_setzero_si128, _mm_loadu_si128, _mm_storeu_si128,
            _mm_set1_epi32, _mm_madd_epi16, _mm_add_epi32
        }
    }
}

/// Two registers of two words each. If `W` is 2, the second register is unused.
#[derive(Clone, Copy)]
pub struct Xmm<const W: usize>([__m128i; 2]);

/// A word of ones between words of zeros. Words loaded from index `3 - lane` have the ones in lane `lane`.
static LANE_MASKS: [u64; 7] = [0, 0, 0, u64::MAX, 0, 0, 0];

/// Returns `W` words: all bits of lane `lane` are 1, all other bits are 0.
#[inline(always)]
pub(super) fn lane_mask<const W: usize>(lane: usize) -> &'static [u64; W] {
    LANE_MASKS[3 - lane..][..W].try_into().expect("W words")
}

/// Implements methods that apply one intrinsic to each of `$in_use` registers, 1 or 2. The methods have no
/// loop: in each of thousands of inlined copies, a loop would cost the compiler a millisecond.
macro_rules! lanewise {
    ($in_use:expr; $($method:ident($other:ident) $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $method(mut self, $other: Self) -> Self {
            self.0[0] = unsafe { $intrinsic(self.0[0], $other.0[0]) };
            if $in_use == 2 {
                self.0[1] = unsafe { $intrinsic(self.0[1], $other.0[1]) };
            }
            self
        }
    )*};
    ($in_use:expr; $($method:ident<$n:ident> $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $method<const $n: i32>(mut self) -> Self {
            self.0[0] = unsafe { $intrinsic(self.0[0]) };
            if $in_use == 2 {
                self.0[1] = unsafe { $intrinsic(self.0[1]) };
            }
            self
        }
    )*};
}

impl<const W: usize> Xmm<W> {
    #[inline(always)]
    fn load(words: &[u64; W]) -> Self {
        let () = Mask::<W>::WIDTH_IS_VALID;
        let words: *const __m128i = words.as_ptr().cast();
        let first = unsafe { _mm_loadu_si128(words) };
        let second = if W == 4 {
            unsafe { _mm_loadu_si128(words.add(1)) }
        } else {
            unsafe { _mm_setzero_si128() }
        };
        Self([first, second])
    }

    /// Returns the upper half of `a`, followed by the lower half of `b`.
    #[inline(always)]
    fn join_halves(a: __m128i, b: __m128i) -> __m128i {
        unsafe {
            let (a, b) = (_mm_castsi128_pd(a), _mm_castsi128_pd(b));
            _mm_castpd_si128(_mm_shuffle_pd::<0b01>(a, b))
        }
    }
}

impl<const W: usize> Cells for Xmm<W> {
    lanewise! { W / 2;
        and(other) _mm_and_si128;
        or(other) _mm_or_si128;
        xor(other) _mm_xor_si128;
        without(other) |a, b| _mm_andnot_si128(b, a);
        add_words(other) _mm_add_epi64;
        sub_words(other) _mm_sub_epi64;
    }
    lanewise! { W / 2;
        down<N> _mm_srli_epi64::<N>;
        up<N> _mm_slli_epi64::<N>;
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        Self::load(&[word; W])
    }

    #[inline(always)]
    fn left(self) -> Self {
        let [a, b] = self.0;
        Self(unsafe {
            let shifted = _mm_srli_epi64::<{ SLOT_BITS as i32 }>(a);
            if W == 2 {
                [Self::join_halves(a, shifted), b]
            } else {
                [Self::join_halves(a, b), Self::join_halves(b, shifted)]
            }
        })
    }

    #[inline(always)]
    fn right(self) -> Self {
        let [a, b] = self.0;
        Self(unsafe {
            if W == 2 {
                [
                    Self::join_halves(_mm_slli_epi64::<{ SLOT_BITS as i32 }>(a), a),
                    b,
                ]
            } else {
                let shifted = _mm_slli_epi64::<{ SLOT_BITS as i32 }>(b);
                [Self::join_halves(shifted, a), Self::join_halves(a, b)]
            }
        })
    }

    #[inline(always)]
    fn right2(self) -> Self {
        let [a, b] = self.0;
        Self(unsafe {
            if W == 2 {
                [_mm_slli_epi64::<{ SLOT_BITS as i32 }>(a), b]
            } else {
                [_mm_slli_epi64::<{ SLOT_BITS as i32 }>(b), a]
            }
        })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let [a, b] = self.0;
        unsafe {
            let all = if W == 2 { a } else { _mm_or_si128(a, b) };
            let zero = _mm_cmpeq_epi8(all, _mm_setzero_si128());
            _mm_movemask_epi8(zero) == 0xFFFF
        }
    }
}

impl<const W: usize> Lanes<W> for Xmm<W> {
    #[inline(always)]
    fn words(self) -> [u64; W] {
        let mut words = [0; W];
        let to: *mut __m128i = words.as_mut_ptr().cast();
        unsafe {
            _mm_storeu_si128(to, self.0[0]);
            if W == 4 {
                _mm_storeu_si128(to.add(1), self.0[1]);
            }
        }
        words
    }

    #[inline(always)]
    fn with_word(self, lane: usize, word: u64) -> Self {
        self.or(Self::load(lane_mask(lane)).and(self.splat(word)))
    }
}
