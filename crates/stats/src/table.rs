//! The results of two players as a table: a row for all pairs of games, and a row for each class of cases.

use crate::{Estimate, Objective, Pair, Points};
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
    /// Change of the geometric mean score in percent, over the cases that both finished; `None` if there is
    /// no such case.
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
        "p",
        "score",
        "95 %",
        "won",
        "lost",
        "tied",
    ];

    /// Compares B with A on these pairs.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn new(name: &str, pairs: &[&Pair]) -> Self {
        Self::among(1, name, pairs)
    }

    /// Like [`new`](Self::new), for one of several candidates that are compared with the same base. The
    /// intervals and p-values are corrected for their number (Bonferroni): with 95 % confidence, the
    /// intervals of all candidates contain their true changes.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn among(candidates: usize, name: &str, pairs: &[&Pair]) -> Self {
        assert!(!pairs.is_empty(), "a row needs a pair");
        let points: Vec<Points> = pairs.iter().map(|pair| pair.points()).collect();
        let estimate = |objective: Objective| {
            let estimate = objective.estimate(1.0 - 0.05 / candidates as f64, &points)?;
            Some(Estimate {
                p: (estimate.p * candidates as f64).min(1.0),
                ..estimate
            })
        };
        let [mean_a, mean_b] = [0, 1].map(|side| {
            let scores = points.iter().map(|pair| pair[side].unwrap_or(0) as f64);
            scores.sum::<f64>() / points.len() as f64
        });
        let failed = |side: usize| points.iter().filter(|pair| pair[side].is_none()).count();
        // `None` is less than any points.
        let count = |order| points.iter().filter(|[a, b]| b.cmp(a) == order).count();
        Self {
            name: name.into(),
            cases: pairs.len(),
            mean_a,
            mean_b,
            log_percent: estimate(Objective::Log),
            sum_percent: estimate(Objective::Sum),
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
            failed_a: failed(0),
            failed_b: failed(1),
        }
    }

    /// Formats the row for a text table with these [titles](Self::TITLES).
    pub fn cells(&self) -> [String; 12] {
        let or_dash = |text: Option<String>| text.unwrap_or("-".into());
        let change =
            |estimate: Option<Estimate>| or_dash(estimate.map(|one| format!("{:+.2} %", one.mean)));
        let interval = |estimate: Option<Estimate>| {
            let interval = estimate.and_then(|estimate| estimate.interval);
            or_dash(interval.map(|(low, high)| format!("{low:+.2} to {high:+.2}")))
        };
        let p = self.log_percent.map(|estimate| match estimate.p {
            p if p < 0.0001 => "<0.0001".into(),
            p => format!("{p:.4}"),
        });
        [
            self.name.clone(),
            self.cases.to_string(),
            format!("{:.0}", self.mean_a),
            format!("{:.0}", self.mean_b),
            change(self.log_percent),
            interval(self.log_percent),
            or_dash(p),
            change(self.sum_percent),
            interval(self.sum_percent),
            self.wins.to_string(),
            self.losses.to_string(),
            self.ties.to_string(),
        ]
    }
}

/// Formats the failed games of two players on the same cases, such as `failed games: A 0, B 63 of 692`.
/// Returns `None` if no game failed. The arguments are the name of each player and the number of its failed
/// games.
pub fn failed_games(cases: usize, [(a, of_a), (b, of_b)]: [(&str, usize); 2]) -> Option<String> {
    (of_a + of_b > 0).then(|| format!("failed games: {a} {of_a}, {b} {of_b} of {cases}"))
}

/// The results of B against A on all pairs, and on the pairs of each class that occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The row for all pairs.
    pub all: Row,
    /// A row for each class that occurs: by area of the field, by number of columns, by palette and number of
    /// colours.
    pub classes: Vec<Row>,
}

impl Table {
    /// Compares B with A on all pairs and by class.
    ///
    /// # Panics
    /// If `pairs` is empty.
    pub fn new(pairs: &[Pair]) -> Self {
        let classes = by_class(pairs, |pair| &pair.properties);
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
}
