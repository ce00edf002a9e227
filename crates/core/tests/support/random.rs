//! Random numbers for the tests, including the unit tests of the library.

/// `SplitMix64`, which gives the same numbers on every machine and in every release.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns the next random number, from 0 to `n` − 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }
}
