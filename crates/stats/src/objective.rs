//! A pair of games, and the change in the score over many pairs.

use crate::{Estimate, wager::ChangeAndBase};
use columns_cases::classes::CaseProperties;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The points of A, the base, and of B on one case; `None` for a failed game, which exceeded a limit, crashed
/// or printed no valid plan.
pub type PairPoints = [Option<u64>; 2];

/// The games of A, the base, and of B on one case.
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
    /// Returns the points of A, then those of B, without the properties of the case.
    pub fn points(&self) -> PairPoints {
        [self.a, self.b]
    }
}

/// Returns both scores. A failed game scores 0.
fn scores(points: PairPoints) -> [f64; 2] {
    points.map(|points| points.unwrap_or(0) as f64)
}

/// Returns the sum of A's and the sum of B's scores.
pub(crate) fn score_sums(pairs: &[PairPoints]) -> [f64; 2] {
    [0, 1].map(|side| pairs.iter().map(|&pair| scores(pair)[side]).sum())
}

/// Returns 1 if only A failed, −1 if only B failed, otherwise 0.
pub(crate) fn finish_difference(points: PairPoints) -> f64 {
    let [a, b] = points.map(|points| f64::from(points.is_some()));
    b - a
}

/// The value of a game that a search maximises and a comparison measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

    /// Computes by how much the value of B's game exceeds the value of A's game.
    ///
    /// For [`Log`](Self::Log), a failed game loses 1 (a factor of e), and 0 points count as 1. For
    /// [`Sum`](Self::Sum), a failed game has 0 points.
    pub fn gain(self, points: PairPoints) -> f64 {
        let [a, b] = match self {
            Self::Log if points.contains(&None) => return finish_difference(points),
            Self::Log => scores(points).map(|score| libm::log(score.max(1.0))),
            Self::Sum => scores(points),
        };
        b - a
    }

    /// Estimates the change in the score from A to B in percent.
    ///
    /// | objective | change | failed games |
    /// | --- | --- | --- |
    /// | `log` | in the geometric mean; 0 points count as 1 | their pairs are left out |
    /// | `sum` | in the sum of scores | count as 0 points |
    ///
    /// No number is clipped. The interval is valid if the number of pairs was fixed before the games, and is
    /// corrected for the number of candidates: see [`Estimate`]. Returns `None` if there is nothing to
    /// compare: no pair of finished games, or no points of A.
    pub fn estimate(self, candidates: usize, pairs: &[PairPoints]) -> Option<Estimate> {
        let finished = pairs.iter().filter(|pair| !pair.contains(&None));
        let [sum_a, sum_b] = score_sums(pairs);
        let logs: Vec<f64> = match self {
            Self::Log => finished.map(|&pair| self.gain(pair)).collect(),
            Self::Sum if sum_a == 0.0 => return None,
            Self::Sum => {
                // B's sum counts as at least a billionth of a point, so that its logarithm exists.
                let sum_b = sum_b.max(1e-9);
                let (ratio, mean) = (sum_b / sum_a, sum_b / pairs.len() as f64);
                // The logarithm of the ratio, and the contribution of each pair to it, to the first order.
                // The mean of the contributions is 0. On the logarithmic scale, the interval cannot extend
                // below −100 %.
                let log = libm::log(ratio);
                let games = pairs.iter().map(|&pair| scores(pair));
                games.map(|[a, b]| log + (b - ratio * a) / mean).collect()
            }
        };
        Estimate::new(candidates, &logs)
    }

    /// Computes the change in the objective that decides a challenge. For logarithms, it is the mean
    /// [gain](Self::gain), with each gain clipped at a factor of e, so that a failed game weighs about as
    /// much as in a sum of scores. For scores, it is the change in the sum, and nothing is clipped: the
    /// number of pairs is fixed, so the decision needs no bound.
    pub fn clipped_change(self, pairs: &[PairPoints]) -> f64 {
        let gains = pairs.iter().map(|&pair| self.gain(pair));
        match self {
            Self::Log => gains.map(|gain| gain.clamp(-1.0, 1.0)).sum::<f64>() / pairs.len() as f64,
            Self::Sum => gains.sum::<f64>() / score_sums(pairs)[0].max(1.0),
        }
    }

    /// Returns the maximum absolute change of one game in a sequential test, and describes the clipping.
    pub(crate) fn max_change(self) -> (f64, &'static str) {
        match self {
            Self::Log => (1.0, "each game's change clipped at a factor of e"),
            Self::Sum => (4.0, "each game's change clipped at 4 times A's mean score"),
        }
    }

    /// Returns the change of one pair, clipped at [`max_change`](Self::max_change).
    ///
    /// For [`Log`](Self::Log) the base of the change is 1, and the result is `None` if a game failed. For
    /// [`Sum`](Self::Sum), change and base are shares of the `usual` score, and the result is `None` if the
    /// usual score is unknown or 0. If A's share exceeds `max_change`, both shares are multiplied by the
    /// factor that makes A's share `max_change`, so that the game keeps its relative change.
    pub(crate) fn clip(self, points: PairPoints, usual: Option<f64>) -> Option<ChangeAndBase> {
        let (max, _) = self.max_change();
        match (self, usual) {
            (Self::Log, _) if points.contains(&None) => None,
            (Self::Log, _) => Some([self.gain(points).clamp(-max, max), 1.0]),
            (Self::Sum, Some(usual)) if usual > 0.0 => {
                let [a, b] = scores(points).map(|score| score / usual);
                let weight = if a > max { max / a } else { 1.0 };
                Some([((b - a) * weight).min(max), a * weight])
            }
            (Self::Sum, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_weigh_cases_differently() {
        // A small score doubles, and a large one grows by a tenth.
        let gains = |objective: Objective| {
            [(100, 200), (10_000, 11_000)].map(|(a, b)| objective.gain([Some(a), Some(b)]))
        };
        let [small, large] = gains(Objective::Log);
        assert!(small > large && (small - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(gains(Objective::Sum), [100.0, 1000.0]);
        // A valid game with 0 points has a finite gain. A failed game loses a factor of e on every case.
        let gain = |a, b| Objective::Log.gain([a, b]);
        assert!(gain(Some(0), Some(1)).abs() < 1e-12);
        assert_eq!(gain(Some(10_000), None), -1.0);
        assert_eq!(gain(None, Some(0)), 1.0);
        assert_eq!(gain(None, None), 0.0);
        assert_eq!(Objective::Sum.gain([Some(10_000), None]), -10_000.0);
    }

    #[test]
    fn a_challenge_is_decided_by_clipped_gains() {
        let pairs = [
            [Some(100), Some(10_000)],
            [Some(100), Some(50)],
            [Some(100), None],
        ];
        let log = Objective::Log.clipped_change(&pairs);
        assert!(
            (log - (1.0 - 2.0_f64.ln() - 1.0) / 3.0).abs() < 1e-12,
            "{log}"
        );
        assert!((Objective::Sum.clipped_change(&pairs) - 9750.0 / 300.0).abs() < 1e-12);
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
