//! Random numbers that never change between releases.

use crate::magic::MagicRate;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of random 64-bit words, with methods that draw numbers from it.
pub struct RandomStream(Xoshiro256PlusPlus);

/// The three streams of a seed. They are independent: a draw from one stream does not change the numbers of
/// the others.
pub struct Streams {
    /// Draws the shape of a case: its size, palette and magic rate.
    pub shape: RandomStream,
    /// Draws the jewels of columns, and the tiles of a SameGame board.
    pub jewels: RandomStream,
    /// Decides which columns are magic.
    pub magic: RandomStream,
}

impl Streams {
    /// Returns the streams of `seed`, from their start.
    pub fn new(seed: u64) -> Self {
        let shape = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut jewels = shape.clone();
        jewels.jump();
        let mut magic = jewels.clone();
        magic.jump();
        Self {
            shape: RandomStream(shape),
            jewels: RandomStream(jewels),
            magic: RandomStream(magic),
        }
    }
}

/// A range of numbers from `min` to `max`, both included, and its weight in a list of ranges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WeightedRange {
    pub(crate) weight: u64,
    pub(crate) min: u64,
    pub(crate) max: u64,
}

/// Creates a weighted list of ranges: `ranges![3: 1..=9, 1: 20..=20]` has two ranges, with the weights 3
/// and 1.
macro_rules! ranges {
    ($($weight:literal: $min:literal..=$max:literal),* $(,)?) => {
        &[$(WeightedRange { weight: $weight, min: $min, max: $max }),*]
    };
}
pub(crate) use ranges;

impl RandomStream {
    /// Draws a number from 0 to `n` − 1 with exactly one word of the stream.
    ///
    /// Rejection sampling would remove the tiny bias, but the number of words would vary.
    pub fn draw_below(&mut self, n: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// Draws a range by weight, then a number uniformly from this range. Consumes two words of the stream.
    pub(crate) fn draw_weighted(&mut self, ranges: &[WeightedRange]) -> u64 {
        let mut ticket = self.draw_below(ranges.iter().map(|range| range.weight).sum());
        let mut ranges = ranges.iter();
        loop {
            let range = ranges.next().expect("the ticket is below the sum");
            if ticket < range.weight {
                return range.min + self.draw_below(range.max - range.min + 1);
            }
            ticket -= range.weight;
        }
    }

    /// Returns true with probability `rate`. Consumes one word of the stream.
    pub(crate) fn draw_bool(&mut self, rate: MagicRate) -> bool {
        self.draw_below(1_000_000) < rate.per_million()
    }
}
