//! The objective, and the unit of the difference between two games of one case.

use crate::Estimate;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a game that a search maximises. Comparisons measure differences of this value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "args", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The logarithm of the score: all cases weigh the same.
    #[default]
    Log,
    /// The score, by which the contest ranks: long cases on large fields weigh most.
    Sum,
}

impl Objective {
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

    /// Computes the change of the objective from the first to the second run over some pairs of
    /// points. Cuts each difference: see [`Unit::difference`].
    pub fn gain(self, pairs: &[[u64; 2]]) -> f64 {
        let (objective, usual) = (self, usual(pairs));
        let unit = Unit { objective, usual };
        let gains = pairs.iter().map(|&[a, b]| unit.difference(a, b));
        change(&gains.collect::<Vec<_>>()).0
    }

    /// Computes the change of the score in percent with a 95 % interval, without cutting differences.
    /// The interval treats the mean as normally distributed, so it is accurate only for hundreds of
    /// pairs or more. The result is bit-identical on every machine.
    pub fn estimate(self, pairs: &[[u64; 2]]) -> (f64, (f64, f64)) {
        let usual = usual(pairs).max(1.0);
        let gain = |&[a, b]: &[u64; 2]| match self {
            Self::Log => libm::log(b.max(1) as f64 / a.max(1) as f64),
            Self::Sum => (b as f64 - a as f64) / usual,
        };
        let gains: Vec<f64> = pairs.iter().map(gain).collect();
        let (mean, count) = (mean(&gains), gains.len() as f64);
        let squares: f64 = gains.iter().map(|gain| (gain - mean) * (gain - mean)).sum();
        let half = 1.96 * libm::sqrt(squares / (count - 1.0) / count);
        let percent = |gain| self.percent(gain);
        (percent(mean), (percent(mean - half), percent(mean + half)))
    }
}

/// Computes the mean score of the first run.
fn usual(pairs: &[[u64; 2]]) -> f64 {
    mean(&pairs.iter().map(|pair| pair[0] as f64).collect::<Vec<_>>())
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Log => "log",
            Self::Sum => "sum",
        })
    }
}

/// The unit of the differences between the two games of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// The objective whose differences are measured.
    pub objective: Objective,
    /// The usual score: the mean score of the base, or an estimate of that mean from a few games.
    /// Differences by [`Objective::Sum`] are shares of the usual score.
    pub usual: f64,
}

/// The difference between two games of one case: the candidate's value minus the base's.
///
/// The change of the objective over some pairs is the sum of their gains divided by the sum of their
/// bases. For [`Objective::Log`] it is the mean difference of the logarithms; for
/// [`Objective::Sum`] it is the relative change of the sum of scores. Large differences are cut,
/// since otherwise one game could outweigh all others: see [`Unit::cut`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    /// The difference of the logarithms for [`Objective::Log`]; the difference of the scores as a
    /// share of the usual score for [`Objective::Sum`].
    pub gain: f64,
    /// 1 for [`Objective::Log`]; the base's score as a share of the usual score for [`Objective::Sum`].
    pub base: f64,
}

impl Unit {
    /// The maximum absolute difference; larger differences are cut to it.
    ///
    /// For logarithms it is 1, a factor of e, so that a lost game costs about as much as in a sum of
    /// scores. For scores it is four times the usual score. Twice the usual score is too low: a
    /// sequential test estimates the usual score from few games. If the estimate is low, lost games
    /// would count for less than they cost, and a worthless player would pass too often.
    pub fn cut(self) -> f64 {
        match self.objective {
            Objective::Log => 1.0,
            Objective::Sum => 4.0,
        }
    }

    /// The minimum and the maximum of [`Gain::base`].
    pub(crate) fn bases(self) -> [f64; 2] {
        match self.objective {
            Objective::Log => [1.0, 1.0],
            Objective::Sum => [0.0, self.cut()],
        }
    }

    /// Computes the difference between the points of two games. The logarithm counts 0 points as 1.
    pub fn difference(self, base: u64, points: u64) -> Gain {
        let (gain, base) = match self.objective {
            Objective::Log => {
                let ratio = points.max(1) as f64 / base.max(1) as f64;
                (libm::log(ratio), 1.0)
            }
            Objective::Sum => {
                let usual = self.usual.max(1.0);
                ((points as f64 - base as f64) / usual, base as f64 / usual)
            }
        };
        let [_, most] = self.bases();
        Gain {
            gain: gain.clamp(-self.cut(), self.cut()),
            base: base.min(most),
        }
    }

    /// Estimates the change of the score in percent from the gains of the pairs, with a 95 %
    /// interval. The interval is valid only if the number of pairs was fixed in advance.
    ///
    /// # Panics
    /// If `gains` is empty.
    pub fn estimate(self, gains: &[Gain]) -> Estimate {
        let (change, base) = change(gains);
        let residuals = gains.iter();
        let residuals = residuals.map(|one| (one.gain - change * one.base) / base);
        let estimate = Estimate::of(&residuals.collect::<Vec<_>>());
        // The mean of the residuals is 0, except for rounding.
        let percent = |residual| self.objective.percent(change + residual).max(-100.0);
        Estimate {
            mean: percent(0.0),
            ..estimate.map(percent)
        }
    }
}

/// Returns the change of the objective, which is the sum of the gains divided by the sum of their
/// bases, and the mean of the bases.
pub(crate) fn change(gains: &[Gain]) -> (f64, f64) {
    let sum: f64 = gains.iter().map(|one| one.gain).sum();
    let bases: f64 = gains.iter().map(|one| one.base).sum();
    let count = gains.len() as f64;
    // If the base scored 0 in every pair, count each of its games as the usual score, 1.
    let bases = if bases > 0.0 { bases } else { count };
    (sum / bases, bases / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(objective: Objective, usual: f64) -> Unit {
        Unit { objective, usual }
    }

    #[test]
    fn each_objective_converts_to_percent_in_its_own_way() {
        assert_eq!(format!("{:+.1}", Objective::Sum.percent(0.5517)), "+55.2");
        assert_eq!(format!("{:+.1}", Objective::Log.percent(0.5517)), "+73.6");
        for objective in [Objective::Log, Objective::Sum] {
            let percent = objective.percent(objective.change(7.0));
            assert!((percent - 7.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_difference_is_a_ratio_or_a_share_and_is_cut() {
        let log = unit(Objective::Log, 0.0);
        let doubled = log.difference(100, 200);
        assert!((doubled.gain - 2.0_f64.ln()).abs() < 1e-12);
        let sum = unit(Objective::Sum, 400.0);
        let quarter = Gain {
            gain: 0.25,
            base: 0.25,
        };
        assert_eq!(sum.difference(100, 200), quarter);
        // A game with 0 points loses a finite amount, although ln 0 is −∞.
        assert_eq!(log.difference(1, 0).gain, 0.0);
        assert_eq!(log.difference(1000, 0).gain, -1.0);
        assert_eq!(sum.difference(4000, 0).gain, -4.0);
        assert_eq!(sum.difference(4000, 0).base, 4.0);
    }

    #[test]
    fn an_estimate_does_not_depend_on_the_usual_score() {
        let games = [(100, 110), (200, 180), (300, 390)];
        let of =
            |unit: Unit| unit.estimate(&games.map(|(base, points)| unit.difference(base, points)));
        for usual in [200.0, 300.0, 999.0] {
            let sum = of(unit(Objective::Sum, usual));
            assert!((sum.mean - 100.0 * (680.0 / 600.0 - 1.0)).abs() < 1e-9);
        }
        let log = of(unit(Objective::Log, 0.0));
        let mean = (1.1_f64.ln() + 0.9_f64.ln() + 1.3_f64.ln()) / 3.0;
        assert!((log.mean - 100.0 * mean.exp_m1()).abs() < 1e-9);
        let (low, high) = log.interval.unwrap();
        assert!(low < log.mean && log.mean < high);
        // No player loses more than 100 %.
        let lost = unit(Objective::Sum, 100.0);
        let lost = lost.estimate(&[lost.difference(100, 0), lost.difference(90, 80)]);
        assert_eq!(lost.interval.unwrap().0, -100.0);
    }

    #[test]
    fn gain_cuts_large_differences_and_estimate_does_not() {
        let change = |objective: Objective, pairs: &[_]| objective.percent(objective.gain(pairs));
        let mut pairs = vec![[1000, 1100]; 19];
        assert!((change(Objective::Sum, &pairs) - 10.0).abs() < 1e-9);
        assert!((change(Objective::Log, &pairs) - 10.0).abs() < 1e-9);
        // One lost game in twenty: if its logarithm were not cut, it would outweigh all others.
        pairs.push([1000, 0]);
        assert!(Objective::Log.estimate(&pairs).0 < -20.0);
        let cut = change(Objective::Log, &pairs);
        assert!((4.0..5.0).contains(&cut), "{cut}");
        let (mean, (low, high)) = Objective::Sum.estimate(&pairs);
        assert!((mean - 4.5).abs() < 1e-9 && low < mean && mean < high);
    }
}
