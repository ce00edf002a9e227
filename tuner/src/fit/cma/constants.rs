//! The constants of CMA-ES, which follow from the number of parameters and the population.

use libm::{floor, log, sqrt};

/// Keeps the scaling of bad candidates finite where one lies at the mean; as in the reference
/// implementation.
pub(super) const DISTANCE_GUARD: f64 = 1e-8;

/// Weights and rates of the update, by Hansen's tutorial (arXiv:1604.00772v2, equations 49–58).
#[derive(Debug, Clone, PartialEq)]
pub struct Constants {
    /// The weight of each rank, best first: falling, those of the better half positive with sum 1,
    /// the others not positive.
    pub weights: Vec<f64>,
    /// The variance effective selection mass of the better half: as many equal candidates would
    /// weigh as much.
    pub effective: f64,
    /// How fast the step size's path forgets.
    pub sigma_rate: f64,
    /// What dampens the step size.
    pub sigma_damping: f64,
    /// How fast the covariance's path forgets.
    pub path_rate: f64,
    /// How much of the covariance its path replaces.
    pub rank_one: f64,
    /// How much of the covariance the candidates replace.
    pub rank_mu: f64,
    /// How long a vector of independent standard normal numbers is on average.
    pub expected_length: f64,
}

impl Constants {
    /// The constants for `n` parameters, at least one, and a population.
    ///
    /// # Panics
    /// If there is no parameter, or if the population is below 4.
    pub fn new(n: usize, population: usize) -> Self {
        assert!(n > 0, "a search needs a parameter");
        assert!(population >= 4, "a population has at least 4 samples");
        let n = n as f64;
        let size = population as f64;
        let raw: Vec<f64> = (1..=population)
            .map(|rank| log(f64::midpoint(size, 1.0)) - log(rank as f64))
            .collect();
        let (better, worse) = raw.split_at(floor(size / 2.0) as usize);
        let effective = effective(better);

        let rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + effective);
        let rank_mu =
            2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0) * (n + 2.0) + effective);
        let rank_mu = rank_mu.min(1.0 - rank_one - 1e-8);

        // As much as the covariance bears and stays positive definite.
        let worse_sum = (1.0 + rank_one / rank_mu)
            .min(1.0 + 2.0 * self::effective(worse) / (effective + 2.0))
            .min((1.0 - rank_one - rank_mu) / (n * rank_mu));
        let positive: f64 = raw.iter().filter(|w| **w > 0.0).sum();
        let negative: f64 = -raw.iter().filter(|w| **w < 0.0).sum::<f64>();
        let weights = raw
            .iter()
            .map(|&w| {
                if w >= 0.0 {
                    w / positive
                } else {
                    w * worse_sum / negative
                }
            })
            .collect();

        let sigma_rate = (effective + 2.0) / (n + effective + 5.0);
        let excess = (sqrt((effective - 1.0) / (n + 1.0)) - 1.0).max(0.0);
        Self {
            weights,
            effective,
            sigma_rate,
            sigma_damping: 1.0 + 2.0 * excess + sigma_rate,
            path_rate: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            rank_one,
            rank_mu,
            expected_length: sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// As many equal weights as would have the same ratio of squared sum to sum of squares.
fn effective(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|w| w * w).sum();
    sum * sum / squares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For one parameter and four samples everything can be written down: the raw weights are
    /// ln 2.5, ln 1.25, ln 2.5/3 and ln 2.5/4.
    #[test]
    fn the_smallest_search_by_hand() {
        let c = Constants::new(1, 4);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        let (best, second) = (2.5_f64.ln(), 1.25_f64.ln());
        near(c.weights[0], best / (best + second));
        near(c.weights[1], second / (best + second));
        near(c.weights[2] / c.weights[3], 1.2_f64.ln() / 1.6_f64.ln());
        let mu = (best + second).powi(2) / (best.powi(2) + second.powi(2));
        near(c.effective, mu);
        near(c.sigma_rate, (mu + 2.0) / (mu + 6.0));
        near(c.sigma_damping, 1.0 + c.sigma_rate);
        near(c.path_rate, (4.0 + mu) / (5.0 + 2.0 * mu));
        near(c.rank_one, 2.0 / (2.3 * 2.3 + mu));
        near(c.rank_mu, 2.0 * (mu - 2.0 + 1.0 / mu) / (9.0 + mu));
        near(c.expected_length, 1.0 - 0.25 + 1.0 / 21.0);
        let worse = [1.2_f64.ln(), 1.6_f64.ln()];
        let worse_mu = (worse[0] + worse[1]).powi(2) / (worse[0].powi(2) + worse[1].powi(2));
        let sum = (1.0 + c.rank_one / c.rank_mu)
            .min(1.0 + 2.0 * worse_mu / (mu + 2.0))
            .min((1.0 - c.rank_one - c.rank_mu) / c.rank_mu);
        near(c.weights[2] + c.weights[3], -sum);
    }

    /// Numbers printed by version 0.13.1 of the Python package `cmaes`.
    #[test]
    fn as_the_reference_implementation() {
        for (n, population, weights, rest) in [
            (
                20,
                40,
                [
                    0.167_124_701_498_080_76,
                    0.128_771_814_069_321_7,
                    0.001_366_279_799_674_641_4,
                    -0.003_541_046_718_416_92,
                    -0.098_226_944_200_268_28,
                ],
                [
                    11.309_482_088_932_26,
                    0.004_301_080_059_305_302_5,
                    0.037_947_601_681_734_14,
                    0.366_556_649_206_219_7,
                    1.366_556_649_206_219_8,
                    0.181_667_403_334_626_41,
                    4.416_766_652_699_585,
                ],
            ),
            (
                18,
                12,
                [
                    0.402_402_942_818_712_64,
                    0.253_389_084_032_886_57,
                    0.017_207_705_769_594_465,
                    -0.052_324_967_188_785_8,
                    -0.432_890_962_938_971_6,
                ],
                [
                    3.729_458_934_303_068,
                    0.005_316_046_133_459_694,
                    0.009_895_707_632_835_852,
                    0.214_349_977_991_892_9,
                    1.214_349_977_991_893,
                    0.187_700_545_409_596_77,
                    4.184_338_672_973_833,
                ],
            ),
        ] {
            let c = Constants::new(n, population);
            let ranks = [0, 1, population / 2 - 1, population / 2, population - 1];
            let found = ranks.map(|rank| c.weights[rank]);
            let others = [
                c.effective,
                c.rank_one,
                c.rank_mu,
                c.sigma_rate,
                c.sigma_damping,
                c.path_rate,
                c.expected_length,
            ];
            for (a, b) in found.iter().zip(&weights).chain(others.iter().zip(&rest)) {
                assert!(
                    (a - b).abs() <= 1e-12 * b.abs(),
                    "{n} {population}: {a} {b}"
                );
            }
        }
    }
}
