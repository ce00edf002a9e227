//! Whether a difference is real: mean with interval, signed ranks.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::statistics::Statistics;

/// A mean and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Lower and upper end of the interval by Student's t, of 95 % unless another confidence is named; `None` for
    /// fewer than two values.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// Mean and 95 % interval of some values, which must not be none.
    ///
    /// # Panics
    /// If there are no values.
    pub fn of(values: &[f64]) -> Self {
        Self::at(0.95, values)
    }

    /// As [`of`](Self::of), with an interval of this confidence.
    ///
    /// # Panics
    /// If there are no values.
    pub fn at(confidence: f64, values: &[f64]) -> Self {
        assert!(!values.is_empty(), "no values have no mean");
        let mean = values.mean();
        let interval = (values.len() > 1).then(|| {
            let n = values.len() as f64;
            let t = StudentsT::new(0.0, 1.0, n - 1.0).expect("degrees of freedom are positive");
            let half = t.inverse_cdf(f64::midpoint(1.0, confidence)) * values.std_dev() / n.sqrt();
            (mean - half, mean + half)
        });
        Self { mean, interval }
    }

    /// Mean and interval under a rising function.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            mean: f(self.mean),
            interval: self.interval.map(|(low, high)| (f(low), f(high))),
        }
    }
}

/// Up to this many differences, ranks are summed over all signs.
const EXACT: usize = 50;

/// Two-sided p-value of Wilcoxon's signed-rank test that `differences` are
/// symmetric around 0.
///
/// Differences of 0 are left out and equal ones share their mean rank. Up to
/// 50 differences the distribution is computed over all signs, ties included;
/// beyond that it is taken as normal, with the variance corrected for ties and
/// no correction for continuity. 1 if no difference is left.
pub fn wilcoxon(differences: &[f64]) -> f64 {
    let differences = differences.iter().filter(|&&d| d != 0.0);
    let sizes: Vec<f64> = differences.clone().map(|d| d.abs()).collect();
    let ranks = mean_ranks(&sizes);
    let signed = differences.zip(&ranks);
    let positive = signed.filter(|(&d, _)| d > 0.0).map(|(_, rank)| rank);
    let positive: f64 = positive.sum();
    let smaller = positive.min(ranks.iter().sum::<f64>() - positive);
    match ranks.len() {
        0 => 1.0,
        1..=EXACT => exact(&ranks, smaller),
        _ => normal(&ranks, smaller),
    }
}

/// Sizes that differ by at most this share are ties: logarithms of 3/2 and of 2/3 differ in their
/// last bit.
const TIE: f64 = 1e-12;

/// The rank of each size, from 1 for the smallest; ties share their mean rank.
fn mean_ranks(sizes: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[a].total_cmp(&sizes[b]));
    let mut ranks = vec![0.0; sizes.len()];
    let mut below = 0;
    for ties in order.chunk_by(|&a, &b| sizes[b] - sizes[a] <= TIE * sizes[b]) {
        let rank = below as f64 + (ties.len() + 1) as f64 / 2.0;
        for &index in ties {
            ranks[index] = rank;
        }
        below += ties.len();
    }
    ranks
}

/// The chance that ranks with random signs have a sum of one sign that is at
/// most `smaller`, or at least as far on the other side of the mean.
fn exact(ranks: &[f64], smaller: f64) -> f64 {
    // Twice the rank, so that the mean rank of ties is whole.
    let twice = |rank: f64| (2.0 * rank) as usize;
    // chance[s]: that the ranks of positive sign sum up to s / 2.
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

/// The same for many ranks.
fn normal(ranks: &[f64], smaller: f64) -> f64 {
    let mean = ranks.iter().sum::<f64>() / 2.0;
    let deviation = ranks.iter().map(|rank| rank * rank).sum::<f64>().sqrt() / 2.0;
    2.0 * Normal::standard().cdf((smaller - mean) / deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() <= within, "{a} is not {b}");
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        // t(0.975; 4) = 2.776445; mean 3, standard error sqrt(2.5 / 5).
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let (low, high) = estimate.interval.unwrap();
        close(estimate.mean, 3.0, 1e-12);
        close(high, 3.0 + 2.776_445 * 0.5f64.sqrt(), 1e-5);
        close(low, 3.0 - 2.776_445 * 0.5f64.sqrt(), 1e-5);
        // t(0.975; 1) = 12.706205
        let (_, high) = Estimate::of(&[0.0, 2.0]).interval.unwrap();
        close(high, 1.0 + 12.706_205, 1e-4);
        assert_eq!(Estimate::of(&[7.0]).interval, None);
        assert_eq!(Estimate::of(&[7.0, 7.0]).interval, Some((7.0, 7.0)));
    }

    #[test]
    fn signed_ranks_agree_with_published_examples() {
        // Darwin's maize, the example in the manual of scipy.stats.wilcoxon.
        let maize = [
            6., 8., 14., 16., 23., 24., 28., 29., 41., -48., 49., 56., 60., -67., 75.,
        ];
        close(wilcoxon(&maize), 0.041_259_765_625, 1e-12);
        // Hollander & Wolfe's depression scores, the example in R's
        // wilcox.test: one-sided p = 0.01953 (V = 40).
        let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        #[allow(clippy::approx_constant)]
        let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        close(wilcoxon(&differences), 2.0 * 0.019_531_25, 1e-12);
    }

    #[test]
    fn ties_are_exact_too() {
        // Ranks 1.5, 1.5, 3: sums of 8 sign patterns; at most 1.5 in three.
        close(wilcoxon(&[-1.0, 1.0, 2.0]), 0.75, 1e-12);
        // All of one sign: two of 2^5 patterns, whatever the ties.
        close(wilcoxon(&[4.0; 5]), 2.0 / 32.0, 1e-12);
        // Ratios of 3 to 2 and of 2 to 3 are the same size, though not to the last bit.
        let (up, down) = (1.5_f64.ln(), (2.0_f64 / 3.0).ln());
        assert!(up != -down);
        close(wilcoxon(&[up, down, up + 1.0]), 0.75, 1e-12);
        close(wilcoxon(&[-up, -down, up + 1.0]), 0.75, 1e-12);
        close(wilcoxon(&[0.0, 0.0]), 1.0, 0.0);
        close(wilcoxon(&[0.0, 3.0]), 1.0, 1e-12);
    }

    #[test]
    fn the_normal_tail_continues_the_exact_one() {
        // 50 differences without ties, and 50 in pairs of ties, at sums of
        // ranks around p = 0.01, 0.1 and 0.5.
        let apart: Vec<f64> = (1..=50).map(f64::from).collect();
        let pairs: Vec<f64> = (0..50).map(|i| f64::from(i / 2) * 2.0 + 1.5).collect();
        for ranks in [apart, pairs] {
            for sum in [373.0, 467.0, 567.0] {
                let (exact, normal) = (exact(&ranks, sum), normal(&ranks, sum));
                close(exact, normal, 0.1 * exact);
            }
        }
        // All of 60 positive, no ties: z = -915 / sqrt(18452.5) = -6.7358.
        let rising: Vec<f64> = (1..=60).map(f64::from).collect();
        close(wilcoxon(&rising), 1.63e-11, 0.01e-11);
        // 1 to 20, each three times, up to 9 negative: z = (378 - 915) / sqrt(18452.5 - 480 / 48).
        // The same as scipy.stats.wilcoxon(d, correction=False, method="approx").
        let tied: Vec<f64> = (1..=60)
            .map(|i| f64::from((i + 2) / 3))
            .map(|d| if d < 10.0 { -d } else { d })
            .collect();
        close(wilcoxon(&tied), 7.677_432_216_737e-5, 1e-12);
    }
}
