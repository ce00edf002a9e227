//! The result of a game, and the count of the lost games of a program.

use columns_generator::{Spec, classes::Kind, generate, shape};
use columns_judge::row::GameStatus;
use columns_stats::{Objective, Pair};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Played {
    /// Points of the plan.
    pub points: u64,
    /// Number of columns of the case.
    pub columns: usize,
    /// Number of columns placed before the game was over.
    pub placed: usize,
    /// Mean width of the beam; 0 for a program.
    pub width: u64,
    /// Why a program lost the game: a limit, a crash or an invalid plan. A lost game scores 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<GameStatus>,
}

impl Played {
    /// Computes the natural logarithm of the points per column, so that short and long cases, and
    /// small and large fields, weigh the same. 0 points count as 1. The result is bit-identical on
    /// every machine.
    pub fn log_score(&self) -> f64 {
        libm::log(self.points.max(1) as f64 / self.columns as f64)
    }

    /// Returns the points; `None` for a lost game.
    pub fn finished(&self) -> Option<u64> {
        self.lost.is_none().then_some(self.points)
    }

    /// Computes by how much the value of this game for an objective exceeds that of `other`, on the same case. A lost game
    /// counts as a loss by a factor of e for [`Objective::Log`] and as 0 points for [`Objective::Sum`].
    pub fn gain(&self, other: &Self, objective: Objective) -> f64 {
        match (objective, self.finished(), other.finished()) {
            (Objective::Sum, ..) => self.points as f64 - other.points as f64,
            (Objective::Log, Some(_), Some(_)) => self.log_score() - other.log_score(),
            (Objective::Log, own, other) => {
                f64::from(u8::from(own.is_some())) - f64::from(u8::from(other.is_some()))
            }
        }
    }

    /// True if the game ended before all columns had landed.
    pub fn died(&self) -> bool {
        self.placed < self.columns
    }
}

/// Counts of the lost games of a program by kind, each with the seed of the first lost game.
///
/// In JSON: `{"crashed": {"games": 3, "seed": 12}}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Losses(BTreeMap<GameStatus, Loss>);

/// The lost games of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Loss {
    games: u64,
    /// Seed of the first lost game.
    seed: u64,
}

impl Losses {
    /// Counts a game if the program lost it.
    pub fn add(&mut self, seed: u64, played: &Played) {
        if let Some(kind) = played.lost {
            self.0.entry(kind).or_insert(Loss { games: 0, seed }).games += 1;
        }
    }

    /// The number of lost games of all kinds.
    pub fn games(&self) -> u64 {
        self.0.values().map(|loss| loss.games).sum()
    }

    /// True if the program lost no game.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Losses {
    /// Writes, for example, `4 games lost: 3 crashed (seed 12), 1 TLE (seed 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = columns_cli::output::count(self.games() as usize, "game");
        let kind = |(kind, loss): (&GameStatus, &Loss)| {
            format!("{} {} (seed {})", loss.games, kind.name(), loss.seed)
        };
        let kinds: Vec<String> = self.0.iter().map(kind).collect();
        write!(f, "{count} lost: {}", kinds.join(", "))
    }
}

/// Returns the pair of the games of A and of B on the case with this seed.
pub fn pair(seed: u64, spec: &Spec, [a, b]: [&Played; 2]) -> Pair {
    Pair {
        kind: kind(seed, spec),
        a: a.finished(),
        b: b.finished(),
    }
}

/// Returns the kind of the case with this seed. Tables group results by kind.
pub fn kind(seed: u64, spec: &Spec) -> Kind {
    Kind::of(&generate(seed, spec), shape(seed, spec).palette())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_games_are_counted_by_kind_with_the_first_seed_of_each() {
        let mut losses = Losses::default();
        for (seed, lost) in [
            (3, None),
            (4, Some(GameStatus::Crashed)),
            (5, Some(GameStatus::Tle)),
            (6, Some(GameStatus::Crashed)),
        ] {
            losses.add(
                seed,
                &Played {
                    lost,
                    ..Played::default()
                },
            );
        }
        assert_eq!(
            losses.to_string(),
            "3 games lost: 1 TLE (seed 5), 2 crashed (seed 4)"
        );
        let text = serde_json::to_string(&losses).unwrap();
        assert_eq!(
            text,
            r#"{"tle":{"games":1,"seed":5},"crashed":{"games":2,"seed":4}}"#
        );
        assert_eq!(serde_json::from_str::<Losses>(&text).unwrap(), losses);
    }

    #[test]
    fn objectives_weigh_cases_differently() {
        let game = |points| Played {
            points,
            columns: 10,
            placed: 10,
            ..Played::default()
        };
        // A small score doubles, and a large one grows by a tenth.
        let (start, better) = ([game(100), game(10_000)], [game(200), game(11_000)]);
        let gains =
            |objective: Objective| [0, 1].map(|case| better[case].gain(&start[case], objective));
        let [small, large] = gains(Objective::Log);
        assert!(small > large && (small - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(gains(Objective::Sum), [100.0, 1000.0]);
        // A valid game without points is finite; a lost one loses a factor of e, whatever its case.
        assert!((game(1).gain(&game(0), Objective::Log)).abs() < 1e-12);
        let lost = Played {
            lost: Some(GameStatus::Crashed),
            points: 0,
            ..game(0)
        };
        assert_eq!(lost.gain(&game(10_000), Objective::Log), -1.0);
        assert_eq!(game(0).gain(&lost, Objective::Log), 1.0);
        assert_eq!(lost.gain(&lost, Objective::Log), 0.0);
        assert_eq!(lost.gain(&game(10_000), Objective::Sum), -10_000.0);
    }
}
