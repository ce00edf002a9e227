//! Traits: an instruction set, its registers, and hot code that is generic over both.

use super::bits;

/// A piece of hot code that is compiled once for each [`Isa`].
///
/// A kernel may [enter](Isa::enter) another kernel, which the compiler does not inline. So code that several
/// kernels share, or that depends on fewer types than its callers, is compiled only once. That matters
/// because the contest allows only a minute to compile the submission.
pub trait Kernel {
    /// The result of [`run`](Self::run).
    type Output;
    /// Runs the code with the instruction set `isa`. Mark the implementation, and every function that its
    /// inner loops call, `#[inline(always)]`: only code that is inlined into [`Isa::enter`] is compiled with
    /// the processor's features. Do not call methods of [`Cells`] or [`Lanes`] in a closure: Rust 1.75
    /// compiles closures without these features, and each intrinsic in a closure as a call. These calls would
    /// make the bot six times slower.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// A set of processor features. A value of a type with this trait proves that the processor has
/// them.
pub trait Isa: Copy + Send {
    /// Registers for the words of a [`Mask`](super::Mask).
    type Lanes<const W: usize>: Lanes<W>;

    /// Runs a kernel in a function of its own, which is compiled with these features.
    fn enter<K: Kernel>(self, kernel: K) -> K::Output;

    /// Loads words from memory into registers.
    fn load<const W: usize>(self, words: &[u64; W]) -> Self::Lanes<W>;

    /// Loads two sets if the registers have room for both ([`SETS`](Lanes::SETS)), otherwise only the first.
    #[inline(always)]
    fn load_two<const W: usize>(self, first: &[u64; W], _: &[u64; W]) -> Self::Lanes<W> {
        self.load(first)
    }

    /// Gathers the bits of `word` that `mask` selects, and packs them into the lowest bits of the
    /// result.
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u64 {
        bits::extract(word, mask)
    }

    /// Scatters the lowest bits of `word` to the positions of the set bits of `mask`.
    #[inline(always)]
    fn deposit(self, word: u64, mask: u64) -> u64 {
        bits::deposit(word, mask)
    }

    /// Computes a layer of a network: adds to each sum the products of all inputs and their weights for
    /// this sum. The additions wrap around. `weights` has a row for each pair of inputs; a row has a pair
    /// of weights for each sum.
    #[inline(always)]
    fn add_products<const PAIRS: usize>(
        self,
        sums: &mut [i32; NETWORK_UNITS],
        inputs: &[[i16; 2]; PAIRS],
        weights: &[[[i16; 2]; NETWORK_UNITS]; PAIRS],
    ) {
        for (input, row) in inputs.iter().zip(weights) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                for i in 0..2 {
                    *sum = sum.wrapping_add(i32::from(input[i]) * i32::from(weight[i]));
                }
            }
        }
    }
}

/// The number of bits in a slot, which holds one stack. A word has three slots and one spare bit. Stack `x`
/// lies in slot `x / W` of word `x % W`.
pub(crate) const SLOT_BITS: u32 = 21;

/// The number of sums that [`Isa::add_products`] computes: the outputs of a layer.
pub const NETWORK_UNITS: usize = 32;

/// A set of cells in registers, one bit for each cell.
///
/// Most code does not depend on the number of words; [`Lanes`] is for the code that does. A value
/// proves that the processor has these registers. That is why even [`splat`](Self::splat) takes
/// `self`.
#[allow(clippy::return_self_not_must_use)] // as for arithmetic operators
pub trait Cells: Copy {
    /// Returns a set with `word` in every lane. Does not read the cells of `self`.
    fn splat(self, word: u64) -> Self;
    /// Returns the cells in both sets.
    fn and(self, other: Self) -> Self;
    /// Returns the cells in at least one of the sets.
    fn or(self, other: Self) -> Self;
    /// Returns the cells in exactly one of the sets.
    fn xor(self, other: Self) -> Self;
    /// Returns the cells of this set that are not in the other.
    fn without(self, other: Self) -> Self;
    /// Adds each word to the corresponding word of `other`, wrapping around at 2⁶⁴.
    fn add_words(self, other: Self) -> Self;
    /// Subtracts from each word the corresponding word of `other`, wrapping around at 2⁶⁴.
    fn sub_words(self, other: Self) -> Self;
    /// Shifts the bits of each word down by `N`.
    fn down<const N: i32>(self) -> Self;
    /// Shifts the bits of each word up by `N`.
    fn up<const N: i32>(self) -> Self;
    /// Moves the cells by one stack to the left: every stack receives the bits of the next stack.
    fn left(self) -> Self;
    /// Moves the cells by one stack to the right: every stack receives the bits of the previous stack.
    fn right(self) -> Self;
    /// Moves the cells by two stacks to the right.
    fn right2(self) -> Self;
    /// True if the set contains no cell.
    fn is_empty(self) -> bool;
}

/// A set of cells in registers, with a known number of words: `W`, 2 or 4.
#[allow(clippy::return_self_not_must_use)] // as for arithmetic operators
pub trait Lanes<const W: usize>: Cells {
    /// The number of sets that the registers have room for, 1 or 2. All methods of [`Cells`] work on both
    /// sets; [`words`](Self::words) and [`count_each`](Self::count_each) read only the first.
    const SETS: usize = 1;
    /// Returns the second set of two. The result for a single set is unspecified.
    #[inline(always)]
    fn second(self) -> Self {
        self
    }
    /// Returns the words in the registers: the inverse of [`Isa::load`].
    fn words(self) -> [u64; W];
    /// Returns this set with the cells of `word` added in lane `lane`.
    fn with_word(self, lane: usize, word: u64) -> Self;
    /// Counts the cells of each set.
    #[inline(always)]
    fn count_each(sets: [Self; 4]) -> [u32; 4] {
        sets.map(|set| super::Mask(set.words()).count())
    }
}
