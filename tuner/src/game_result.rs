//! The result of a game, the failed games of a player, and the widths of its beams.

use columns_cases::classes::CaseProperties;
use columns_generator::{Spec, generate, generate_shape};
use columns_judge::row::GameStatus;
use columns_stats::Pair;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// The result of a game: its score, its length, the mean beam width, and the reason if the game failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GameResult {
    /// Points of the plan; 0 for a failed game.
    pub points: u64,
    /// Number of columns placed before the game was over; 0 for a failed game.
    pub placed_columns: usize,
    /// Mean width of the beam; 0 for a program.
    pub mean_beam_width: u64,
    /// The reason for a failed game: a limit, a crash or an invalid plan. `None` for a finished game. A
    /// failed game scores 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<GameStatus>,
}

impl GameResult {
    /// Returns the points; `None` for a failed game.
    pub fn scored_points(&self) -> Option<u64> {
        self.failure.is_none().then_some(self.points)
    }
}

/// The failed games of a program, counted by kind. Each kind has the seed of its first failed game.
///
/// In JSON: `{"crashed": {"games": 3, "seed": 12}}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FailedGames(BTreeMap<GameStatus, FailureCount>);

/// The number of failed games of one kind, and the seed of the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct FailureCount {
    games: u64,
    seed: u64,
}

impl FailedGames {
    /// Counts a game if it failed.
    pub fn add(&mut self, seed: u64, result: &GameResult) {
        if let Some(kind) = result.failure {
            self.0
                .entry(kind)
                .or_insert(FailureCount { games: 0, seed })
                .games += 1;
        }
    }

    /// Returns the number of failed games of all kinds.
    pub fn count(&self) -> u64 {
        self.0.values().map(|failure| failure.games).sum()
    }

    /// True if no game failed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for FailedGames {
    /// Writes, for example, `4 games failed: 1 TLE (seed 7), 3 crashed (seed 12)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = columns_cli::output::count_text(self.count() as usize, "game");
        let kind = |(kind, failure): (&GameStatus, &FailureCount)| {
            format!("{} {} (seed {})", failure.games, kind.name(), failure.seed)
        };
        let kinds: Vec<String> = self.0.iter().map(kind).collect();
        write!(f, "{count} failed: {}", kinds.join(", "))
    }
}

/// The failed games of a player, and the widths of its beams.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// The games that failed because of a limit, a crash or an invalid plan.
    pub failed_games: FailedGames,
    games: u64,
    /// The sum of the games' mean beam widths.
    width_sum: u64,
}

impl Tally {
    /// Adds a game on the case with this seed.
    pub fn add(&mut self, seed: u64, result: &GameResult) {
        self.failed_games.add(seed, result);
        self.games += 1;
        self.width_sum += result.mean_beam_width;
    }

    /// Returns the mean beam width over all games; NaN before the first game.
    pub fn mean_beam_width(&self) -> f64 {
        self.width_sum as f64 / self.games as f64
    }
}

/// Combines the games of A and B on the case with this seed. Generates the case to find its properties.
pub fn generate_pair(seed: u64, spec: &Spec, [a, b]: [&GameResult; 2]) -> Pair {
    Pair {
        properties: CaseProperties::new(
            &generate(seed, spec),
            Some(generate_shape(seed, spec).palette_kind()),
        ),
        a: a.scored_points(),
        b: b.scored_points(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_games_are_counted_by_kind_with_the_first_seed_of_each() {
        let mut failed = FailedGames::default();
        for (seed, failure) in [
            (3, None),
            (4, Some(GameStatus::Crashed)),
            (5, Some(GameStatus::Tle)),
            (6, Some(GameStatus::Crashed)),
        ] {
            failed.add(
                seed,
                &GameResult {
                    failure,
                    ..GameResult::default()
                },
            );
        }
        assert_eq!(
            failed.to_string(),
            "3 games failed: 1 TLE (seed 5), 2 crashed (seed 4)"
        );
        let text = serde_json::to_string(&failed).unwrap();
        assert_eq!(
            text,
            r#"{"tle":{"games":1,"seed":5},"crashed":{"games":2,"seed":4}}"#
        );
        assert_eq!(serde_json::from_str::<FailedGames>(&text).unwrap(), failed);
    }
}
