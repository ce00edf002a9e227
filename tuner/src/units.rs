//! What a game is worth, and by how much it is better than another of the same case, in units that
//! cannot be mixed.

use crate::game::Played;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a search makes large: the value of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The logarithm of its score: every case counts alike.
    #[default]
    Log,
    /// Its score, by which the contest ranks: long cases on large fields decide.
    Sum,
}

impl Objective {
    /// The value of a game; more is better.
    pub fn of(self, game: &Played) -> f64 {
        match self {
            Self::Log => game.log_score(),
            Self::Sum => game.points as f64,
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

/// A difference of the logarithms of two scores: every case counts alike.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct LogRatio(pub f64);

/// A difference of two scores as a share of a mean score: cases of many points count most.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Share(pub f64);

/// A change of a score in percent. Shows with its sign and one decimal, without the percent sign.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Percent(pub f64);

/// A unit of differences.
pub trait Unit: Copy {
    /// Where a sequential test cuts differences on both sides: a larger one counts as this one.
    const CUT: f64;

    /// The difference of the points of two games; positive if `points` is better. `usual` is the
    /// mean score of such games. A score of 0 counts as 1 where its logarithm is taken.
    fn between(points: u64, other: u64, usual: f64) -> Self;

    /// The difference with this number of the unit.
    fn new(number: f64) -> Self;

    /// The number of the unit.
    fn number(self) -> f64;

    /// The change of the score.
    fn percent(self) -> Percent;
}

/// The natural logarithm of a score, which is the same to the bit on every machine; a score of 0
/// counts as 1.
pub fn log_score(points: u64) -> f64 {
    libm::log(points.max(1) as f64)
}

impl Unit for LogRatio {
    /// A factor of e. So a game that is lost altogether costs about as much as it does in a sum of
    /// scores, all of its score.
    const CUT: f64 = 1.0;

    fn between(points: u64, other: u64, _: f64) -> Self {
        Self(log_score(points) - log_score(other))
    }

    fn new(number: f64) -> Self {
        Self(number)
    }

    fn number(self) -> f64 {
        self.0
    }

    fn percent(self) -> Percent {
        Percent(100.0 * libm::expm1(self.0))
    }
}

impl Unit for Share {
    /// All the score of a game that pays twice the mean.
    const CUT: f64 = 2.0;

    fn between(points: u64, other: u64, usual: f64) -> Self {
        Self((points as f64 - other as f64) / usual.max(1.0))
    }

    fn new(number: f64) -> Self {
        Self(number)
    }

    fn number(self) -> f64 {
        self.0
    }

    fn percent(self) -> Percent {
        Percent(100.0 * self.0)
    }
}

impl Percent {
    /// The difference of the logarithms of scores that is this change; the change is above -100 %.
    pub fn log_ratio(self) -> LogRatio {
        LogRatio(libm::log1p(self.0 / 100.0))
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        write!(f, "{:+.decimals$}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_its_own_percent() {
        assert_eq!(Share(0.5517).percent().to_string(), "+55.2");
        assert_eq!(LogRatio(0.5517).percent().to_string(), "+73.6");
        assert_eq!(format!("{:.2}", LogRatio(-0.01).percent()), "-1.00");
        let doubled = LogRatio::between(200, 100, 0.0);
        assert!((doubled.percent().0 - 100.0).abs() < 1e-9);
        assert!((Percent(100.0).log_ratio().0 - doubled.0).abs() < 1e-12);
        assert_eq!(Share::between(200, 100, 400.0), Share(0.25));
        // A game without points is bad, not infinitely so.
        assert_eq!(LogRatio::between(0, 1, 0.0), LogRatio(0.0));
        assert_eq!(Share::between(1, 0, 0.0), Share(1.0));
    }

    #[test]
    fn objectives_weigh_cases_differently() {
        let game = |points| Played {
            points,
            columns: 10,
            placed: 10,
            ..Played::default()
        };
        // Twice the points in a short case against a tenth more in a long one.
        let (start, better) = ([game(100), game(10_000)], [game(200), game(11_000)]);
        let gains = |objective: Objective| {
            [0, 1].map(|case| objective.of(&better[case]) - objective.of(&start[case]))
        };
        let [short, long] = gains(Objective::Log);
        assert!(short > long && (short - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(gains(Objective::Sum), [100.0, 1000.0]);
        for objective in [Objective::Log, Objective::Sum] {
            assert!(objective.of(&better[0]) > objective.of(&start[0]));
            // A game without points is bad, not infinitely so.
            assert!(objective.of(&game(0)).is_finite());
        }
    }
}
