//! The rows of a run, summed up.

use crate::row::{Mark, Row};
use columns_stats::log_score;
use serde::Serialize;
use std::collections::BTreeMap;

/// How many names [`Summary::worst`] has at most.
const WORST: usize = 5;

/// What a run comes to. It is told in reports, and made anew from the rows when they are read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of games.
    pub games: usize,
    /// How many games ended in each way, by the name of their [`Mark`].
    #[serde(flatten)]
    pub marks: BTreeMap<Mark, usize>,
    /// Points of all games: the contest's ranking.
    pub sum: u64,
    /// Points per game.
    pub mean: f64,
    /// Geometric mean of score / quickstart's score. A score of 0, on either
    /// side, counts as 1: a failed game costs much, but not everything.
    pub against_quickstart: f64,
    /// The longest wall time, in seconds.
    pub slowest_s: f64,
    /// How much of a processor's core the bots had: their processor time by their wall time.
    pub cores: f64,
    /// The largest peak memory, in MiB.
    pub largest_mib: f64,
    /// Mean of [`Row::relative`], where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// Names of the worst games: lost ones first, then those that died, those
    /// with the smallest share of columns placed first, then those with the lowest relative score,
    /// where that is known.
    pub worst: Vec<String>,
}

impl Summary {
    /// Sums rows up.
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
            worst: least(rows, badness),
        }
    }

    /// Games over a limit, invalid or crashed.
    pub fn failures(&self) -> usize {
        let lost = self.marks.iter().filter(|(&mark, _)| mark > Mark::Died);
        lost.map(|(_, count)| count).sum()
    }
}

/// The names of the games that were played on one case, for each case that was played more than once.
pub fn copies(rows: &[Row]) -> Vec<Vec<&str>> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        names.entry(&row.digest).or_default().push(&row.name);
    }
    names.into_values().filter(|of| of.len() > 1).collect()
}

/// The names of the few games with the least of a number.
pub fn least(rows: &[Row], key: impl Fn(&Row) -> Option<f64>) -> Vec<String> {
    let keyed = rows.iter().filter_map(|row| Some((key(row)?, &row.name)));
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let names = keyed.into_iter().map(|(_, name)| name.clone());
    names.take(WORST).collect()
}

/// The smaller, the worse: from 0 on for a game to the end, from -1 on for one that died, and less
/// for one that is lost.
fn badness(row: &Row) -> Option<f64> {
    match row.game.mark {
        Mark::Ok => row.relative,
        Mark::Died => Some(row.game.placed? as f64 / row.kind.columns as f64 - 1.0),
        _ => Some(-2.0),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::row::{Game, FIELDS};
    use columns_generator::{classes::Kind, Palette};

    /// A row of a case with 100 columns.
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
    fn a_run_is_summed_up() {
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
        // 16 · 4 · 9 · 8 · 1/100
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
    fn the_fields_of_a_row_are_reserved() {
        let mut row = row("0001", 1, Mark::Ok);
        row.relative = Some(1.0);
        let fields = serde_json::to_value(row).unwrap();
        let fields: Vec<_> = fields.as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, FIELDS);
    }
}
