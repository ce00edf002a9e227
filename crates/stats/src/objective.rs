//! The pair of games, and the change of the score over many pairs.

use crate::Estimate;
use columns_generator::classes::Kind;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The points of A, the base, and of B on one case. A failed game, which exceeded a limit, crashed or printed no valid
/// plan, has no points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Size, length, colours and palette of the case, which determine its classes. Read from JSON, but not written.
    #[serde(flatten, skip_serializing)]
    pub kind: Kind,
    /// Points of A; `None` for a failed game.
    pub a: Option<u64>,
    /// Points of B; `None` for a failed game.
    pub b: Option<u64>,
}

impl Pair {
    /// Returns the points of A and of B.
    pub fn points(&self) -> [Option<u64>; 2] {
        [self.a, self.b]
    }

    /// Returns the natural logarithm of B's points over A's; `None` if a game failed. 0 points count as 1.
    pub fn log_change(&self) -> Option<f64> {
        log_change(self.points())
    }
}

/// Returns the natural logarithm of a score. A score of 0 counts as 1.
pub fn log_score(score: u64) -> f64 {
    libm::log(score.max(1) as f64)
}

fn log_change([a, b]: [Option<u64>; 2]) -> Option<f64> {
    Some(log_score(b?) - log_score(a?))
}

/// The value of a game that a search maximises and a comparison measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The logarithm of the score: all cases weigh the same.
    #[default]
    Log,
    /// The score, by which the contest ranks: long cases on large fields weigh most.
    Sum,
}

impl Objective {
    /// All objectives, in the order of their options.
    pub const ALL: [Self; 2] = [Self::Log, Self::Sum];

    /// Returns the name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Sum => "sum",
        }
    }

    /// Converts a change of the score in percent to a change of the objective.
    pub fn change(self, percent: f64) -> f64 {
        match self {
            Self::Log => libm::log1p(percent / 100.0),
            Self::Sum => percent / 100.0,
        }
    }

    /// Converts a change of the objective to a change of the score in percent.
    pub fn percent(self, change: f64) -> f64 {
        match self {
            Self::Log => 100.0 * libm::expm1(change),
            Self::Sum => 100.0 * change,
        }
    }

    /// Estimates the change of the score from A to B in percent, from the points of A and B in each pair.
    ///
    /// | objective | change | failed games |
    /// | --- | --- | --- |
    /// | `log` | of the geometric mean; 0 points count as 1 | their pairs are left out |
    /// | `sum` | of the sum of scores | count as 0 points |
    ///
    /// No number is clamped. The interval has this confidence if the number of pairs was fixed before the games, and is
    /// missing for fewer than five pairs: it would be too wide to be useful. Returns `None` if there is nothing to
    /// compare: no pair of finished games, or no points of A.
    pub fn estimate(self, confidence: f64, pairs: &[[Option<u64>; 2]]) -> Option<Estimate> {
        let mut estimate = match self {
            Self::Log => {
                let logs: Vec<f64> = pairs.iter().copied().filter_map(log_change).collect();
                (!logs.is_empty()).then(|| Estimate::at(confidence, &logs))?
            }
            Self::Sum => ratio_of_sums(confidence, pairs)?,
        };
        estimate.interval = estimate.interval.filter(|_| pairs.len() >= MIN_PAIRS);
        Some(estimate.map(|log| 100.0 * libm::expm1(log)))
    }

    /// Computes the change of the objective that a search follows: the mean of the cut changes. A failed
    /// game counts as a loss by the cut for [`Log`](Self::Log) and as 0 points for [`Sum`](Self::Sum).
    pub fn clipped_change(self, pairs: &[[Option<u64>; 2]]) -> f64 {
        let mean = |side: usize| {
            let scores = pairs.iter().map(|pair| pair[side].unwrap_or(0) as f64);
            scores.sum::<f64>() / pairs.len() as f64
        };
        let usual = if mean(0) > 0.0 { mean(0) } else { mean(1) };
        let lost = |points: Option<u64>| f64::from(u8::from(points.is_none()));
        let (mut gain, mut base) = (0.0, 0.0);
        for &pair in pairs {
            let failed = (lost(pair[0]) - lost(pair[1]), 1.0);
            let one = self.cut(pair, usual).unwrap_or(failed);
            gain += one.0;
            base += one.1;
        }
        // If A scored nothing, each of its games counts as the usual score.
        gain / if base > 0.0 { base } else { pairs.len() as f64 }
    }

    /// The maximum absolute change of one game in a sequential test and in a search.
    ///
    /// For logarithms it is 1, a factor of e, so that a lost game costs about as much as in a sum of scores. For scores
    /// it is four times A's mean score.
    pub(crate) fn max_change(self) -> f64 {
        match self {
            Self::Log => 1.0,
            Self::Sum => 4.0,
        }
    }

    /// Describes the cut, for a line with an interval that depends on it.
    pub(crate) fn clip_text(self) -> &'static str {
        match self {
            Self::Log => "each game's change clipped at a factor of e",
            Self::Sum => "each game's change clipped at 4 times A's mean score",
        }
    }

    /// Returns the change of one pair, cut at [`max_change`](Self::max_change), and the base that it refers to. The change
    /// over many pairs is the sum of their changes divided by the sum of their bases.
    ///
    /// For [`Log`](Self::Log) the base is 1, and the result is `None` if a game failed. For [`Sum`](Self::Sum), both numbers
    /// are shares of the `usual` score, and the result is `None` if that is 0. If A's score is above the cut, both scores are
    /// scaled down to it, so that the game keeps its relative change.
    pub(crate) fn cut(self, pair: [Option<u64>; 2], usual: f64) -> Option<(f64, f64)> {
        let max = self.max_change();
        if self == Self::Log {
            return Some((log_change(pair)?.clamp(-max, max), 1.0));
        }
        if usual == 0.0 {
            return None;
        }
        let [a, b] = pair.map(|points| points.unwrap_or(0) as f64 / usual);
        let weight = if a > max { max / a } else { 1.0 };
        Some((((b - a) * weight).min(max), a * weight))
    }
}

/// Minimum number of pairs for an interval.
const MIN_PAIRS: usize = 5;

/// Estimates the logarithm of the ratio of B's sum to A's.
///
/// The residual of a pair is its first-order contribution to that logarithm. On the logarithmic scale, the interval cannot
/// extend below −100 %.
fn ratio_of_sums(confidence: f64, pairs: &[[Option<u64>; 2]]) -> Option<Estimate> {
    let points = |pair: &[Option<u64>; 2]| pair.map(|points| points.unwrap_or(0) as f64);
    let sums = pairs
        .iter()
        .map(points)
        .fold([0.0; 2], |sum, pair| [sum[0] + pair[0], sum[1] + pair[1]]);
    let [mean_a, mean_b] = sums.map(|sum| sum / pairs.len() as f64);
    if mean_a == 0.0 {
        return None;
    }
    if mean_b == 0.0 {
        return Some(Estimate {
            mean: f64::NEG_INFINITY,
            interval: None,
        });
    }
    let ratio = mean_b / mean_a;
    let residuals = pairs
        .iter()
        .map(points)
        .map(|[a, b]| (b - ratio * a) / mean_b);
    let estimate = Estimate::at(confidence, &residuals.collect::<Vec<_>>());
    // The mean of the residuals is 0, except for rounding.
    let log = libm::log(ratio);
    Some(Estimate {
        mean: log,
        ..estimate.map(|residual| log + residual)
    })
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Objective {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|one| one.name() == text);
        named.ok_or_else(|| "expected log or sum".into())
    }
}
