//! The results of two players as a table: a row for all pairs of games, and a row for each class of cases.

use crate::{Estimate, Objective, Pair, wilcoxon};
use columns_generator::classes::by_class;
use serde::Serialize;
use std::cmp::Ordering;

/// The results of B against A on a set of cases. All numbers are those of the games as played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the set of cases: `all`, or a class such as `under 300 columns`.
    pub name: String,
    /// Number of cases.
    pub cases: usize,
    /// Points per game of A. A failed game has 0 points.
    pub mean_a: f64,
    /// Points per game of B. A failed game has 0 points.
    pub mean_b: f64,
    /// Change of the geometric mean score in percent, over the cases that both finished; `None` if there is no such case.
    pub log_percent: Option<Estimate>,
    /// Change of the sum of scores in percent, by which the contest ranks; `None` if A scored nothing.
    pub sum_percent: Option<Estimate>,
    /// Number of cases on which B scores more. A failed game scores less than any finished one.
    pub wins: usize,
    /// Number of cases on which B scores less.
    pub losses: usize,
    /// Number of cases with equal scores.
    pub ties: usize,
    /// Number of A's failed games.
    pub failed_a: usize,
    /// Number of B's failed games.
    pub failed_b: usize,
    /// Two-sided p-value of Wilcoxon's signed-rank test on the changes of the logarithm of the score, over the cases that
    /// both finished.
    pub wilcoxon_p: f64,
}

impl Row {
    /// The titles of [`cells`](Self::cells).
    pub const TITLES: [&str; 12] = [
        "B against A",
        "cases",
        "mean A",
        "mean B",
        "log score",
        "95 %",
        "score",
        "95 %",
        "won",
        "lost",
        "tied",
        "p",
    ];

    /// Compares B with A on these pairs.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn new(name: &str, pairs: &[&Pair]) -> Self {
        Self::among(1, name, pairs)
    }

    /// Like [`new`](Self::new), for one of several candidates that are compared with the same base. The intervals and
    /// p-values are corrected for their number (Bonferroni): with 95 % confidence, the intervals of all candidates contain
    /// their true changes.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn among(candidates: usize, name: &str, pairs: &[&Pair]) -> Self {
        let points: Vec<[Option<u64>; 2]> = pairs.iter().map(|pair| pair.points()).collect();
        let logs: Vec<f64> = pairs.iter().filter_map(|pair| pair.log_change()).collect();
        let confidence = 1.0 - 0.05 / candidates as f64;
        let estimate = |objective: Objective| objective.estimate(confidence, &points);
        let mean = |side: usize| {
            let scores = points.iter().map(|pair| pair[side].unwrap_or(0) as f64);
            scores.sum::<f64>() / points.len() as f64
        };
        let failed = |side: usize| points.iter().filter(|pair| pair[side].is_none()).count();
        // `None` is less than any points.
        let count = |order| points.iter().filter(|[a, b]| b.cmp(a) == order).count();
        assert!(!pairs.is_empty(), "a row needs a pair");
        Self {
            name: name.into(),
            cases: pairs.len(),
            mean_a: mean(0),
            mean_b: mean(1),
            log_percent: estimate(Objective::Log),
            sum_percent: estimate(Objective::Sum),
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
            failed_a: failed(0),
            failed_b: failed(1),
            wilcoxon_p: (wilcoxon(&logs) * candidates as f64).min(1.0),
        }
    }

    /// Returns the change of the score by an objective.
    pub fn percent(&self, objective: Objective) -> Option<Estimate> {
        match objective {
            Objective::Log => self.log_percent,
            Objective::Sum => self.sum_percent,
        }
    }

    /// Formats the row for a text table with these [titles](Self::TITLES).
    pub fn cells(&self) -> [String; 12] {
        let change = |estimate: Option<Estimate>| {
            estimate.map_or("-".into(), |one| format!("{:+.2} %", one.mean))
        };
        let interval = |estimate: Option<Estimate>| {
            let interval = estimate.and_then(|estimate| estimate.interval);
            interval.map_or("-".into(), |(low, high)| format!("{low:+.2} to {high:+.2}"))
        };
        let p = match self.wilcoxon_p {
            p if p < 0.0001 => "<0.0001".into(),
            p => format!("{p:.4}"),
        };
        let whole = |number: f64| format!("{number:.0}");
        let [log, sum] = [self.log_percent, self.sum_percent];
        let [wins, losses, ties] =
            [self.wins, self.losses, self.ties].map(|count| count.to_string());
        [
            self.name.clone(),
            self.cases.to_string(),
            whole(self.mean_a),
            whole(self.mean_b),
            change(log),
            interval(log),
            change(sum),
            interval(sum),
            wins,
            losses,
            ties,
            p,
        ]
    }
}

/// Formats the failed games of players on the same cases, such as `failed games: A 0, B 63 of 692`. Returns `None` if no
/// game failed. `failed` has the name of each player and the number of its failed games.
pub fn failed_games<'a>(
    cases: usize,
    failed: impl IntoIterator<Item = (&'a str, usize)>,
) -> Option<String> {
    let failed: Vec<_> = failed.into_iter().collect();
    let is_any = failed.iter().any(|(_, count)| *count > 0);
    let players = failed.iter().map(|(name, count)| format!("{name} {count}"));
    is_any.then(|| {
        format!(
            "failed games: {} of {cases}",
            players.collect::<Vec<_>>().join(", ")
        )
    })
}

/// The results of B against A on all pairs, and on the pairs of each class that occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The row for all pairs.
    pub all: Row,
    /// A row for each class that occurs: by area of the field, by number of columns, by palette and number of colours.
    pub classes: Vec<Row>,
}

impl Table {
    /// Compares B with A on all pairs and by class.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn new(pairs: &[Pair]) -> Self {
        let classes = by_class(pairs, |pair| &pair.kind);
        Self {
            all: Row::new("all", &pairs.iter().collect::<Vec<_>>()),
            classes: classes
                .map(|(name, pairs)| Row::new(name, &pairs))
                .collect(),
        }
    }

    /// Returns all rows, that of all pairs first.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        std::iter::once(&self.all).chain(&self.classes)
    }

    /// Formats the failed games of both players; `None` if there are none.
    pub fn failed_games(&self) -> Option<String> {
        failed_games(
            self.all.cases,
            [("A", self.all.failed_a), ("B", self.all.failed_b)],
        )
    }
}
