//! Registers of four words: AVX2.
//!
//! SAFETY of all intrinsics here: a caller needs a value of [`Bmi2`], which proves that the processor has
//! AVX2 and BMI2. Every pointer points to an array at least as long as the access, and no access needs
//! alignment.

use super::sse2::lane_mask;
#[allow(clippy::wildcard_imports)] // some thirty intrinsics
use super::*;
use crate::simd::bits;
use crate::simd::isa::{Cells, Isa, Kernel, Lanes, NETWORK_UNITS, SLOT_BITS};
use crate::simd::scalar::Mask;
use std::sync::OnceLock;

/// AVX2 and BMI2. Only [`detect_bmi2`] creates a value of this type, so the value proves that the
/// processor has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bmi2(());

/// Returns a proof that the processor has AVX2 and BMI2, or `None` if it lacks them. Caches the answer, to
/// replace five checks with one.
pub(crate) fn detect_bmi2() -> Option<Bmi2> {
    static IS_AVAILABLE: OnceLock<bool> = OnceLock::new();
    let has = IS_AVAILABLE.get_or_init(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    });
    has.then_some(Bmi2(()))
}

impl Bmi2 {
    /// True if PEXT and PDEP take only a few cycles. On AMD's processors before Zen 3 (family 19h), and on
    /// Hygon's derivatives of these processors, they take up to 300.
    fn has_fast_bit_moves() -> bool {
        static IS_FAST: OnceLock<bool> = OnceLock::new();
        *IS_FAST.get_or_init(|| {
            #[allow(unused_unsafe)] // newer compilers know that every x86-64 processor has CPUID
            let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
            let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
            let is_amd = [*b"Auth", *b"Hygo"].contains(&vendor.ebx.to_le_bytes());
            !is_amd || family >= 0x19
        })
    }
}

impl Isa for Bmi2 {
    type Lanes<const W: usize> = Ymm<W>;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        unsafe { enter(self, kernel) }
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> Ymm<W> {
        Ymm::load(words)
    }

    #[inline(always)]
    fn load_two<const W: usize>(self, first: &[u64; W], second: &[u64; W]) -> Ymm<W> {
        if W == 4 {
            return Ymm::load(first);
        }
        let [first, second] = [first, second].map(|words| words.as_ptr().cast());
        Ymm(unsafe { [_mm256_loadu2_m128i(second, first)] })
    }

    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        if Self::has_fast_bit_moves() {
            unsafe { _pext_u64(word, mask) }
        } else {
            bits::extract(word, mask)
        }
    }

    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        if Self::has_fast_bit_moves() {
            unsafe { _pdep_u64(word, mask) }
        } else {
            bits::deposit(word, mask)
        }
    }

    #[inline(always)]
    fn add_products<const PAIRS: usize>(
        self,
        sums: &mut [i32; NETWORK_UNITS],
        inputs: &[[i16; 2]; PAIRS],
        weights: &[[[i16; 2]; NETWORK_UNITS]; PAIRS],
    ) {
        add_products! { sums, inputs, weights; __m256i;
            _mm256_setzero_si256, _mm256_loadu_si256, _mm256_storeu_si256,
            _mm256_set1_epi32, _mm256_madd_epi16, _mm256_add_epi32
        }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn enter<K: Kernel>(isa: Bmi2, kernel: K) -> K::Output {
    kernel.run(isa)
}

/// A register of four words. If `W` is 2, it contains two sets: the same set twice unless [`Isa::load_two`]
/// loads two different ones.
#[derive(Clone, Copy)]
pub(crate) struct Ymm<const W: usize>([__m256i; 1]);

impl<const W: usize> Ymm<W> {
    #[inline(always)]
    fn load(words: &[u64; W]) -> Self {
        let () = Mask::<W>::WIDTH_IS_VALID;
        Self(unsafe {
            if W == 2 {
                let half = _mm_loadu_si128(words.as_ptr().cast());
                [_mm256_broadcastsi128_si256(half)]
            } else {
                [_mm256_loadu_si256(words.as_ptr().cast())]
            }
        })
    }
}

/// The number of bits in a slot, in the type of the shift counts.
const S: i64 = SLOT_BITS as i64;

/// Implements methods that rotate the words of a register, then shift each word. A row has the shift
/// instruction, the rotation of four words, and the shift counts, first for two words, then for four. The
/// rotation of two words swaps them.
macro_rules! neighbours {
    ($($method:ident: $shift:ident, <$rotation:literal>, [$a:expr, $b:expr] [$($bits:expr),*];)*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            let [a] = self.0;
            Self(unsafe {
                if W == 2 {
                    let rotated = _mm256_shuffle_epi32::<0b01_00_11_10>(a);
                    [$shift(rotated, _mm256_setr_epi64x($a, $b, $a, $b))]
                } else {
                    let rotated = _mm256_permute4x64_epi64::<$rotation>(a);
                    [$shift(rotated, _mm256_setr_epi64x($($bits),*))]
                }
            })
        }
    )*};
}

/// Returns a table with the number of set bits of each nibble from 0 to 15, in each half of a register.
#[inline(always)]
fn nibble_popcounts() -> __m256i {
    unsafe {
        _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        ))
    }
}

/// Looks up the two nibbles of each byte in the table, and adds the two entries.
#[inline(always)]
fn count_byte_bits(table: __m256i, x: __m256i) -> __m256i {
    unsafe {
        let low = _mm256_set1_epi8(0x0F);
        let high = _mm256_and_si256(_mm256_srli_epi64::<4>(x), low);
        _mm256_add_epi8(
            _mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
            _mm256_shuffle_epi8(table, high),
        )
    }
}

#[allow(clippy::out_of_bounds_indexing)] // `lanewise!` indexes a second register only if there are two
impl<const W: usize> Cells for Ymm<W> {
    lanewise! { 1;
        and(other) _mm256_and_si256;
        or(other) _mm256_or_si256;
        xor(other) _mm256_xor_si256;
        add_words(other) _mm256_add_epi64;
        sub_words(other) _mm256_sub_epi64;
    }
    lanewise! { 1;
        down<N> _mm256_srli_epi64::<N>;
        up<N> _mm256_slli_epi64::<N>;
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(unsafe { [_mm256_andnot_si256(other.0[0], self.0[0])] })
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        Self::load(&[word; W])
    }

    neighbours! {
        left: _mm256_srlv_epi64, <0b00_11_10_01>, [0, S] [0, 0, 0, S];
        right: _mm256_sllv_epi64, <0b10_01_00_11>, [S, 0] [S, 0, 0, 0];
    }

    #[inline(always)]
    fn right2(self) -> Self {
        if W == 2 {
            return self.up::<{ S as i32 }>();
        }
        Self(unsafe {
            let rotated = _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0[0]);
            [_mm256_sllv_epi64(rotated, _mm256_setr_epi64x(S, S, 0, 0))]
        })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        unsafe { _mm256_testz_si256(self.0[0], self.0[0]) == 1 }
    }
}

impl<const W: usize> Lanes<W> for Ymm<W> {
    const SETS: usize = 4 / W;

    #[inline(always)]
    fn second(self) -> Self {
        Self(unsafe { [_mm256_permute4x64_epi64::<0b11_10>(self.0[0])] })
    }

    #[inline(always)]
    fn words(self) -> [u64; W] {
        let mut words = [0; W];
        unsafe {
            if W == 2 {
                let half = _mm256_castsi256_si128(self.0[0]);
                _mm_storeu_si128(words.as_mut_ptr().cast(), half);
            } else {
                _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0[0]);
            }
        }
        words
    }

    #[inline(always)]
    fn with_word(self, lane: usize, word: u64) -> Self {
        self.or(Self::load(lane_mask(lane)).and(self.splat(word)))
    }

    #[inline(always)]
    fn count_each(sets: [Self; 4]) -> [u32; 4] {
        let mut counts = [0; 4];
        if W == 2 {
            // Sets of two words are counted faster one at a time.
            for i in 0..4 {
                counts[i] = Mask(sets[i].words()).count();
            }
            return counts;
        }
        unsafe {
            let table = nibble_popcounts();
            let mut sums = _mm256_setzero_si256();
            // Each of the four words of `sums` holds a 16-bit count for each set.
            for i in 0..4 {
                let bytes = count_byte_bits(table, sets[3 - i].0[0]);
                let sum = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                sums = _mm256_or_si256(_mm256_slli_epi64::<16>(sums), sum);
            }
            let high = _mm256_extracti128_si256::<1>(sums);
            let sums = _mm_add_epi64(_mm256_castsi256_si128(sums), high);
            let high = _mm_unpackhi_epi64(sums, sums);
            let sums = _mm_cvtsi128_si64(_mm_add_epi64(sums, high));
            for i in 0..4 {
                counts[i] = (sums >> (16 * i)) as u32 & 0xFFFF;
            }
        }
        counts
    }
}
