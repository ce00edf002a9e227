//! What a fit makes large.

use crate::game::Played;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of a game.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_weigh_cases_differently() {
        let game = |points| Played {
            points,
            columns: 10,
            placed: 10,
            width: 1,
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
