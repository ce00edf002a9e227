//! What the processor offers, chosen at run time; all `unsafe` code is here.
//!
//! Hot code is written once, as a [`Kernel`] that is generic over [`Isa`], and
//! run by [`run`]: with the instructions of [`Bmi2`] where the processor has
//! them, else with [`Portable`], its safe twin. Both compute the same bits.

use crate::field::Mask;

/// A piece of hot code that is compiled once for each [`Isa`].
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Does the work. Mark the implementation `#[inline(always)]`, and all that it
    /// calls in its inner loops: only what is inlined into [`Isa::enter`] is
    /// compiled with the processor's features.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// A set of processor features. A value of such a type is the proof that the
/// processor has them.
pub trait Isa: Copy {
    /// Runs a kernel compiled with these features.
    fn enter<K: Kernel>(self, kernel: K) -> K::Output;

    /// The words of a bit plane in registers.
    type Lanes<const W: usize>: Lanes<W>;
}

/// Which [`Isa`] to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Plain Rust, on any processor.
    Portable,
    /// AVX2 and BMI2, where `pext` is fast.
    Bmi2,
}

impl Path {
    /// The fastest path that this processor has.
    pub fn detect() -> Self {
        if Bmi2::detect().is_some() {
            Self::Bmi2
        } else {
            Self::Portable
        }
    }
}

/// Runs a kernel on the given path; on [`Path::Portable`] where the processor
/// lacks the other.
pub fn run<K: Kernel>(path: Path, kernel: K) -> K::Output {
    match (path, Bmi2::detect()) {
        (Path::Bmi2, Some(isa)) => isa.enter(kernel),
        _ => Portable.enter(kernel),
    }
}

/// Bits of a word that one stack takes; see [`crate::field`].
pub(crate) const SLOT: u32 = 21;

/// A set of cells in registers: what [`crate::field`] does to `W` words at once.
/// The safe twin is [`Mask`].
pub trait Lanes<const W: usize>: Copy {
    /// From words in memory.
    fn load(words: &[u64; W]) -> Self;
    /// The words.
    fn words(self) -> [u64; W];
    /// The same word in every lane.
    fn splat(word: u64) -> Self;
    /// `word` in one lane, no cell in the others.
    fn one(lane: usize, word: u64) -> Self;
    /// Cells in both sets.
    fn and(self, other: Self) -> Self;
    /// Cells in either set.
    fn or(self, other: Self) -> Self;
    /// Cells in exactly one of the sets.
    fn xor(self, other: Self) -> Self;
    /// Cells of this set that are not in the other.
    fn without(self, other: Self) -> Self;
    /// The difference of the words as numbers, wrapping.
    fn minus(self, other: Self) -> Self;
    /// All cells `N` cells down.
    fn down<const N: i32>(self) -> Self;
    /// All cells `N` cells up.
    fn up<const N: i32>(self) -> Self;
    /// Cells whose right neighbour is in the set.
    fn right(self) -> Self;
    /// Cells whose left neighbour is in the set.
    fn left(self) -> Self;
    /// Cells whose left neighbour's left neighbour is in the set.
    fn left2(self) -> Self;
    /// Whether no cell is in the set.
    fn is_empty(self) -> bool;
    /// The number of cells in all four sets together.
    fn count(sets: [Self; 4]) -> u32;
}

impl<const W: usize> Lanes<W> for Mask<W> {
    #[inline(always)]
    fn load(words: &[u64; W]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn words(self) -> [u64; W] {
        self.0
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([word; W])
    }

    #[inline(always)]
    fn one(lane: usize, word: u64) -> Self {
        let mut out = Self::EMPTY;
        for i in 0..W {
            out.0[i] = if i == lane { word } else { 0 };
        }
        out
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
    fn minus(self, other: Self) -> Self {
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
    fn right(self) -> Self {
        let mut out = self;
        for i in 1..W {
            out.0[i - 1] = self.0[i];
        }
        out.0[W - 1] = self.0[0] >> SLOT;
        out
    }

    #[inline(always)]
    fn left(self) -> Self {
        let mut out = self;
        for i in 1..W {
            out.0[i] = self.0[i - 1];
        }
        out.0[0] = self.0[W - 1] << SLOT;
        out
    }

    #[inline(always)]
    fn left2(self) -> Self {
        self.left().left()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// By adding bits to pairs, these to fours and these to bytes: `count_ones` is
    /// an instruction only where a processor feature says so.
    #[inline(always)]
    fn count([a, b, c, d]: [Self; 4]) -> u32 {
        let byte = |n: u8| Self::splat(u64::from_ne_bytes([n; 8]));
        let plus = |x: Self, y| x.zip(y, u64::wrapping_add);
        let fours = |x: Self| {
            let pairs = x.minus(x.down::<1>().and(byte(0x55)));
            let low = pairs.and(byte(0x33));
            plus(low, pairs.down::<2>().and(byte(0x33)))
        };
        let bytes = |x: Self| {
            let low = x.and(byte(0x0F));
            plus(low, x.down::<4>().and(byte(0x0F)))
        };
        let differ = a.xor(b);
        let ones = differ.xor(c);
        let twos = a.and(b).or(differ.and(c));
        let ones = bytes(plus(fours(ones), fours(d)));
        let twos = bytes(fours(twos));
        let all = plus(plus(ones, twos), twos);
        let sum = all
            .0
            .iter()
            .fold(0_u64, |sum, word| sum.wrapping_add(*word));
        // A field of one colour has more than a byte holds.
        let pairs = (sum & 0x00FF_00FF_00FF_00FF) + (sum >> 8 & 0x00FF_00FF_00FF_00FF);
        (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
    }
}

/// No assumption about the processor.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Isa for Portable {
    type Lanes<const W: usize> = Mask<W>;

    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

/// AVX2 and BMI2.
#[derive(Debug, Clone, Copy)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Bmi2, Isa, Kernel, Lanes, SLOT};
    use std::arch::x86_64::*;
    use std::sync::OnceLock;

    impl Bmi2 {
        /// The proof that the processor has AVX2 and BMI2. The first call asks
        /// the processor, which is slow in a virtual machine.
        pub fn detect() -> Option<Self> {
            static HAS: OnceLock<bool> = OnceLock::new();
            let has = HAS.get_or_init(|| {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            });
            has.then_some(Self(()))
        }
    }

    impl Isa for Bmi2 {
        type Lanes<const W: usize> = Ymm<W>;

        #[inline(always)]
        fn enter<K: Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: `self` exists, so the processor has these features.
            unsafe { enter(self, kernel) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn enter<K: Kernel>(isa: Bmi2, kernel: K) -> K::Output {
        kernel.run(isa)
    }

    /// One register, a word a lane; the lanes from `W` on are always zero.
    #[derive(Clone, Copy)]
    pub struct Ymm<const W: usize>(__m256i);

    impl<const W: usize> Lanes<W> for Ymm<W> {
        #[inline(always)]
        fn load(words: &[u64; W]) -> Self {
            let p = words.as_ptr().cast();
            Self(unsafe {
                match W {
                    2 => _mm256_zextsi128_si256(_mm_loadu_si128(p)),
                    3 => {
                        let high = _mm_cvtsi64_si128(words[2] as i64);
                        _mm256_set_m128i(high, _mm_loadu_si128(p))
                    }
                    _ => _mm256_loadu_si256(p.cast()),
                }
            })
        }

        #[inline(always)]
        fn words(self) -> [u64; W] {
            let mut words = [0; W];
            let p = words.as_mut_ptr().cast::<__m128i>();
            unsafe {
                if W == 4 {
                    _mm256_storeu_si256(p.cast(), self.0);
                } else {
                    _mm_storeu_si128(p, _mm256_castsi256_si128(self.0));
                }
                if W == 3 {
                    words[2] = _mm256_extract_epi64::<2>(self.0) as u64;
                }
            }
            words
        }

        #[inline(always)]
        fn splat(word: u64) -> Self {
            Self(unsafe { _mm256_set1_epi64x(word as i64) })
        }

        #[inline(always)]
        fn one(lane: usize, word: u64) -> Self {
            static LANES: [u64; 7] = [0, 0, 0, u64::MAX, 0, 0, 0];
            let lane: &[u64; 4] = LANES[3 - lane..7 - lane].try_into().unwrap();
            let lane = unsafe { _mm256_loadu_si256(lane.as_ptr().cast()) };
            Self(lane).and(Self::splat(word))
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(unsafe { _mm256_xor_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Self(unsafe { _mm256_sub_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn down<const N: i32>(self) -> Self {
            Self(unsafe { _mm256_srli_epi64::<N>(self.0) })
        }

        #[inline(always)]
        fn up<const N: i32>(self) -> Self {
            Self(unsafe { _mm256_slli_epi64::<N>(self.0) })
        }

        #[inline(always)]
        fn right(self) -> Self {
            let s = SLOT as i64;
            Self(unsafe {
                match W {
                    2 => {
                        let turned = _mm256_shuffle_epi32::<0b01_00_11_10>(self.0);
                        _mm256_srlv_epi64(turned, _mm256_setr_epi64x(0, s, 0, s))
                    }
                    3 => {
                        let turned = _mm256_permute4x64_epi64::<0b11_00_10_01>(self.0);
                        _mm256_srlv_epi64(turned, _mm256_setr_epi64x(0, 0, s, 0))
                    }
                    _ => {
                        let turned = _mm256_permute4x64_epi64::<0b00_11_10_01>(self.0);
                        _mm256_srlv_epi64(turned, _mm256_setr_epi64x(0, 0, 0, s))
                    }
                }
            })
        }

        #[inline(always)]
        fn left(self) -> Self {
            let s = SLOT as i64;
            Self(unsafe {
                match W {
                    2 => {
                        let turned = _mm256_shuffle_epi32::<0b01_00_11_10>(self.0);
                        _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, 0, s, 0))
                    }
                    3 => {
                        let turned = _mm256_permute4x64_epi64::<0b11_01_00_10>(self.0);
                        _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, 0, 0, 0))
                    }
                    _ => {
                        let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(self.0);
                        _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, 0, 0, 0))
                    }
                }
            })
        }

        #[inline(always)]
        fn left2(self) -> Self {
            let s = SLOT as i64;
            Self(unsafe {
                match W {
                    2 => _mm256_slli_epi64::<21>(self.0),
                    3 => {
                        let turned = _mm256_permute4x64_epi64::<0b11_00_10_01>(self.0);
                        _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, s, 0, 0))
                    }
                    _ => {
                        let turned = _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0);
                        _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, s, 0, 0))
                    }
                }
            })
        }

        #[inline(always)]
        fn is_empty(self) -> bool {
            unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
        }

        #[inline(always)]
        fn count(sets: [Self; 4]) -> u32 {
            unsafe {
                let low = _mm256_set1_epi8(15);
                let table = _mm256_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                );
                let mut bytes = _mm256_setzero_si256();
                for set in sets {
                    let a = _mm256_and_si256(set.0, low);
                    let b = _mm256_and_si256(_mm256_srli_epi64::<4>(set.0), low);
                    bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(table, a));
                    bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(table, b));
                }
                let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                let half = _mm256_castsi256_si128(sums);
                let half = match W {
                    2 => half,
                    _ => _mm_add_epi64(half, _mm256_extracti128_si256::<1>(sums)),
                };
                let high = _mm_unpackhi_epi64(half, half);
                _mm_cvtsi128_si32(_mm_add_epi64(half, high)) as u32
            }
        }
    }
}
