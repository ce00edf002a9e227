//! The difference between two runs, case by case.

use crate::estimate::{Estimate, wilcoxon};
use columns_generator::classes::{Kind, by_class};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Returns the natural logarithm of a score. A score of 0 counts as 1.
pub fn log_score(score: u64) -> f64 {
    (score.max(1) as f64).ln()
}

/// The scores of two runs on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Name of the case; empty if JSON does not contain it.
    #[serde(default)]
    pub name: String,
    /// Field size, number of columns, colours and palette of the case, which determine its classes. Read from JSON, but not
    /// written.
    #[serde(flatten, skip_serializing)]
    pub kind: Kind,
    /// Points of the first run.
    pub a: u64,
    /// Points of the second run.
    pub b: u64,
}

impl Pair {
    /// Returns the logarithm of the second score minus that of the first. A score of 0 counts as 1.
    pub fn log_difference(&self) -> f64 {
        log_score(self.b) - log_score(self.a)
    }
}

/// Minimum number of cases for an interval. With fewer cases, the interval would be too wide to be useful.
pub(crate) const LEAST: usize = 5;

/// The difference between two runs on a set of cases: the second run (B) against the first (A).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Name of the set of cases: `all`, or a class such as `under 300 columns`.
    pub name: String,
    /// Number of cases that both runs played.
    pub cases: usize,
    /// Points per game of the first run.
    pub mean_a: f64,
    /// Points per game of the second run.
    pub mean_b: f64,
    /// Change of the geometric mean of the scores, in percent. Every case has the same weight. A score of 0 counts as 1.
    pub log_percent: Estimate,
    /// Change of the sum of scores, as a percentage of the first run's sum. The contest ranks by this sum. `None` if the
    /// first run scored nothing.
    pub sum_percent: Option<Estimate>,
    /// Number of cases on which the second run scores more.
    pub wins: usize,
    /// Number of cases on which the second run scores less.
    pub losses: usize,
    /// Number of cases with equal scores.
    pub ties: usize,
    /// Two-sided p-value of Wilcoxon's signed-rank test on the differences of the logarithms of the scores.
    pub wilcoxon_p: f64,
}

impl Difference {
    /// Compares the two runs on the cases of `pairs`.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn of(name: &str, pairs: &[&Pair]) -> Self {
        Self::among(1, name, pairs)
    }

    /// Like [`of`](Self::of), for one of several candidates that are compared with the same first run.
    ///
    /// The intervals and p-values are corrected for the number of candidates (Bonferroni): with 95 % confidence, the
    /// intervals of all candidates contain their true differences.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn among(candidates: usize, name: &str, pairs: &[&Pair]) -> Self {
        let n = pairs.len() as f64;
        let mean = |side: fn(&&Pair) -> u64| pairs.iter().map(side).sum::<u64>() as f64 / n;
        let (mean_a, mean_b) = (mean(|p| p.a), mean(|p| p.b));
        let logs: Vec<f64> = pairs.iter().map(|pair| pair.log_difference()).collect();
        // The residual of a case is its first-order contribution to the logarithm of the ratio of the sums. On the
        // logarithmic scale, the interval cannot extend below -100 %.
        let ratio = mean_b / mean_a;
        let residuals = pairs.iter().map(|p| p.b as f64 - ratio * p.a as f64);
        let residuals: Vec<f64> = residuals.map(|d| d / mean_b.max(1.0)).collect();
        let estimate = |values: &[f64]| {
            let mut estimate = Estimate::at(1.0 - 0.05 / candidates as f64, values);
            estimate.interval = estimate.interval.filter(|_| values.len() >= LEAST);
            estimate
        };
        let count = |order| pairs.iter().filter(|p| p.b.cmp(&p.a) == order).count();
        Self {
            name: name.into(),
            cases: pairs.len(),
            mean_a,
            mean_b,
            log_percent: estimate(&logs).map(|log| 100.0 * log.exp_m1()),
            sum_percent: (mean_a > 0.0)
                .then(|| estimate(&residuals).map(|log| 100.0 * (ratio * log.exp() - 1.0))),
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
            wilcoxon_p: (wilcoxon(&logs) * candidates as f64).min(1.0),
        }
    }

    /// Compares the two runs on each class that occurs among the cases. Cases are grouped by area of the field, by number
    /// of columns, and by palette and number of colours.
    pub fn by_class(pairs: &[Pair]) -> Vec<Self> {
        let classes = by_class(pairs, |pair| &pair.kind);
        classes
            .map(|(name, pairs)| Self::of(name, &pairs))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_than_five_cases_have_no_interval() {
        let kind = Kind::of(
            &columns_generator::generate(1, &columns_generator::Spec::default()),
            columns_generator::Palette::Growing,
        );
        let pairs: Vec<Pair> = (0..5)
            .map(|i| Pair {
                name: i.to_string(),
                kind,
                a: 100,
                b: 100 + i,
            })
            .collect();
        let pairs: Vec<&Pair> = pairs.iter().collect();
        for (cases, has_interval) in [(3, false), (4, false), (5, true)] {
            let difference = Difference::of("all", &pairs[..cases]);
            assert_eq!(
                difference.log_percent.interval.is_some(),
                has_interval,
                "{cases}"
            );
            assert_eq!(
                difference.sum_percent.unwrap().interval.is_some(),
                has_interval,
                "{cases}"
            );
        }
    }
}
