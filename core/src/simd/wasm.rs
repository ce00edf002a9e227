//! The registers of WebAssembly with `simd128`, as the page is compiled: two of two words each.
//!
//! No intrinsic here is unsafe: a browser refuses the whole module where it lacks one.

use super::{Cells, Isa, Kernel, Lanes, Portable, UNITS};
use crate::field::SLOT;
#[allow(clippy::wildcard_imports)] // some thirty intrinsics
use std::arch::wasm32::*;

impl Isa for Portable {
    type Lanes<const W: usize> = V128<W>;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> V128<W> {
        V128::load(words)
    }

    #[inline(always)]
    fn add_products(
        self,
        sums: &mut [i32; UNITS],
        inputs: &[[i16; 2]],
        weights: &[[[i16; 2]; UNITS]],
    ) {
        const REGISTERS: usize = UNITS / 4;
        assert_eq!(inputs.len(), weights.len());
        let mut totals = [i32x4_splat(0); REGISTERS];
        for (total, four) in totals.iter_mut().zip(sums.chunks_exact(4)) {
            *total = i32x4(four[0], four[1], four[2], four[3]);
        }
        for (&[a, b], row) in inputs.iter().zip(weights) {
            let pair = i16x8(a, b, a, b, a, b, a, b);
            for i in 0..REGISTERS {
                let [[a, b], [c, d], [e, f], [g, h]] =
                    [row[4 * i], row[4 * i + 1], row[4 * i + 2], row[4 * i + 3]];
                let weights = i16x8(a, b, c, d, e, f, g, h);
                totals[i] = i32x4_add(totals[i], i32x4_dot_i16x8(pair, weights));
            }
        }
        for (four, &total) in sums.chunks_exact_mut(4).zip(&totals) {
            four[0] = i32x4_extract_lane::<0>(total);
            four[1] = i32x4_extract_lane::<1>(total);
            four[2] = i32x4_extract_lane::<2>(total);
            four[3] = i32x4_extract_lane::<3>(total);
        }
    }
}

/// Two registers of two words each, the second unused where `W` is 2.
#[derive(Clone, Copy)]
pub struct V128<const W: usize>([v128; 2]);

/// A word of ones amid zeros, to load from where it falls into the right lane.
static ONE: [u64; 7] = [0, 0, 0, u64::MAX, 0, 0, 0];

impl<const W: usize> V128<W> {
    #[inline(always)]
    fn load(words: &[u64; W]) -> Self {
        let mut out = [u64x2_splat(0); 2];
        for (register, two) in out.iter_mut().zip(words.chunks_exact(2)) {
            *register = u64x2(two[0], two[1]);
        }
        Self(out)
    }

    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(v128, v128) -> v128) -> Self {
        for i in 0..W / 2 {
            self.0[i] = f(self.0[i], other.0[i]);
        }
        self
    }
}

/// The upper half of `a`, then the lower one of `b`.
#[inline(always)]
fn joint(a: v128, b: v128) -> v128 {
    u64x2_shuffle::<1, 2>(a, b)
}

impl<const W: usize> Cells for V128<W> {
    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        Self([u64x2_splat(word); 2])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| v128_and(a, b))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| v128_or(a, b))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| v128_xor(a, b))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| v128_andnot(a, b))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| u64x2_add(a, b))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| u64x2_sub(a, b))
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        self.zip(self, |a, _| u64x2_shr(a, N as u32))
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        self.zip(self, |a, _| u64x2_shl(a, N as u32))
    }

    #[inline(always)]
    fn right(self) -> Self {
        let [a, b] = self.0;
        let around = u64x2_shr(a, SLOT);
        Self(if W == 2 {
            [joint(a, around), b]
        } else {
            [joint(a, b), joint(b, around)]
        })
    }

    #[inline(always)]
    fn left(self) -> Self {
        let [a, b] = self.0;
        Self(if W == 2 {
            [joint(u64x2_shl(a, SLOT), a), b]
        } else {
            [joint(u64x2_shl(b, SLOT), a), joint(a, b)]
        })
    }

    #[inline(always)]
    fn left2(self) -> Self {
        let [a, b] = self.0;
        Self(if W == 2 {
            [u64x2_shl(a, SLOT), b]
        } else {
            [u64x2_shl(b, SLOT), a]
        })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let [a, b] = self.0;
        !v128_any_true(if W == 2 { a } else { v128_or(a, b) })
    }
}

impl<const W: usize> Lanes<W> for V128<W> {
    #[inline(always)]
    fn words(self) -> [u64; W] {
        let mut words = [0; W];
        for (two, &register) in words.chunks_exact_mut(2).zip(&self.0) {
            two[0] = u64x2_extract_lane::<0>(register);
            two[1] = u64x2_extract_lane::<1>(register);
        }
        words
    }

    #[inline(always)]
    fn with(self, lane: usize, word: u64) -> Self {
        let ones = ONE[3 - lane..][..W].try_into().expect("W words");
        self.or(Self::load(ones).and(self.splat(word)))
    }

    #[inline(always)]
    fn count(sets: [Self; 4]) -> u32 {
        let mut bytes = u8x16_splat(0);
        for set in sets {
            for i in 0..W / 2 {
                bytes = u8x16_add(bytes, u8x16_popcnt(set.0[i]));
            }
        }
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes));
        let sums = u32x4_add(sums, u32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)
    }
}
