//! Summarises the games of a run.

use crate::row::{GameStatus, Row};
use serde::Serialize;
use std::collections::BTreeMap;

/// The maximum number of names in [`Summary::worst_games`].
const MAX_WORST_GAMES: usize = 5;

/// The results of all games of a run, in a few numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of games played, including failed games.
    pub games: usize,
    /// Number of games with each [`GameStatus`] that occurs.
    #[serde(flatten)]
    pub statuses: BTreeMap<GameStatus, usize>,
    /// Sum of points, by which the contest ranks.
    pub sum: u64,
    /// Mean points per game. A failed game counts as 0 points.
    pub mean: f64,
    /// Geometric mean of score / quickstart's score. A score of 0 counts as 1, so that a failed game does not
    /// make the mean 0.
    pub against_quickstart: f64,
    /// Longest wall time of a game, in seconds.
    #[serde(rename = "slowest_s")]
    pub longest_wall_s: f64,
    /// Mean number of cores that the bots used: their processor time divided by their wall time.
    pub cores: f64,
    /// Largest peak memory of a game, in MiB.
    #[serde(rename = "largest_mib")]
    pub max_memory_mib: f64,
    /// Names of up to five of the worst games, the worst first:
    ///
    /// 1. failed games;
    /// 2. games that ended early, by the share of their columns that were placed.
    #[serde(rename = "worst")]
    pub worst_games: Vec<String>,
}

impl Summary {
    /// Summarises the rows of a run, which may be incomplete.
    pub fn new(rows: &[Row]) -> Self {
        let mut statuses = BTreeMap::new();
        for row in rows {
            *statuses.entry(row.game.status).or_default() += 1;
        }
        let games = rows.len();
        let mean = |sum: f64| sum / games.max(1) as f64;
        let total = |value: fn(&Row) -> f64| rows.iter().map(value).sum::<f64>();
        let largest = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let sum = rows.iter().map(|row| row.game.score).sum();
        let log = |score: u64| (score.max(1) as f64).ln();
        let logs: f64 = rows
            .iter()
            .map(|row| log(row.game.score) - log(row.quickstart_points))
            .sum();
        let wall = total(|row| row.game.wall_s).max(f64::MIN_POSITIVE);
        Self {
            games,
            statuses,
            sum,
            mean: mean(sum as f64),
            against_quickstart: mean(logs).exp(),
            longest_wall_s: largest(|row| row.game.wall_s),
            cores: total(|row| row.game.cpu_s) / wall,
            max_memory_mib: largest(|row| row.game.peak_memory_mib),
            worst_games: worst(rows),
        }
    }

    /// Returns the number of failed games: over a limit, invalid or crashed.
    pub fn failed_games(&self) -> usize {
        let failed = self
            .statuses
            .iter()
            .filter(|(status, _)| status.is_failed());
        failed.map(|(_, count)| count).sum()
    }
}

/// Returns the names of up to five of the worst games: see [`Summary::worst_games`].
fn worst(rows: &[Row]) -> Vec<String> {
    // A failed game has placed no columns.
    let placed =
        |row: &Row| row.game.placed.unwrap_or(0) as f64 / row.properties.column_count as f64;
    let not_ok = rows.iter().filter(|row| row.game.status != GameStatus::Ok);
    let mut ranked: Vec<&Row> = not_ok.collect();
    ranked.sort_by(|a, b| placed(a).total_cmp(&placed(b)));
    ranked.truncate(MAX_WORST_GAMES);
    ranked.into_iter().map(|row| row.name.clone()).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::row::Game;
    use columns_generator::{PaletteKind, classes::CaseProperties, digest::Digest};

    /// Creates a row for a case of 100 columns.
    pub(crate) fn row(name: &str, score: u64, status: GameStatus) -> Row {
        Row {
            name: name.into(),
            seed: name.parse().ok(),
            case_digest: Digest::new(name.as_bytes()),
            output_digest: Digest::EMPTY,
            properties: CaseProperties {
                width: 6,
                height: 13,
                column_count: 100,
                magic_count: 0,
                colour_count: 4,
                palette: PaletteKind::Fixed,
            },
            quickstart_points: 100,
            game: Game {
                score,
                placed: (!status.is_failed()).then_some(100),
                wall_s: 1.0,
                cpu_s: 1.0,
                status,
                ..Game::default()
            },
            points_per_column: score as f64 / 100.0,
        }
    }

    #[test]
    fn a_summary_counts_and_ranks_the_games() {
        let mut late = row("late", 900, GameStatus::EndedEarly);
        late.game.placed = Some(90);
        let mut soon = row("soon", 800, GameStatus::EndedEarly);
        soon.game.placed = Some(80);
        let mut slow = row("slow", 400, GameStatus::Ok);
        slow.game.wall_s = 3.5;
        let crashed = row("crashed", 0, GameStatus::Crashed);
        let rows = [row("good", 1600, GameStatus::Ok), slow, late, soon, crashed];
        let summary = Summary::new(&rows);
        let statuses = [
            (GameStatus::Ok, 2),
            (GameStatus::EndedEarly, 2),
            (GameStatus::Crashed, 1),
        ];
        assert_eq!(summary.statuses, BTreeMap::from(statuses));
        assert_eq!((summary.games, summary.failed_games()), (5, 1));
        assert_eq!((summary.sum, summary.mean), (3700, 740.0));
        // The ratios to quickstart's score are 16, 4, 9, 8 and 1/100.
        let expected = (16.0 * 4.0 * 9.0 * 8.0 / 100.0_f64).powf(0.2);
        assert!((summary.against_quickstart - expected).abs() < 1e-9);
        assert_eq!(summary.worst_games, ["crashed", "soon", "late"]);
        assert!((summary.cores - 5.0 / 7.5).abs() < 1e-9);
        assert!((summary.longest_wall_s - 3.5).abs() < 1e-9);
    }
}
