//! What the processor offers, chosen at run time; all `unsafe` code is here.
//!
//! Hot code is written once, as a [`Kernel`] that is generic over [`Isa`], and
//! run by [`run`]: with the instructions of [`Bmi2`] where the processor has
//! them, else with [`Portable`]. Sets of cells are kept in [`Lanes`], registers
//! that work on all words of a [`Mask`] at once; [`Plain`] does without intrinsics
//! and is the safe twin that tests hold the others against. All compute the same
//! bits.

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
    /// Registers for the words of a [`Mask`].
    type Lanes<const W: usize>: Lanes<W>;

    /// Runs a kernel compiled with these features.
    fn enter<K: Kernel>(self, kernel: K) -> K::Output;

    /// Words from memory into registers.
    fn load<const W: usize>(self, words: &[u64; W]) -> Self::Lanes<W>;

    /// A layer of a network: adds to each sum every input times a weight, wrapping. `weights` has a
    /// row for every two inputs, in which each sum has its two weights.
    ///
    /// # Panics
    /// If there are not as many rows as pairs of inputs.
    #[inline(always)]
    fn add_products(
        self,
        sums: &mut [i32; UNITS],
        inputs: &[[i16; 2]],
        weights: &[[[i16; 2]; UNITS]],
    ) {
        assert_eq!(inputs.len(), weights.len());
        for (input, row) in inputs.iter().zip(weights) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                for i in 0..2 {
                    *sum = sum.wrapping_add(i32::from(input[i]) * i32::from(weight[i]));
                }
            }
        }
    }
}

/// How many sums [`Isa::add_products`] makes at once.
pub const UNITS: usize = 32;

/// Which [`Isa`] to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// [`Portable`], on any processor.
    Portable,
    /// [`Bmi2`], on those that have it.
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

/// A set of cells in registers. A value is also the proof that the processor has these
/// registers, so every method needs one.
#[allow(clippy::return_self_not_must_use)] // as in arithmetic
pub trait Cells: Copy {
    /// Not this set, but the same word in every lane.
    fn splat(self, word: u64) -> Self;
    /// Cells in both sets.
    fn and(self, other: Self) -> Self;
    /// Cells in either set.
    fn or(self, other: Self) -> Self;
    /// Cells in exactly one of the sets.
    fn xor(self, other: Self) -> Self;
    /// Cells of this set that are not in the other.
    fn without(self, other: Self) -> Self;
    /// The sums of the words as numbers.
    fn plus(self, other: Self) -> Self;
    /// The differences of the words as numbers, wrapping.
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
}

/// A set of cells whose words can be had: `W` words, 2 or 4.
#[allow(clippy::return_self_not_must_use)] // as in arithmetic
pub trait Lanes<const W: usize>: Cells {
    /// The words.
    fn words(self) -> [u64; W];
    /// This set and the cells of `word` in one lane.
    fn with(self, lane: usize, word: u64) -> Self;
    /// The number of cells in all four sets together.
    fn count(sets: [Self; 4]) -> u32;
}

// These are no closures, since those cannot be `#[inline(always)]`: Rust 1.75
// leaves them outside of what has the processor's features, where each
// intrinsic in them becomes a call, and the bot is six times slower.

/// Bytes whose sum is the number of cells in all four sets together.
///
/// Three sets are added bit by bit to ones and twos; then bits are added to pairs,
/// these to fours and these to bytes. (`count_ones` is an instruction only where a
/// processor feature says so, and one for a single word.)
#[inline(always)]
fn counted<L: Cells>([a, b, c, d]: [L; 4]) -> L {
    let differ = a.xor(b);
    let twos = a.and(b).or(differ.and(c));
    let ones = bytes(fours(differ.xor(c)).plus(fours(d)));
    let twos = bytes(fours(twos));
    ones.plus(twos.plus(twos))
}

/// The bits of each half byte, counted there.
#[inline(always)]
fn fours<L: Cells>(x: L) -> L {
    let pairs = x.minus(x.down::<1>().and(every_byte(x, 0x55)));
    let low = pairs.and(every_byte(x, 0x33));
    low.plus(pairs.down::<2>().and(every_byte(x, 0x33)))
}

/// The sums of both halves of each byte.
#[inline(always)]
fn bytes<L: Cells>(x: L) -> L {
    let low = x.and(every_byte(x, 0x0F));
    low.plus(x.down::<4>().and(every_byte(x, 0x0F)))
}

/// `byte` everywhere.
#[inline(always)]
fn every_byte<L: Cells>(any: L, byte: u8) -> L {
    any.splat(u64::from_ne_bytes([byte; 8]))
}

impl<const W: usize> Cells for Mask<W> {
    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        Self([word; W])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.and(other)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.or(other)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.xor(other)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.without(other)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        self.above(N as u32)
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        self.below(N as u32)
    }

    #[inline(always)]
    fn right(self) -> Self {
        self.right()
    }

    #[inline(always)]
    fn left(self) -> Self {
        self.left()
    }

    #[inline(always)]
    fn left2(self) -> Self {
        self.left().left()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.is_empty()
    }
}

impl<const W: usize> Lanes<W> for Mask<W> {
    #[inline(always)]
    fn words(self) -> [u64; W] {
        self.0
    }

    #[inline(always)]
    fn with(mut self, lane: usize, word: u64) -> Self {
        self.0[lane] |= word;
        self
    }

    #[inline(always)]
    fn count(sets: [Self; 4]) -> u32 {
        let counted = counted(sets).0;
        let bytes = counted.iter().flat_map(|word| word.to_ne_bytes());
        bytes.map(u32::from).sum()
    }
}

/// Rust without intrinsics.
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl Isa for Plain {
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

/// What every processor of the target has: SSE2 on x86-64, else [`Plain`].
#[derive(Debug, Clone, Copy)]
pub struct Portable;

/// AVX2 and BMI2.
#[derive(Debug, Clone, Copy)]
pub struct Bmi2(());

/// SAFETY of all intrinsics here: those of SSE2 are on every x86-64 processor;
/// those of AVX2 are reached only through [`Bmi2`], whose value is the proof that
/// the processor has it. Pointers are to arrays at least as long as what is read
/// or written, without any alignment.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{counted, Bmi2, Cells, Isa, Kernel, Lanes, Portable, SLOT, UNITS};
    #[allow(clippy::wildcard_imports)] // some fifty intrinsics
    use std::arch::x86_64::*;
    use std::sync::OnceLock;

    /// [`Isa::add_products`] with the sums in registers of the given type.
    macro_rules! add_products {
        (
            $register:ty;
            $zero:ident, $load:ident, $store:ident, $same:ident, $multiply:ident, $add:ident
        ) => {
            #[inline(always)]
            fn add_products(
                self,
                sums: &mut [i32; UNITS],
                inputs: &[[i16; 2]],
                weights: &[[[i16; 2]; UNITS]],
            ) {
                const REGISTERS: usize =
                    std::mem::size_of::<[i32; UNITS]>() / std::mem::size_of::<$register>();
                assert_eq!(inputs.len(), weights.len());
                unsafe {
                    let to: *mut $register = sums.as_mut_ptr().cast();
                    let mut totals = [$zero(); REGISTERS];
                    for i in 0..REGISTERS {
                        totals[i] = $load(to.add(i));
                    }
                    for (input, row) in inputs.iter().zip(weights) {
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
            }
        };
    }

    impl Isa for Portable {
        type Lanes<const W: usize> = Xmm<W>;

        #[inline(always)]
        fn enter<K: Kernel>(self, kernel: K) -> K::Output {
            kernel.run(self)
        }

        #[inline(always)]
        fn load<const W: usize>(self, words: &[u64; W]) -> Xmm<W> {
            Xmm::load(words)
        }

        add_products! { __m128i;
            _mm_setzero_si128, _mm_loadu_si128, _mm_storeu_si128,
            _mm_set1_epi32, _mm_madd_epi16, _mm_add_epi32
        }
    }

    impl Bmi2 {
        /// The proof that the processor has AVX2 and BMI2. Only the first call asks
        /// the processor, which takes long in a virtual machine.
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
            unsafe { enter(self, kernel) }
        }

        #[inline(always)]
        fn load<const W: usize>(self, words: &[u64; W]) -> Ymm<W> {
            Ymm::load(words)
        }

        add_products! { __m256i;
            _mm256_setzero_si256, _mm256_loadu_si256, _mm256_storeu_si256,
            _mm256_set1_epi32, _mm256_madd_epi16, _mm256_add_epi32
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn enter<K: Kernel>(isa: Bmi2, kernel: K) -> K::Output {
        kernel.run(isa)
    }

    /// Two registers of two words each, the second unused where `W` is 2.
    #[derive(Clone, Copy)]
    pub struct Xmm<const W: usize>([__m128i; 2]);

    /// One register of four words; where `W` is 2, the last two are zero.
    #[derive(Clone, Copy)]
    pub struct Ymm<const W: usize>([__m256i; 1]);

    /// A word of ones amid zeros, to load from where it falls into the right lane.
    static ONE: [u64; 7] = [0, 0, 0, u64::MAX, 0, 0, 0];

    /// The methods that do the same to every register in use.
    macro_rules! lanewise {
        ($in_use:expr; $($method:ident($other:ident) $intrinsic:expr;)*) => {$(
            #[inline(always)]
            fn $method(mut self, $other: Self) -> Self {
                for i in 0..$in_use {
                    self.0[i] = unsafe { $intrinsic(self.0[i], $other.0[i]) };
                }
                self
            }
        )*};
        ($in_use:expr; $($method:ident<$n:ident> $intrinsic:expr;)*) => {$(
            #[inline(always)]
            fn $method<const $n: i32>(mut self) -> Self {
                for i in 0..$in_use {
                    self.0[i] = unsafe { $intrinsic(self.0[i]) };
                }
                self
            }
        )*};
    }

    impl<const W: usize> Xmm<W> {
        const LEGAL: () = assert!(W == 2 || W == 4, "a plane has 2 or 4 words");

        #[inline(always)]
        fn load(words: &[u64; W]) -> Self {
            let () = Self::LEGAL;
            let mut out = unsafe { [_mm_setzero_si128(); 2] };
            for (register, words) in out.iter_mut().zip(words.chunks_exact(2)) {
                *register = unsafe { _mm_loadu_si128(words.as_ptr().cast()) };
            }
            Self(out)
        }

        /// The upper half of `a`, then the lower one of `b`.
        #[inline(always)]
        fn joint(a: __m128i, b: __m128i) -> __m128i {
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
            plus(other) _mm_add_epi64;
            minus(other) _mm_sub_epi64;
        }
        lanewise! { W / 2;
            down<N> _mm_srli_epi64::<N>;
            up<N> _mm_slli_epi64::<N>;
        }

        #[inline(always)]
        fn splat(self, word: u64) -> Self {
            Self(unsafe { [_mm_set1_epi64x(word as i64); 2] })
        }

        #[inline(always)]
        fn right(self) -> Self {
            let [a, b] = self.0;
            Self(unsafe {
                let around = _mm_srli_epi64::<{ SLOT as i32 }>(a);
                if W == 2 {
                    [Self::joint(a, around), b]
                } else {
                    [Self::joint(a, b), Self::joint(b, around)]
                }
            })
        }

        #[inline(always)]
        fn left(self) -> Self {
            let [a, b] = self.0;
            Self(unsafe {
                if W == 2 {
                    [Self::joint(_mm_slli_epi64::<{ SLOT as i32 }>(a), a), b]
                } else {
                    let around = _mm_slli_epi64::<{ SLOT as i32 }>(b);
                    [Self::joint(around, a), Self::joint(a, b)]
                }
            })
        }

        #[inline(always)]
        fn left2(self) -> Self {
            let [a, b] = self.0;
            Self(unsafe {
                if W == 2 {
                    [_mm_slli_epi64::<{ SLOT as i32 }>(a), b]
                } else {
                    [_mm_slli_epi64::<{ SLOT as i32 }>(b), a]
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
            for (register, words) in self.0.iter().zip(words.chunks_exact_mut(2)) {
                unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), *register) };
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
            let [a, b] = counted(sets).0;
            unsafe {
                let zero = _mm_setzero_si128();
                let mut sums = _mm_sad_epu8(a, zero);
                if W == 4 {
                    sums = _mm_add_epi64(sums, _mm_sad_epu8(b, zero));
                }
                let high = _mm_unpackhi_epi64(sums, sums);
                _mm_cvtsi128_si32(_mm_add_epi64(sums, high)) as u32
            }
        }
    }

    impl<const W: usize> Ymm<W> {
        const LEGAL: () = assert!(W == 2 || W == 4, "a plane has 2 or 4 words");

        #[inline(always)]
        fn load(words: &[u64; W]) -> Self {
            let () = Self::LEGAL;
            Self(unsafe {
                if W == 2 {
                    let half = _mm_loadu_si128(words.as_ptr().cast());
                    [_mm256_zextsi128_si256(half)]
                } else {
                    [_mm256_loadu_si256(words.as_ptr().cast())]
                }
            })
        }
    }

    #[inline(always)]
    fn right<const W: usize>(a: __m256i) -> __m256i {
        let s = i64::from(SLOT);
        unsafe {
            if W == 2 {
                let turned = _mm256_shuffle_epi32::<0b01_00_11_10>(a);
                _mm256_srlv_epi64(turned, _mm256_setr_epi64x(0, s, 0, s))
            } else {
                let turned = _mm256_permute4x64_epi64::<0b00_11_10_01>(a);
                _mm256_srlv_epi64(turned, _mm256_setr_epi64x(0, 0, 0, s))
            }
        }
    }

    #[inline(always)]
    fn left<const W: usize>(a: __m256i) -> __m256i {
        let s = i64::from(SLOT);
        unsafe {
            if W == 2 {
                let turned = _mm256_shuffle_epi32::<0b01_00_11_10>(a);
                _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, 0, s, 0))
            } else {
                let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(a);
                _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, 0, 0, 0))
            }
        }
    }

    #[inline(always)]
    fn left2<const W: usize>(a: __m256i) -> __m256i {
        let s = i64::from(SLOT);
        unsafe {
            if W == 2 {
                _mm256_slli_epi64::<{ SLOT as i32 }>(a)
            } else {
                let turned = _mm256_permute4x64_epi64::<0b01_00_11_10>(a);
                _mm256_sllv_epi64(turned, _mm256_setr_epi64x(s, s, 0, 0))
            }
        }
    }

    /// The number of cells in all four sets, in each of the four words.
    #[inline(always)]
    fn count([a, b, c, d]: [__m256i; 4]) -> __m256i {
        unsafe {
            // Three sets added bit by bit to ones and twos.
            let differ = _mm256_xor_si256(a, b);
            let twos = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(differ, c));
            let ones = _mm256_xor_si256(differ, c);
            let each = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let twice = _mm256_add_epi8(each, each);
            let bytes = half_bytes(twice, twos);
            let bytes = _mm256_add_epi8(bytes, half_bytes(each, ones));
            let bytes = _mm256_add_epi8(bytes, half_bytes(each, d));
            _mm256_sad_epu8(bytes, _mm256_setzero_si256())
        }
    }

    /// The sums of what the table has for both halves of each byte.
    #[inline(always)]
    fn half_bytes(table: __m256i, x: __m256i) -> __m256i {
        unsafe {
            let low = _mm256_set1_epi8(0x0F);
            let high = _mm256_and_si256(_mm256_srli_epi64::<4>(x), low);
            _mm256_add_epi8(
                _mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
                _mm256_shuffle_epi8(table, high),
            )
        }
    }

    impl<const W: usize> Cells for Ymm<W> {
        lanewise! { 1;
            and(other) _mm256_and_si256;
            or(other) _mm256_or_si256;
            xor(other) _mm256_xor_si256;
            plus(other) _mm256_add_epi64;
            minus(other) _mm256_sub_epi64;
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
            Self(unsafe { [_mm256_set1_epi64x(word as i64)] })
        }

        #[inline(always)]
        fn right(self) -> Self {
            Self([right::<W>(self.0[0])])
        }

        #[inline(always)]
        fn left(self) -> Self {
            Self([left::<W>(self.0[0])])
        }

        #[inline(always)]
        fn left2(self) -> Self {
            Self([left2::<W>(self.0[0])])
        }

        #[inline(always)]
        fn is_empty(self) -> bool {
            unsafe { _mm256_testz_si256(self.0[0], self.0[0]) == 1 }
        }
    }

    impl<const W: usize> Lanes<W> for Ymm<W> {
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
        fn with(self, lane: usize, word: u64) -> Self {
            let ones = ONE[3 - lane..][..W].try_into().expect("W words");
            self.or(Self::load(ones).and(self.splat(word)))
        }

        #[inline(always)]
        fn count([a, b, c, d]: [Self; 4]) -> u32 {
            let sums = count([a.0[0], b.0[0], c.0[0], d.0[0]]);
            total(if W == 2 {
                unsafe { _mm256_castsi256_si128(sums) }
            } else {
                halved(sums)
            })
        }
    }

    /// The sums of the words of both halves.
    #[inline(always)]
    fn halved(sums: __m256i) -> __m128i {
        unsafe {
            let low = _mm256_castsi256_si128(sums);
            _mm_add_epi64(low, _mm256_extracti128_si256::<1>(sums))
        }
    }

    /// The sum of both words.
    #[inline(always)]
    fn total(sums: __m128i) -> u32 {
        unsafe {
            let high = _mm_unpackhi_epi64(sums, sums);
            _mm_cvtsi128_si32(_mm_add_epi64(sums, high)) as u32
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Isa for Portable {
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

#[cfg(not(target_arch = "x86_64"))]
impl Bmi2 {
    /// No such processor here.
    pub fn detect() -> Option<Self> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Isa for Bmi2 {
    type Lanes<const W: usize> = Mask<W>;

    fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        Portable.enter(kernel)
    }

    #[inline(always)]
    fn load<const W: usize>(self, words: &[u64; W]) -> Mask<W> {
        Mask(*words)
    }
}
