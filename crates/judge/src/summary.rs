//! A summary of the games of a run.

use crate::row::{Mark, Row};
use columns_stats::log_score;
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum number of names in [`Summary::worst`] and in the result of [`least`].
const WORST: usize = 5;

/// The summary of a run. Reports contain it, but reading a report recomputes it from the rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of games.
    pub games: usize,
    /// Number of games with each [`Mark`]. Marks without games are absent.
    #[serde(flatten)]
    pub marks: BTreeMap<Mark, usize>,
    /// Sum of points, by which the contest ranks.
    pub sum: u64,
    /// Mean points per game.
    pub mean: f64,
    /// Geometric mean of score / quickstart's score. Either score counts as 1 if it is 0, so that a lost game does not make
    /// the mean 0.
    pub against_quickstart: f64,
    /// Longest wall time of a game, in seconds.
    pub slowest_s: f64,
    /// Mean number of cores that the bots used: their processor time divided by their wall time.
    pub cores: f64,
    /// Largest peak memory of a game, in MiB.
    pub largest_mib: f64,
    /// Mean of [`Row::relative`]; `None` if any game lacks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// Names of up to five of the worst games, the worst first:
    ///
    /// 1. lost games;
    /// 2. games that died, by the share of their columns that were placed;
    /// 3. other games, by their relative score; games without one are left out.
    pub worst: Vec<String>,
}

impl Summary {
    /// Computes the summary of these rows.
    pub fn of(rows: &[Row]) -> Self {
        let mut marks = BTreeMap::new();
        for row in rows {
            *marks.entry(row.game.mark).or_default() += 1;
        }
        let games = rows.len();
        let mean = |sum: f64| sum / games.max(1) as f64;
        let total = |value: fn(&Row) -> f64| rows.iter().map(value).sum::<f64>();
        let largest = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let sum = rows.iter().map(|row| row.game.score).sum();
        let logs = total(|row| log_score(row.game.score) - log_score(row.quickstart));
        let relative: Option<f64> = rows.iter().map(|row| row.relative).sum();
        let wall = total(|row| row.game.wall_s).max(f64::MIN_POSITIVE);
        Self {
            games,
            marks,
            sum,
            mean: mean(sum as f64),
            against_quickstart: mean(logs).exp(),
            slowest_s: largest(|row| row.game.wall_s),
            cores: total(|row| row.game.cpu_s) / wall,
            largest_mib: largest(|row| row.game.peak_memory_mib),
            relative: relative.filter(|_| games > 0).map(mean),
            worst: least(rows, worst_rank),
        }
    }

    /// Returns the number of lost games: over a limit, invalid or crashed.
    pub fn failures(&self) -> usize {
        let lost = self.marks.iter().filter(|(mark, _)| **mark > Mark::Died);
        lost.map(|(_, count)| count).sum()
    }
}

/// Groups the names of games on equal cases. Cases that were played only once are left out.
pub fn copies(rows: &[Row]) -> Vec<Vec<&str>> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        names.entry(&row.digest).or_default().push(&row.name);
    }
    names.into_values().filter(|list| list.len() > 1).collect()
}

/// Returns the names of up to five games with the smallest values of `key`. Games without a value are left out.
pub fn least(rows: &[Row], key: impl Fn(&Row) -> Option<f64>) -> Vec<String> {
    let keyed = rows.iter().filter_map(|row| Some((key(row)?, &row.name)));
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let names = keyed.into_iter().map(|(_, name)| name.clone());
    names.take(WORST).collect()
}

/// Returns the sort key of a game for [`Summary::worst`], smallest first: -2 for a lost game, from -1 to 0 for a game
/// that died, the relative score for any other game.
fn worst_rank(row: &Row) -> Option<f64> {
    match row.game.mark {
        Mark::Ok => row.relative,
        Mark::Died => Some(row.game.placed? as f64 / row.kind.columns as f64 - 1.0),
        _ => Some(-2.0),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::row::{FIELDS, Game};
    use columns_generator::{Palette, classes::Kind};

    /// Makes a row for a case with 100 columns.
    pub(crate) fn row(name: &str, score: u64, mark: Mark) -> Row {
        Row {
            name: name.into(),
            seed: name.parse().ok(),
            digest: name.into(),
            kind: Kind {
                width: 6,
                height: 13,
                columns: 100,
                magic: 0,
                colours: 4,
                palette: Palette::Fixed,
            },
            quickstart: 100,
            game: Game {
                score,
                placed: Some(100),
                wall_s: 1.0,
                cpu_s: 1.0,
                mark,
                ..Game::default()
            },
            points_per_column: score as f64 / 100.0,
            relative: None,
        }
    }

    #[test]
    fn a_summary_counts_and_ranks_the_games() {
        let mut late = row("late", 900, Mark::Died);
        late.game.placed = Some(90);
        let mut soon = row("soon", 800, Mark::Died);
        soon.game.placed = Some(80);
        let mut slow = row("slow", 400, Mark::Ok);
        slow.game.wall_s = 3.5;
        let crashed = row("crashed", 0, Mark::Crashed);
        let mut rows = [row("good", 1600, Mark::Ok), slow, late, soon, crashed];
        let summary = Summary::of(&rows);
        let marks = [(Mark::Ok, 2), (Mark::Died, 2), (Mark::Crashed, 1)];
        assert_eq!(summary.marks, BTreeMap::from(marks));
        assert_eq!((summary.games, summary.failures()), (5, 1));
        assert_eq!((summary.sum, summary.mean), (3700, 740.0));
        // The ratios to quickstart's score are 16, 4, 9, 8 and 1/100.
        let expected = (16.0 * 4.0 * 9.0 * 8.0 / 100.0_f64).powf(0.2);
        assert!((summary.against_quickstart - expected).abs() < 1e-9);
        assert_eq!(summary.worst, ["crashed", "soon", "late"]);
        assert_eq!((summary.relative, summary.cores), (None, 5.0 / 7.5));
        assert!((summary.slowest_s - 3.5).abs() < 1e-9);

        for (row, relative) in rows.iter_mut().zip([90.0, 100.0, 60.0, 60.0, 0.0]) {
            row.relative = Some(relative);
            row.game.numbers.insert("layers".into(), relative / 10.0);
        }
        rows[1].game.numbers.clear();
        let summary = Summary::of(&rows);
        assert_eq!(summary.worst, ["crashed", "soon", "late", "good", "slow"]);
        assert_eq!(summary.relative, Some(62.0));
        let most = least(&rows, |row| Some(-row.number("layers")?));
        assert_eq!(most, ["good", "late", "soon", "crashed"]);
        let scores = least(&rows, |row| row.number("score"));
        assert_eq!(scores, ["crashed", "slow", "soon", "late", "good"]);
    }

    #[test]
    fn all_fields_of_a_row_are_reserved() {
        let mut row = row("0001", 1, Mark::Ok);
        row.relative = Some(1.0);
        let fields = serde_json::to_value(row).unwrap();
        let fields: Vec<_> = fields.as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, FIELDS);
    }
}
