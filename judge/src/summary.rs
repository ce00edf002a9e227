//! The rows of a run, summed up.

use crate::row::{Mark, Row};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// How many names [`Summary::worst`] has at most.
const WORST: usize = 5;

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of games.
    pub games: usize,
    /// Games in which all columns landed.
    pub ok: usize,
    /// Games that ended early.
    pub died: usize,
    /// Games over the time limit.
    pub tle: usize,
    /// Games over the memory limit.
    pub mle: usize,
    /// Games without a valid plan.
    pub invalid: usize,
    /// Games whose bot crashed.
    pub crashed: usize,
    /// Points of all games: the contest's ranking.
    pub sum: u64,
    /// Points per game.
    pub mean: f64,
    /// Geometric mean of score / quickstart's score. A score of 0, on either
    /// side, counts as 1: a failed game costs much, but not everything.
    pub against_quickstart: f64,
    /// The longest wall time, in seconds.
    pub slowest_s: f64,
    /// The largest peak memory, in MiB.
    pub largest_mib: f64,
    /// Names of the worst games: lost ones first, then those that died, those
    /// with the smallest share of columns placed first, then those with the fewest
    /// points per column.
    pub worst: Vec<String>,
}

impl Summary {
    /// Sums rows up.
    pub fn of(rows: &[Row]) -> Self {
        let count = |mark| rows.iter().filter(|row| row.mark == mark).count();
        let largest = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let games = rows.len();
        let sum = rows.iter().map(|row| row.score).sum();
        let logs: f64 = rows
            .iter()
            .map(|row| log_score(row.score) - log_score(row.quickstart))
            .sum();
        let mut worst: Vec<&Row> = rows.iter().collect();
        worst.sort_by(|a, b| by_badness(a, b));
        Self {
            games,
            ok: count(Mark::Ok),
            died: count(Mark::Died),
            tle: count(Mark::Tle),
            mle: count(Mark::Mle),
            invalid: count(Mark::Invalid),
            crashed: count(Mark::Crashed),
            sum,
            mean: sum as f64 / games.max(1) as f64,
            against_quickstart: (logs / games.max(1) as f64).exp(),
            slowest_s: largest(|row| row.wall_s),
            largest_mib: largest(|row| row.peak_memory_mib),
            worst: worst
                .into_iter()
                .take(WORST)
                .map(|row| row.name.clone())
                .collect(),
        }
    }

    /// Games over a limit, invalid or crashed.
    pub fn failures(&self) -> usize {
        self.tle + self.mle + self.invalid + self.crashed
    }
}

/// Natural logarithm of a score, that of 0 being the same as that of 1.
pub fn log_score(score: u64) -> f64 {
    (score.max(1) as f64).ln()
}

fn by_badness(a: &Row, b: &Row) -> Ordering {
    // Smaller is worse.
    let key = |row: &Row| match row.mark {
        Mark::Ok => (2, row.points_per_column),
        Mark::Died => {
            let placed = row.placed.unwrap_or(0) as f64;
            (1, placed / row.columns as f64)
        }
        _ => (0, 0.0),
    };
    let ((a, x), (b, y)) = (key(a), key(b));
    a.cmp(&b).then(x.total_cmp(&y))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use columns_generator::Palette;

    /// A row of a case with 100 columns.
    pub(crate) fn row(name: &str, score: u64, mark: Mark) -> Row {
        Row {
            name: name.into(),
            seed: name.parse().ok(),
            digest: name.into(),
            width: 6,
            height: 13,
            columns: 100,
            magic: 0,
            colours: 4,
            palette: Palette::Fixed,
            score,
            points_per_column: score as f64 / 100.0,
            quickstart: 100,
            placed: Some(100),
            longest_chain: Some(1),
            wall_s: 1.0,
            cpu_s: 1.0,
            peak_memory_mib: 10.0,
            mark,
            reason: None,
        }
    }

    #[test]
    fn a_run_is_summed_up() {
        let mut late = row("late", 900, Mark::Died);
        late.placed = Some(90);
        let mut soon = row("soon", 800, Mark::Died);
        soon.placed = Some(80);
        let mut slow = row("slow", 400, Mark::Ok);
        slow.wall_s = 3.5;
        let crashed = row("crashed", 0, Mark::Crashed);
        let rows = [row("good", 1600, Mark::Ok), slow, late, soon, crashed];
        let summary = Summary::of(&rows);
        assert_eq!((summary.games, summary.ok, summary.died), (5, 2, 2));
        assert_eq!((summary.crashed, summary.failures()), (1, 1));
        assert_eq!((summary.sum, summary.mean), (3700, 740.0));
        // 16 · 4 · 9 · 8 · 1/100
        let expected = (16.0 * 4.0 * 9.0 * 8.0 / 100.0_f64).powf(0.2);
        assert!((summary.against_quickstart - expected).abs() < 1e-9);
        assert_eq!(summary.worst, ["crashed", "soon", "late", "slow", "good"]);
        assert!((summary.slowest_s - 3.5).abs() < 1e-9);
    }
}
