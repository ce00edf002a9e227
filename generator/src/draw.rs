//! Random numbers that never change between releases.

use crate::magic::MagicRate;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// One stream of random numbers.
pub struct Draw(Xoshiro256PlusPlus);

/// The three streams of a seed. They are independent: drawing from one does not change the numbers of the
/// others.
pub struct Streams {
    /// Draws the size, the number of columns and the palette of a case.
    pub shape: Draw,
    /// Draws the jewels of columns, and the tiles of a SameGame board.
    pub jewels: Draw,
    /// Draws which columns are magic.
    pub magic: Draw,
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
            shape: Draw(shape),
            jewels: Draw(jewels),
            magic: Draw(magic),
        }
    }
}

/// An entry of a weighted list of ranges: the weight, and the lowest and the highest number of the range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Band(pub(crate) u64, pub(crate) u64, pub(crate) u64);

impl Draw {
    /// Draws a number from 0 to `n` − 1 with exactly one word of the stream.
    ///
    /// Rejection sampling would remove the tiny bias, but the number of words would vary.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// Draws a band by weight, then a number uniformly from that band. Consumes two words of the stream.
    pub(crate) fn banded(&mut self, bands: &[Band]) -> u64 {
        let mut ticket = self.below(bands.iter().map(|&Band(weight, ..)| weight).sum());
        let mut bands = bands.iter();
        loop {
            let &Band(weight, from, to) = bands.next().expect("the ticket is below the sum");
            if ticket < weight {
                return from + self.below(to - from + 1);
            }
            ticket -= weight;
        }
    }

    /// Returns true with probability `rate`. Consumes one word of the stream.
    pub(crate) fn chance(&mut self, rate: MagicRate) -> bool {
        self.below(1_000_000) < rate.per_million()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected words come from an independent implementation of `SplitMix64` and xoshiro256++, written
    /// from the authors' reference code.
    #[test]
    fn the_streams_match_the_reference_code() {
        let mut streams = Streams::new(0);
        let words = |draw: &mut Draw| [draw.0.next_u64(), draw.0.next_u64()];
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
    fn bands_are_drawn_by_weight_and_the_numbers_of_a_band_evenly() {
        let bands = [Band(1, 0, 1), Band(3, 10, 12)];
        let mut draw = Streams::new(7).shape;
        let mut counts = [0_i32; 13];
        for _ in 0..60_000 {
            counts[draw.banded(&bands) as usize] += 1;
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
