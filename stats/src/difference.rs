//! Two players, case by case.

use crate::estimate::{wilcoxon, Estimate};
use columns_generator::classes::{Holds, Kind, CLASSES};
use serde::Serialize;
use std::cmp::Ordering;

/// Natural logarithm of a score, that of 0 being the same as that of 1.
pub fn log_score(score: u64) -> f64 {
    (score.max(1) as f64).ln()
}

/// The scores of one case, played by both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// What it is called.
    pub name: String,
    /// What kind of case it is.
    #[serde(skip)]
    pub kind: Kind,
    /// Points of the first.
    pub a: u64,
    /// Points of the second.
    pub b: u64,
}

impl Pair {
    /// The difference of the logarithms of the scores, the second's less the first's; a
    /// score of 0 counts as 1.
    pub fn log_difference(&self) -> f64 {
        log_score(self.b) - log_score(self.a)
    }
}

/// Fewer cases have no interval: it would say that everything is possible.
const LEAST: usize = 5;

/// How the second run does against the first on some cases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// What kind of cases they are.
    pub name: String,
    /// Number of cases that both runs played.
    pub cases: usize,
    /// Points per game of the first run.
    pub mean_a: f64,
    /// Points per game of the second run.
    pub mean_b: f64,
    /// Change of the score in percent, as a mean over cases of the difference
    /// of logarithms: every case counts alike. A score of 0 counts as 1.
    pub log_percent: Estimate,
    /// Change of the sum of scores, in percent of the first run's: what the
    /// contest ranks by. `None` if the first run scored nothing.
    pub sum_percent: Option<Estimate>,
    /// Cases in which the second run scores more.
    pub wins: usize,
    /// Cases in which it scores less.
    pub losses: usize,
    /// Cases in which both score the same.
    pub ties: usize,
    /// Two-sided p-value of Wilcoxon's signed-rank test on the differences of
    /// logarithms.
    pub wilcoxon_p: f64,
}

impl Difference {
    /// Compares both players on these pairs.
    ///
    /// # Panics
    /// If there are none.
    pub fn of(name: &str, pairs: &[&Pair]) -> Self {
        Self::among(1, name, pairs)
    }

    /// As [`of`](Self::of) for one of several candidates that are compared with the first player. All intervals of their
    /// differences hold together with 95 %, and so do the p-values (Bonferroni).
    ///
    /// # Panics
    /// If there are no pairs.
    pub fn among(candidates: usize, name: &str, pairs: &[&Pair]) -> Self {
        let n = pairs.len() as f64;
        let mean = |side: fn(&&Pair) -> u64| pairs.iter().map(side).sum::<u64>() as f64 / n;
        let (mean_a, mean_b) = (mean(|p| p.a), mean(|p| p.b));
        let logs: Vec<f64> = pairs.iter().map(|pair| pair.log_difference()).collect();
        // The logarithm of the ratio of the sums, by its first terms: its interval cannot reach
        // below a loss of all points.
        let ratio = mean_b / mean_a;
        let residues = pairs.iter().map(|p| p.b as f64 - ratio * p.a as f64);
        let residues: Vec<f64> = residues.map(|d| d / mean_b.max(1.0)).collect();
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
                .then(|| estimate(&residues).map(|log| 100.0 * (ratio * log.exp() - 1.0))),
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
            wilcoxon_p: (wilcoxon(&logs) * candidates as f64).min(1.0),
        }
    }

    /// Compares both players on each class of cases that occurs: by area of the field, by number of columns, by
    /// kind of palette and number of colours.
    pub fn by_class(pairs: &[Pair]) -> Vec<Self> {
        let class = |(name, holds): (&str, Holds)| {
            let pairs: Vec<&Pair> = pairs.iter().filter(|pair| holds(&pair.kind)).collect();
            (!pairs.is_empty()).then(|| Self::of(name, &pairs))
        };
        CLASSES.into_iter().filter_map(class).collect()
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
        for (cases, is_there) in [(3, false), (4, false), (5, true)] {
            let difference = Difference::of("all", &pairs[..cases]);
            assert_eq!(
                difference.log_percent.interval.is_some(),
                is_there,
                "{cases}"
            );
            assert_eq!(
                difference.sum_percent.unwrap().interval.is_some(),
                is_there,
                "{cases}"
            );
        }
    }
}
