//! Runs against the best scores that any of them has on a case.

use crate::report::Report;
use crate::row::Row;
use anyhow::Result;
use columns_cli::table::{aligned, text};
use serde::Serialize;
use statrs::statistics::Statistics;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The best score of each case, by its digest: cases are the same if their text is.
#[derive(Debug, Default)]
pub struct Best(HashMap<String, u64>);

impl Best {
    /// The best scores of the runs in some files; `None` without files.
    ///
    /// # Errors
    /// Those of [`Report::read`].
    pub fn read(files: &[PathBuf]) -> Result<Option<Self>> {
        let reports: Result<Vec<_>> = files.iter().map(|path| Report::read(path)).collect();
        Ok((!files.is_empty()).then_some(Self::of(&reports?)))
    }

    /// The best scores of some runs.
    fn of(reports: &[Report]) -> Self {
        let mut best = HashMap::new();
        for row in reports.iter().flat_map(|report| &report.rows) {
            let known = best.entry(row.digest.clone()).or_insert(0);
            *known = row.game.score.max(*known);
        }
        Self(best)
    }

    /// The score of a game in percent of the best one of its case, this game included; 100 where
    /// all are 0.
    pub fn relative(&self, row: &Row) -> f64 {
        let known = self.0.get(&row.digest).copied().unwrap_or_default();
        match known.max(row.game.score) {
            0 => 100.0,
            best => 100.0 * row.game.score as f64 / best as f64,
        }
    }
}

/// A run among others.
#[derive(Debug, Serialize)]
pub struct Standing<'a> {
    /// Its file.
    pub file: &'a str,
    /// When it started, in UTC.
    pub started: &'a str,
    /// Number of games.
    pub games: usize,
    /// Points per game.
    pub mean: f64,
    /// Mean over its cases of score / best score, in percent; `None` without games.
    pub relative: Option<f64>,
    /// What tells the bot from others.
    pub version: Option<&'a str>,
    /// What its user said of it.
    pub comment: Option<&'a str>,
}

/// Runs in the order of their start.
pub fn standings<'a>(runs: &'a [Report]) -> Vec<Standing<'a>> {
    let best = Best::of(runs);
    let standing = |run: &'a Report| Standing {
        file: &run.file,
        started: &run.started,
        games: run.rows.len(),
        mean: run.summary.mean,
        relative: (!run.rows.is_empty())
            .then(|| run.rows.iter().map(|row| best.relative(row)).mean()),
        version: run.bot_version.as_deref(),
        comment: run.comment.as_deref(),
    };
    let mut standings: Vec<_> = runs.iter().map(standing).collect();
    standings.sort_by_key(|standing| standing.started);
    standings
}

/// The runs as a table.
pub fn table(standings: &[Standing]) -> String {
    let header = ["run", "started", "games", "mean", "relative %"].map(Into::into);
    let row = |run: &Standing| {
        let started: String = run.started.chars().take(16).collect();
        let version = run.version.unwrap_or("-");
        [
            run.file.into(),
            started.into(),
            run.games.into(),
            format!("{:.1}", run.mean).into(),
            run.relative
                .map_or("-".into(), |mean| format!("{mean:.2}").into()),
            text(&format!("{version}  {}", run.comment.unwrap_or_default())),
        ]
    };
    let header = header.into_iter().chain([text("bot, comment")]);
    aligned(header, standings.iter().map(row))
}

/// The cases as a table: the best score of each, and each run's score in percent of it.
pub fn cases<'a>(runs: &'a [Report]) -> String {
    let best = Best::of(runs);
    let by_digest = |run: &'a Report| run.rows.iter().map(|row| (&row.digest, row)).collect();
    let by_digest: Vec<HashMap<&String, &Row>> = runs.iter().map(by_digest).collect();
    let mut listed = HashSet::new();
    let rows = runs.iter().flat_map(|run| &run.rows);
    let rows = rows.filter(|row| listed.insert(&row.digest)).map(|first| {
        let relative = |run: &HashMap<&String, &Row>| {
            let row = run.get(&first.digest);
            row.map_or("-".into(), |row| format!("{:.2}", best.relative(row)))
        };
        let cells = [first.name.clone(), best.0[&first.digest].to_string()];
        cells.into_iter().chain(by_digest.iter().map(relative))
    });
    let files = runs.iter().map(|run| run.file.as_str());
    aligned(["case", "best"].into_iter().chain(files), rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::report;

    #[test]
    fn every_score_stands_against_the_best() {
        let mut first = report(&[("0001", 100), ("0002", 50), ("0003", 0)]);
        first.comment = Some("narrow".into());
        let mut second = report(&[("0001", 80), ("0002", 100), ("0003", 0), ("0004", 7)]);
        second.bot_version = Some("bot 2".into());
        second.started = "then".into();
        (first.file, second.file) = ("a.json".into(), "b.json".into());
        let runs = [second, first];
        let expected = "\
run     started  games  mean  relative %  bot, comment
a.json      now      3  50.0       83.33  -  narrow
b.json     then      4  46.8       95.00  bot 2
";
        assert_eq!(table(&standings(&runs)), expected);
        let expected = "\
case  best  b.json  a.json
0001   100   80.00  100.00
0002   100  100.00   50.00
0003     0  100.00  100.00
0004     7  100.00       -
";
        assert_eq!(cases(&runs), expected);

        // A run that was interrupted in its first game.
        let none = [report(&[])];
        let told = table(&standings(&none));
        assert!(!told.contains("NaN"), "{told}");
    }
}
