//! The objective, and the unit of the difference between two games of one case.

use crate::game::Played;
use clap::ValueEnum;
use columns_stats::Estimate;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a game, which a search maximises and a comparison compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The logarithm of the score: all cases weigh the same.
    #[default]
    Log,
    /// The score, by which the contest ranks: long cases on large fields weigh most.
    Sum,
}

impl Objective {
    /// Computes the value of a game; more is better.
    pub fn of(self, game: &Played) -> f64 {
        match self {
            Self::Log => game.log_score(),
            Self::Sum => game.points as f64,
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
    /// The usual score of the base. Differences by [`Objective::Sum`] are shares of this score.
    pub usual: f64,
}

/// The difference between two games of one case: the candidate's value minus the base's.
///
/// The change of the score over some pairs is the sum of their gains divided by the sum of their
/// bases. For [`Objective::Log`] it is the mean difference of the logarithms; for
/// [`Objective::Sum`] it is the change of the sum of scores. Large differences are cut, since
/// otherwise one game could outweigh all others: see [`Unit::cut`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// For [`Objective::Log`] the difference of the logarithms; for [`Objective::Sum`] the difference
    /// of the scores as a share of the usual score.
    pub gain: f64,
    /// For [`Objective::Log`] 1; for [`Objective::Sum`] the base's score as a share of the usual score.
    pub base: f64,
}

impl Unit {
    /// The maximum absolute difference; larger differences are cut to it.
    ///
    /// For logarithms it is 1, a factor of e, so that a lost game costs about as much as in a sum of
    /// scores. For scores it is twice the usual score.
    pub fn cut(self) -> f64 {
        match self.objective {
            Objective::Log => 1.0,
            Objective::Sum => 2.0,
        }
    }

    /// The minimum and the maximum of [`Difference::base`].
    pub(crate) fn bases(self) -> [f64; 2] {
        match self.objective {
            Objective::Log => [1.0, 1.0],
            Objective::Sum => [0.0, 2.0],
        }
    }

    /// Computes the difference between the points of two games. The logarithm counts 0 points as 1.
    pub fn difference(self, base: u64, points: u64) -> Difference {
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
        Difference {
            gain: gain.clamp(-self.cut(), self.cut()),
            base: base.min(most),
        }
    }

    /// Estimates the change of the score over some pairs in percent, with a 95 % interval. The
    /// interval is valid for a number of pairs that was fixed beforehand.
    ///
    /// # Panics
    /// If there are no pairs.
    pub fn estimate(self, differences: &[Difference]) -> Estimate {
        let (change, base) = change(differences);
        let residues = differences.iter();
        let residues = residues.map(|one| (one.gain - change * one.base) / base);
        let estimate = Estimate::of(&residues.collect::<Vec<_>>());
        // The mean of the residues is 0, except for rounding.
        let percent = |residue| self.objective.percent(change + residue).max(-100.0);
        Estimate {
            mean: percent(0.0),
            ..estimate.map(percent)
        }
    }
}

/// Computes the change over some pairs in the unit of their differences, and the mean of their bases.
pub(crate) fn change(differences: &[Difference]) -> (f64, f64) {
    let gains: f64 = differences.iter().map(|one| one.gain).sum();
    let bases: f64 = differences.iter().map(|one| one.base).sum();
    let count = differences.len() as f64;
    // If the base scored nothing, the usual score is the unit.
    let bases = if bases > 0.0 { bases } else { count };
    (gains / bases, bases / count)
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
        let quarter = Difference {
            gain: 0.25,
            base: 0.25,
        };
        assert_eq!(sum.difference(100, 200), quarter);
        // The loss of a game without points is finite.
        assert_eq!(log.difference(1, 0).gain, 0.0);
        assert_eq!(log.difference(1000, 0).gain, -1.0);
        assert_eq!(sum.difference(4000, 0).gain, -2.0);
        assert_eq!(sum.difference(4000, 0).base, 2.0);
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
    fn objectives_weigh_cases_differently() {
        let game = |points| Played {
            points,
            columns: 10,
            placed: 10,
            ..Played::default()
        };
        // Twice the points in a short case, and a tenth more in a long one.
        let (start, better) = ([game(100), game(10_000)], [game(200), game(11_000)]);
        let gains = |objective: Objective| {
            [0, 1].map(|case| objective.of(&better[case]) - objective.of(&start[case]))
        };
        let [short, long] = gains(Objective::Log);
        assert!(short > long && (short - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(gains(Objective::Sum), [100.0, 1000.0]);
        for objective in [Objective::Log, Objective::Sum] {
            assert!(objective.of(&better[0]) > objective.of(&start[0]));
            // The value of a game without points is finite.
            assert!(objective.of(&game(0)).is_finite());
        }
    }
}
