//! Statistics of differences: the mean with its confidence interval, and the signed-rank test.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::statistics::Statistics;

/// A mean with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Arithmetic mean of the values.
    pub mean: f64,
    /// The lower and the upper end of the confidence interval by Student's t; `None` for fewer than two values. The
    /// confidence level is 95 %, unless the estimate was made by [`at`](Self::at).
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// Computes the mean and the 95 % interval.
    ///
    /// # Panics
    /// If there are no values.
    pub fn of(values: &[f64]) -> Self {
        Self::at(0.95, values)
    }

    /// Computes the mean and its interval at a confidence level between 0 and 1, such as 0.95.
    ///
    /// # Panics
    /// If there are no values.
    pub fn at(confidence: f64, values: &[f64]) -> Self {
        assert!(!values.is_empty(), "the mean needs at least one value");
        let mean = values.mean();
        let interval = (values.len() > 1).then(|| {
            let n = values.len() as f64;
            let t = StudentsT::new(0.0, 1.0, n - 1.0).expect("degrees of freedom are positive");
            let half = t.inverse_cdf(f64::midpoint(1.0, confidence)) * values.std_dev() / n.sqrt();
            (mean - half, mean + half)
        });
        Self { mean, interval }
    }

    /// Applies an increasing function to the mean and to both ends of the interval.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            mean: f(self.mean),
            interval: self.interval.map(|(low, high)| (f(low), f(high))),
        }
    }

    /// Formats an estimate in percent, such as `+1.20 % (+0.50 to +1.90 %)`.
    pub fn percent_text(&self) -> String {
        let interval = self.interval.map_or(String::new(), |(low, high)| {
            format!(" ({low:+.2} to {high:+.2} %)")
        });
        format!("{:+.2} %{interval}", self.mean)
    }
}

/// Maximum number of differences for which [`wilcoxon`] computes an exact p-value.
const EXACT: usize = 50;

/// Returns the two-sided p-value of Wilcoxon's signed-rank test. The null hypothesis is that `differences` are symmetric
/// around 0.
///
/// Differences of 0 are dropped, and equal magnitudes share their mean rank. For up to 50 differences the p-value is
/// exact, even with ties. For more it comes from a normal approximation, with a tie correction of the variance and without
/// a continuity correction. The p-value is 1 if all differences are 0.
pub fn wilcoxon(differences: &[f64]) -> f64 {
    let differences = differences.iter().filter(|&&d| d != 0.0);
    let magnitudes: Vec<f64> = differences.clone().map(|d| d.abs()).collect();
    let ranks = mean_ranks(&magnitudes);
    let signed = differences.zip(&ranks);
    let positive = signed.filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank);
    let positive: f64 = positive.sum();
    let smaller = positive.min(ranks.iter().sum::<f64>() - positive);
    match ranks.len() {
        0 => 1.0,
        1..=EXACT => exact(&ranks, smaller),
        _ => normal(&ranks, smaller),
    }
}

/// Maximum relative difference between two magnitudes that count as tied. For example, the magnitudes of ln(3/2) and
/// ln(2/3) are equal, but their floating-point values differ in the last bit.
const TIE: f64 = 1e-12;

/// Returns the rank of each magnitude, from 1 for the smallest. Ties share their mean rank.
fn mean_ranks(magnitudes: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..magnitudes.len()).collect();
    order.sort_by(|&a, &b| magnitudes[a].total_cmp(&magnitudes[b]));
    let mut ranks = vec![0.0; magnitudes.len()];
    let mut below = 0;
    for ties in order.chunk_by(|&a, &b| magnitudes[b] - magnitudes[a] <= TIE * magnitudes[b]) {
        let rank = below as f64 + (ties.len() + 1) as f64 / 2.0;
        for &index in ties {
            ranks[index] = rank;
        }
        below += ties.len();
    }
    ranks
}

/// Returns the exact p-value. `smaller` is the observed sum of the positive ranks or that of the negative ranks,
/// whichever is smaller.
///
/// The p-value is the probability that random signs give a sum of positive ranks at least as far from its mean as the
/// observed one.
fn exact(ranks: &[f64], smaller: f64) -> f64 {
    // The mean ranks of ties are multiples of 1/2, so twice a rank is a whole number.
    let twice = |rank: f64| (2.0 * rank) as usize;
    // chance[s] is the probability that the positive ranks sum to s / 2.
    let mut chance = vec![0.0; twice(ranks.iter().sum()) + 1];
    chance[0] = 1.0;
    for &rank in ranks {
        for s in (0..chance.len()).rev() {
            let without = s.checked_sub(twice(rank));
            let with = without.map_or(0.0, |without| chance[without]);
            chance[s] = f64::midpoint(chance[s], with);
        }
    }
    let tail: f64 = chance[..=twice(smaller)].iter().sum();
    (2.0 * tail).min(1.0)
}

/// Approximates the p-value of [`exact`] with a normal distribution.
fn normal(ranks: &[f64], smaller: f64) -> f64 {
    let mean = ranks.iter().sum::<f64>() / 2.0;
    let deviation = ranks.iter().map(|rank| rank * rank).sum::<f64>().sqrt() / 2.0;
    2.0 * Normal::standard().cdf((smaller - mean) / deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn intervals_agree_with_published_tables() {
        // t(0.975; 4) = 2.776445; mean 3, standard error sqrt(2.5 / 5).
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let (low, high) = estimate.interval.unwrap();
        assert_close(estimate.mean, 3.0, 1e-12);
        assert_close(high, 3.0 + 2.776_445 * 0.5f64.sqrt(), 1e-5);
        assert_close(low, 3.0 - 2.776_445 * 0.5f64.sqrt(), 1e-5);
        // t(0.975; 1) = 12.706205
        let (_, high) = Estimate::of(&[0.0, 2.0]).interval.unwrap();
        assert_close(high, 1.0 + 12.706_205, 1e-4);
        assert_eq!(Estimate::of(&[7.0]).interval, None);
        assert_eq!(Estimate::of(&[7.0, 7.0]).interval, Some((7.0, 7.0)));
    }

    #[test]
    fn p_values_agree_with_published_examples() {
        // Darwin's maize, the example in the manual of scipy.stats.wilcoxon.
        let maize = [
            6., 8., 14., 16., 23., 24., 28., 29., 41., -48., 49., 56., 60., -67., 75.,
        ];
        assert_close(wilcoxon(&maize), 0.041_259_765_625, 1e-12);
        // Hollander & Wolfe's depression scores, the example in R's
        // wilcox.test: one-sided p = 0.01953 (V = 40).
        let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        #[allow(clippy::approx_constant)]
        let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        assert_close(wilcoxon(&differences), 2.0 * 0.019_531_25, 1e-12);
    }

    #[test]
    fn p_values_are_exact_with_ties() {
        // Ranks 1.5, 1.5 and 3 have 8 sign patterns; in three of them the positive sum is at most 1.5.
        assert_close(wilcoxon(&[-1.0, 1.0, 2.0]), 0.75, 1e-12);
        // If all signs are equal, 2 of the 2^5 patterns are as extreme, with or without ties.
        assert_close(wilcoxon(&[4.0; 5]), 2.0 / 32.0, 1e-12);
        // ln(3/2) and ln(2/3) have equal magnitudes, except for the last bit.
        let (up, down) = (1.5_f64.ln(), (2.0_f64 / 3.0).ln());
        assert!(up != -down);
        assert_close(wilcoxon(&[up, down, up + 1.0]), 0.75, 1e-12);
        assert_close(wilcoxon(&[-up, -down, up + 1.0]), 0.75, 1e-12);
        assert_close(wilcoxon(&[0.0, 0.0]), 1.0, 0.0);
        assert_close(wilcoxon(&[0.0, 3.0]), 1.0, 1e-12);
    }

    #[test]
    fn the_normal_approximation_is_close_to_the_exact_p_value() {
        // 50 differences without ties, and 50 as 25 pairs of ties. The rank sums have p-values of
        // about 0.01, 0.1 and 0.5.
        let distinct: Vec<f64> = (1..=50).map(f64::from).collect();
        let in_pairs: Vec<f64> = (0..50).map(|i| f64::from(i / 2) * 2.0 + 1.5).collect();
        for ranks in [distinct, in_pairs] {
            for sum in [373.0, 467.0, 567.0] {
                let (exact, normal) = (exact(&ranks, sum), normal(&ranks, sum));
                assert_close(exact, normal, 0.1 * exact);
            }
        }
        // 60 positive differences without ties: z = -915 / sqrt(18452.5) = -6.7358.
        let positive: Vec<f64> = (1..=60).map(f64::from).collect();
        assert_close(wilcoxon(&positive), 1.63e-11, 0.01e-11);
        // The magnitudes 1 to 20, three times each; those up to 9 are negative. z = (378 - 915) / sqrt(18452.5 - 480 / 48).
        // scipy.stats.wilcoxon(d, correction=False, method="approx") gives the same value.
        let with_ties: Vec<f64> = (1..=60)
            .map(|i| f64::from((i + 2) / 3))
            .map(|d| if d < 10.0 { -d } else { d })
            .collect();
        assert_close(wilcoxon(&with_ties), 7.677_432_216_737e-5, 1e-12);
    }
}
