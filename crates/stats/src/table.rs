//! The results of two players as a table: a row for all pairs of games, and a row for each class of cases.

use crate::estimate::{Estimate, format_change, format_interval};
use crate::objective::{Objective, Pair, PairPoints, score_sums};
use columns_cases::classes::group_by_class;
use serde::Serialize;
use std::cmp::Ordering;

/// The results of B against A on a set of cases. Changes are clipped only in `clipped_log_percent`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonRow {
    /// Name of the set of cases: `all`, or a class such as `under 300 columns`.
    pub name: String,
    /// Number of cases in the set, at least 1.
    pub cases: usize,
    /// A's mean points per game. A failed game counts as 0 points.
    pub mean_a: f64,
    /// B's mean points per game. A failed game counts as 0 points.
    pub mean_b: f64,
    /// Change in the geometric mean score in percent, over the cases that both players finished; `None` if
    /// there is no such case.
    pub log_percent: Option<Estimate>,
    /// The mean clipped change in the log score over all cases, failed games included, in percent: see
    /// [`Objective::change`].
    pub clipped_log_percent: f64,
    /// Change in the sum of scores, by which the contest ranks, in percent; `None` if A scored no points.
    pub sum_percent: Option<Estimate>,
    /// Number of cases on which B scores more. A failed game counts as less than any finished game.
    pub wins: usize,
    /// Number of cases on which B scores less.
    pub losses: usize,
    /// Number of cases with equal scores, or with two failed games.
    pub ties: usize,
    /// Number of cases that both players finished.
    pub finished_cases: usize,
    /// Number of games in which A exceeded a limit, crashed or printed no valid plan.
    pub failed_a: usize,
    /// Number of games in which B exceeded a limit, crashed or printed no valid plan.
    pub failed_b: usize,
}

impl ComparisonRow {
    /// Compares B with A on these pairs. If B is one of several candidates that are compared with A, the
    /// intervals and p-values are corrected for their number: see [`Estimate`].
    ///
    /// # Panics
    /// If `pairs` is empty.
    fn new(candidates: usize, name: &str, pairs: &[&Pair]) -> Self {
        assert!(!pairs.is_empty(), "a row needs a pair");
        let points: Vec<PairPoints> = pairs.iter().map(|pair| pair.points()).collect();
        let [mean_a, mean_b] = score_sums(&points).map(|sum| sum / points.len() as f64);
        let failed = |side: usize| points.iter().filter(|pair| pair[side].is_none()).count();
        // `None`, a failed game, compares as less than any number of points.
        let count = |order| points.iter().filter(|[a, b]| b.cmp(a) == order).count();
        Self {
            name: name.into(),
            cases: pairs.len(),
            mean_a,
            mean_b,
            log_percent: Objective::Log.estimate(candidates, &points),
            clipped_log_percent: Objective::Log
                .percent_from_change(Objective::Log.mean_change(&points)),
            sum_percent: Objective::Sum.estimate(candidates, &points),
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
            finished_cases: points.iter().filter(|pair| !pair.contains(&None)).count(),
            failed_a: failed(0),
            failed_b: failed(1),
        }
    }

    /// Describes the failed games of both players, and the change that includes them, such as `failed games:
    /// A 0, B 63 of 692; 629 of 692 finished by both; with failed games the log score changes by -8.71 %`.
    /// Returns `None` if no game failed.
    pub fn failed_games_text(&self, [a, b]: [&str; 2]) -> Option<String> {
        let (failed_a, failed_b, cases) = (self.failed_a, self.failed_b, self.cases);
        let (finished, whole) = (self.finished_cases, self.clipped_log_percent);
        (failed_a + failed_b > 0).then(|| {
            format!(
                "failed games: {a} {failed_a}, {b} {failed_b} of {cases}; {finished} of {cases} finished by \
                 both; with failed games the log score changes by {}",
                format_change(whole, 2)
            )
        })
    }

    /// Returns the cells of the row in a text table, each with the title of its column.
    pub fn titled_cells(&self) -> [(&'static str, String); 12] {
        let or_dash = |text: Option<String>| text.unwrap_or("-".into());
        let change = |estimate: Option<Estimate>| {
            or_dash(estimate.map(|estimate| format_change(estimate.mean, 2)))
        };
        let interval = |estimate: Option<Estimate>| {
            let interval = estimate.and_then(|estimate| estimate.interval);
            let text = interval.map(|interval| format_interval(interval, 2));
            or_dash(text.map(|text| text.trim_end_matches(" %").into()))
        };
        let p = self.log_percent.map(|estimate| estimate.p_text());
        [
            ("B against A", self.name.clone()),
            ("cases", self.cases.to_string()),
            ("mean A", format!("{:.0}", self.mean_a)),
            ("mean B", format!("{:.0}", self.mean_b)),
            ("log score", change(self.log_percent)),
            ("95 %", interval(self.log_percent)),
            ("p", or_dash(p)),
            ("score", change(self.sum_percent)),
            ("95 %", interval(self.sum_percent)),
            ("won", self.wins.to_string()),
            ("lost", self.losses.to_string()),
            ("tied", self.ties.to_string()),
        ]
    }
}

/// The results of B against A on all pairs, and on the pairs of each class that occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonTable {
    /// The row for all pairs.
    pub all: ComparisonRow,
    /// A row for each class that occurs. The classes by area of the field come first, then those by number of
    /// columns, then those by palette and number of colours.
    pub classes: Vec<ComparisonRow>,
}

impl ComparisonTable {
    /// Compares B with A on all pairs and by class. Only the row for all pairs is corrected for the number of
    /// candidates: see [`Estimate`].
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn new(candidates: usize, pairs: &[Pair]) -> Self {
        let all: Vec<&Pair> = pairs.iter().collect();
        let classes = group_by_class(pairs, |pair| &pair.properties);
        let classes = classes.map(|(name, pairs)| ComparisonRow::new(1, name, &pairs));
        Self {
            all: ComparisonRow::new(candidates, "all", &all),
            classes: classes.collect(),
        }
    }

    /// Returns all rows. The row for all pairs is the first.
    pub fn rows(&self) -> impl Iterator<Item = &ComparisonRow> {
        std::iter::once(&self.all).chain(&self.classes)
    }
}
