//! What a fit makes large.

use crate::games::play::Played;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What weights are worth on a block of seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The mean logarithm of the score: every case counts alike.
    #[default]
    Log,
    /// The mean score: what the contest ranks by; long cases on large fields decide.
    Sum,
    /// The mean of score / score of the weights that the fit started from: every case counts
    /// alike, and a case that is lost costs no more than it can.
    Ratio,
}

impl Objective {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Log, Self::Sum, Self::Ratio];

    /// `log`, `sum` or `ratio`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Sum => "sum",
            Self::Ratio => "ratio",
        }
    }

    /// What these games are worth, more being better. `start` are the games of the weights that
    /// the fit started from, on the same cases.
    ///
    /// # Panics
    /// If there are no games, or not as many in both.
    pub fn of(self, games: &[Played], start: &[Played]) -> f64 {
        assert!(!games.is_empty() && games.len() == start.len());
        let one = |(game, start): (&Played, &Played)| match self {
            Self::Log => game.log_score(),
            Self::Sum => game.points as f64,
            Self::Ratio => game.points as f64 / start.points.max(1) as f64,
        };
        games.iter().zip(start).map(one).sum::<f64>() / games.len() as f64
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
            nodes: 1,
        };
        let start = [game(100), game(10_000)];
        let (short, long) = ([game(200), game(10_000)], [game(100), game(11_000)]);
        let better = |objective: Objective| {
            objective
                .of(&short, &start)
                .total_cmp(&objective.of(&long, &start))
        };
        assert!(better(Objective::Log).is_gt());
        assert!(better(Objective::Sum).is_lt());
        assert!(better(Objective::Ratio).is_gt());
        assert_eq!(Objective::Ratio.of(&short, &start), 1.5);
        assert_eq!(Objective::Sum.of(&long, &start), 5550.0);
        let log = Objective::Log.of(&start, &start);
        assert!((log - (10.0_f64 * 1000.0).ln() / 2.0).abs() < 1e-12);
        // A game without points is bad, not infinitely so.
        let lost = [game(0), game(0)];
        assert!(Objective::ALL
            .iter()
            .all(|o| o.of(&lost, &lost).is_finite()));
    }
}
