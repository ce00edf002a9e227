//! A pair of games, and the change in the score over many pairs.

use crate::{Estimate, wager::ChangeAndBase};
use columns_cases::classes::CaseProperties;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The points of A, the base, and of B on one case; `None` for a failed game, which exceeded a limit, crashed
/// or printed no valid plan.
pub type PairPoints = [Option<u64>; 2];

/// The games that A (the base) and B played on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The properties of the case, which determine its classes. They are read from JSON, but not written.
    #[serde(flatten, skip_serializing)]
    pub properties: CaseProperties,
    /// Points of A; `None` for a failed game.
    pub a: Option<u64>,
    /// Points of B; `None` for a failed game.
    pub b: Option<u64>,
}

impl Pair {
    /// Returns the points of A and of B, in this order, without the properties of the case.
    pub fn points(&self) -> PairPoints {
        [self.a, self.b]
    }
}

/// Returns both scores. A failed game scores 0.
fn scores(points: PairPoints) -> [f64; 2] {
    points.map(|points| points.unwrap_or(0) as f64)
}

/// Returns the total scores of A and of B.
pub(crate) fn score_sums(pairs: &[PairPoints]) -> [f64; 2] {
    [0, 1].map(|side| pairs.iter().map(|&pair| scores(pair)[side]).sum())
}

/// Returns log(b/a), where a and b are the points of A and of B. 0 points count as 1.
pub fn log_ratio(points: [u64; 2]) -> f64 {
    let [a, b] = points.map(|points| libm::log(points.max(1) as f64));
    b - a
}

/// The quantity that a search maximises and a comparison measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The logarithm of the score. All cases have the same weight.
    #[default]
    Log,
    /// The score, by which the contest ranks. Long cases on large fields have the most weight.
    Sum,
}

impl fmt::Display for Objective {
    /// Writes the name that options and files use: `log` or `sum`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Log { "log" } else { "sum" })
    }
}

impl Objective {
    /// Converts a change in the score in percent to a change in the objective.
    pub fn change_from_percent(self, percent: f64) -> f64 {
        match self {
            Self::Log => libm::log1p(percent / 100.0),
            Self::Sum => percent / 100.0,
        }
    }

    /// Converts a change in the objective to a change in the score in percent.
    pub fn percent_from_change(self, change: f64) -> f64 {
        match self {
            Self::Log => 100.0 * libm::expm1(change),
            Self::Sum => 100.0 * change,
        }
    }

    /// Computes the change in the objective from A's game to B's. Sequential tests, challenges, the gate and
    /// the gradient of a fit all use this rule.
    ///
    /// | games | `log` | `sum` |
    /// | --- | --- | --- |
    /// | both finished | log(b/a), clipped at ±1, a factor of e | b − a |
    /// | only B failed | −1 | −a |
    /// | only A failed | +1 | b |
    /// | both failed | 0 | 0 |
    pub fn change(self, points: PairPoints) -> f64 {
        match (self, points) {
            (Self::Log, [Some(a), Some(b)]) => log_ratio([a, b]).clamp(-1.0, 1.0),
            (Self::Log, [a, b]) => f64::from(b.is_some()) - f64::from(a.is_some()),
            (Self::Sum, _) => {
                let [a, b] = scores(points);
                b - a
            }
        }
    }

    /// Computes the mean [change](Self::change) of all pairs, failed games included. For the sum of scores,
    /// the mean is the sum of the changes divided by the sum of A's scores.
    pub fn mean_change(self, pairs: &[PairPoints]) -> f64 {
        let sum: f64 = pairs.iter().map(|&pair| self.change(pair)).sum();
        match self {
            Self::Log => sum / pairs.len() as f64,
            Self::Sum => sum / score_sums(pairs)[0].max(1.0),
        }
    }

    /// Estimates the change in the score from A to B in percent.
    ///
    /// | objective | change | failed games |
    /// | --- | --- | --- |
    /// | `log` | in the geometric mean; 0 points count as 1 | their pairs are left out |
    /// | `sum` | in the sum of scores | count as 0 points |
    ///
    /// Nothing is clipped. The interval is valid if the number of pairs was fixed before the games, and is
    /// corrected for the number of candidates: see [`Estimate`]. Returns `None` if there is nothing to
    /// compare: for `log`, no pair has two finished games; for `sum`, A scored no points.
    pub fn estimate(self, candidates: usize, pairs: &[PairPoints]) -> Option<Estimate> {
        let finished = pairs.iter().filter_map(|&[a, b]| Some([a?, b?]));
        let [sum_a, sum_b] = score_sums(pairs);
        let logs: Vec<f64> = match self {
            Self::Log => finished.map(log_ratio).collect(),
            Self::Sum if sum_a == 0.0 => return None,
            Self::Sum => {
                // B's sum counts as at least a billionth of a point, so that its logarithm exists.
                let sum_b = sum_b.max(1e-9);
                let (ratio, mean) = (sum_b / sum_a, sum_b / pairs.len() as f64);
                // Each value is the logarithm of the ratio plus a pair's contribution to it, to first order.
                // The mean of the contributions is 0. On the logarithmic scale, the interval cannot extend
                // below −100 %.
                let log = libm::log(ratio);
                let games = pairs.iter().map(|&pair| scores(pair));
                games.map(|[a, b]| log + (b - ratio * a) / mean).collect()
            }
        };
        Estimate::new(candidates, &logs)
    }

    /// Returns the maximum absolute change of a pair in a sequential test, and a description of the clipping
    /// for messages. For [`Sum`](Self::Sum), the unit is A's mean score.
    pub(crate) fn max_change(self) -> (f64, &'static str) {
        match self {
            Self::Log => (1.0, "each game's change clipped at a factor of e"),
            Self::Sum => (4.0, "each game's change clipped at 4 times A's mean score"),
        }
    }

    /// Returns the [change](Self::change) of one pair and its base, for a sequential test.
    ///
    /// For [`Log`](Self::Log), the base is 1. For [`Sum`](Self::Sum), the change and the base (A's score) are
    /// divided by `unit`, a mean score, and the result is `None` if `unit` is 0. If the base exceeds
    /// [`max_change`](Self::max_change), both are scaled down until the base equals `max_change`, so that the
    /// pair keeps its relative change. Then the change is clipped at `max_change`.
    pub(crate) fn change_and_base(self, points: PairPoints, unit: f64) -> Option<ChangeAndBase> {
        let (max, _) = self.max_change();
        match self {
            Self::Log => Some([self.change(points), 1.0]),
            Self::Sum if unit == 0.0 => None,
            Self::Sum => {
                let base = scores(points)[0] / unit;
                let weight = if base > max { max / base } else { 1.0 };
                let change = self.change(points) / unit;
                Some([(change * weight).min(max), base * weight])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_weigh_cases_differently() {
        // A small score doubles, and a large one grows by a tenth.
        let changes = |objective: Objective| {
            [(100, 200), (10_000, 11_000)].map(|(a, b)| objective.change([Some(a), Some(b)]))
        };
        let [small, large] = changes(Objective::Log);
        assert!(small > large && (small - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(changes(Objective::Sum), [100.0, 1000.0]);
    }

    /// Every decision is based on [`Objective::change`], so each kind of pair is checked.
    #[test]
    fn a_failed_game_counts_as_a_factor_of_e_or_as_0_points() {
        for (a, b, log, sum) in [
            (Some(10_000), None, -1.0, -10_000.0),
            (None, Some(0), 1.0, 0.0),
            (None, Some(300), 1.0, 300.0),
            (None, None, 0.0, 0.0),
            (Some(0), Some(1), 0.0, 1.0),
            (Some(100), Some(10_000), 1.0, 9900.0),
            (Some(10_000), Some(0), -1.0, -10_000.0),
        ] {
            let changes =
                [Objective::Log, Objective::Sum].map(|objective| objective.change([a, b]));
            assert_eq!(changes, [log, sum], "{a:?} {b:?}");
        }
    }

    #[test]
    fn the_mean_change_includes_failed_games() {
        let pairs = [
            [Some(100), Some(10_000)],
            [Some(100), Some(50)],
            [Some(100), None],
        ];
        let log = Objective::Log.mean_change(&pairs);
        assert!(
            (log - (1.0 - 2.0_f64.ln() - 1.0) / 3.0).abs() < 1e-12,
            "{log}"
        );
        assert!((Objective::Sum.mean_change(&pairs) - 9750.0 / 300.0).abs() < 1e-12);
    }

    #[test]
    fn sums_without_points_have_no_change_or_lose_everything() {
        let estimate = |a, b, count| {
            let pairs = vec![[Some(a), Some(b)]; count];
            Objective::Sum.estimate(1, &pairs)
        };
        assert_eq!(estimate(0, 5, 6), None);
        assert_eq!(estimate(5, 5, 0), None);
        let lost = estimate(5, 0, 6).unwrap();
        let (low, high) = lost.interval.unwrap();
        assert!(
            (lost.mean + 100.0).abs() < 1e-6 && low >= -100.0 && high < -99.99,
            "{lost:?}"
        );
    }
}
