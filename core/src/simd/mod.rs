//! What the processor offers, chosen at run time.
//!
//! Hot code is written once, as a [`Kernel`] that is generic over [`Isa`], an instruction set.
//! [`run`] runs it with AVX2 and BMI2 where the processor has them, else with what [`Portable`] asks
//! for. Sets of cells are kept in [`Lanes`], registers that work on all words of a
//! [`Mask`](crate::field::Mask) at once.
//!
//! * `bits`: what takes the place of BMI2;
//! * `plain`: the safe twin, in Rust without intrinsics; tests hold the others against it, and
//!   processors that have none of these play with it;
//! * `sse2`: registers of two words; `wasm`: those of WebAssembly under the names of SSE2;
//! * `avx2`: registers of four words.
//!
//! All compute the same bits. All `unsafe` code is in `sse2`, `avx2` and `wasm`.

mod bits;
mod plain;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[macro_use]
mod sse2;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

#[cfg(target_arch = "x86_64")]
use avx2::bmi2;
pub use plain::Plain;

/// A piece of hot code that is compiled once for each [`Isa`].
///
/// A kernel may enter another one. That is a call: what several kernels do, or what depends on fewer
/// types than they do, is compiled once that way. A compiler has a minute for the submission.
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Does the work. Mark the implementation and all that it calls in its inner loops
    /// `#[inline(always)]`: only what is inlined into [`Isa::enter`] is compiled with the
    /// processor's features.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// A set of processor features. A value of such a type proves that the processor has them.
pub trait Isa: Copy {
    /// Registers for the words of a [`Mask`](crate::field::Mask).
    type Lanes<const W: usize>: Lanes<W>;

    /// Runs a kernel that is compiled with these features, apart from what calls it.
    fn enter<K: Kernel>(self, kernel: K) -> K::Output;

    /// Loads words from memory into registers.
    fn load<const W: usize>(self, words: &[u64; W]) -> Self::Lanes<W>;

    /// The bits of `word` where `mask` has ones, moved together, the lowest first.
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        bits::extract(word, mask)
    }

    /// The lowest bits of `word`, moved apart to where `mask` has ones.
    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        bits::deposit(word, mask)
    }

    /// Computes a layer of a network: adds to each sum every input times its weight for that sum,
    /// wrapping. `weights` has a row for every two inputs, with two weights for each sum.
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

/// A set of cells in registers. A value also proves that the processor has these registers, so
/// every method needs one.
#[allow(clippy::return_self_not_must_use)] // as in arithmetic
pub trait Cells: Copy {
    /// A set with the same word in every lane, whatever this set holds.
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

/// A set of cells of `W` words, 2 or 4, that can be read.
#[allow(clippy::return_self_not_must_use)] // as in arithmetic
pub trait Lanes<const W: usize>: Cells {
    /// The words.
    fn words(self) -> [u64; W];
    /// This set with the cells of `word` in one lane added.
    fn with(self, lane: usize, word: u64) -> Self;
    /// The number of cells in all four sets together.
    fn count(sets: [Self; 4]) -> u32;
}

/// What every processor of the target has: SSE2 on x86-64, `simd128` in the page, else no more than
/// [`Plain`].
#[derive(Debug, Clone, Copy)]
pub struct Portable;

/// What to use of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cpu {
    /// [`Portable`], on any processor.
    Portable,
    /// AVX2 and BMI2, on those that have them.
    Bmi2,
}

impl Cpu {
    /// Reads `detect`, the most that this processor has, or `portable`.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(name: &str) -> Result<Self, String> {
        match name {
            "detect" => Ok(Self::detect()),
            "portable" => Ok(Self::Portable),
            _ => Err(format!("expected detect or portable, found {name:?}")),
        }
    }

    /// The most that this processor has.
    pub fn detect() -> Self {
        bmi2().map_or(Self::Portable, |_| Self::Bmi2)
    }
}

/// Runs a kernel with the given part of the processor; with [`Cpu::Portable`] where the processor
/// lacks the other.
pub fn run<K: Kernel>(cpu: Cpu, kernel: K) -> K::Output {
    match (cpu, bmi2()) {
        (Cpu::Bmi2, Some(isa)) => isa.enter(kernel),
        _ => Portable.enter(kernel),
    }
}

/// Only x86-64 has them.
#[cfg(not(target_arch = "x86_64"))]
fn bmi2() -> Option<Portable> {
    None
}
