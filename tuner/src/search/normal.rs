//! Standard normal random numbers, bit-identical on every machine.

use rand_xoshiro::rand_core::Rng;

/// Draws a standard normal number, by Marsaglia's polar method.
pub(super) fn draw(random: &mut impl Rng) -> f64 {
    // Draws a number from −1 to 1, in steps of 2⁻⁵².
    let mut coordinate = || (random.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
    loop {
        let (u, v) = (coordinate(), coordinate());
        let square = u * u + v * v;
        if square > 0.0 && square < 1.0 {
            // The method also yields a second number, from `v`. Discard it: keeping it for the next call
            // would require state.
            return u * libm::sqrt(-2.0 * libm::log(square) / square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn drawn_numbers_are_normally_distributed() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut drawn: Vec<f64> = (0..100_000).map(|_| draw(&mut random)).collect();
        drawn.sort_by(f64::total_cmp);
        let cdf = |x: f64| 0.5 * libm::erfc(-x / 2.0_f64.sqrt());
        let n = drawn.len() as f64;
        // The Kolmogorov–Smirnov statistic, which exceeds 1.95 / √n with a probability of 0.1 %.
        let largest = drawn
            .iter()
            .enumerate()
            .map(|(i, x)| (cdf(*x) - (i as f64 + 0.5) / n).abs())
            .fold(0.0, f64::max);
        assert!(largest < 1.95 / n.sqrt(), "{largest}");
    }
}
