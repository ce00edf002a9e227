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

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected words come from an independent implementation of `SplitMix64` and xoshiro256++, based on
    /// the authors' reference code.
    #[test]
    fn the_streams_match_the_reference_code() {
        let mut streams = Streams::new(0);
        let words = |stream: &mut RandomStream| [stream.0.next_u64(), stream.0.next_u64()];
        assert_eq!(
            words(&mut streams.shape),
            [5_987_356_902_031_041_503, 7_051_070_477_665_621_255]
        );
        assert_eq!(
            words(&mut streams.jewels),
            [2_380_102_097_514_288_011, 9_659_173_347_347_547_888]
        );
        assert_eq!(
            words(&mut streams.magic),
            [6_824_385_226_697_674_843, 16_005_539_686_999_970_934]
        );
    }

    #[test]
    fn ranges_are_drawn_by_weight_and_the_numbers_of_a_range_evenly() {
        let ranges: &[WeightedRange] = ranges![1: 0..=1, 3: 10..=12];
        let mut stream = Streams::new(7).shape;
        let mut counts = [0_i32; 13];
        for _ in 0..60_000 {
            counts[stream.draw_weighted(ranges) as usize] += 1;
        }
        // The expected counts are 7,500 and 15,000, and five standard deviations are 405 and 530.
        for (number, count) in counts.into_iter().enumerate() {
            match number {
                0 | 1 => assert!((count - 7_500).abs() < 405, "{number}: {count}"),
                10..=12 => assert!((count - 15_000).abs() < 530, "{number}: {count}"),
                _ => assert_eq!(count, 0, "{number}"),
            }
        }
    }
}
