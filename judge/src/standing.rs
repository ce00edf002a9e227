//! Runs against the best scores that any of them has on a case.

use crate::report::Report;
use crate::row::Row;
use columns_cli::table::aligned;
use serde::Serialize;
use std::collections::HashMap;
use std::iter;

/// The best score of each case, by its digest: cases are the same if their text is.
#[derive(Debug, Default)]
pub struct Best(HashMap<String, u64>);

impl Best {
    /// The best scores of some runs.
    pub fn of<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Self {
        let mut best = HashMap::new();
        for row in reports.into_iter().flat_map(|report| &report.rows) {
            let known = best.entry(row.digest.clone()).or_insert(0);
            *known = row.score.max(*known);
        }
        Self(best)
    }

    /// The best score of the case of a row, that of the row included.
    fn with(&self, row: &Row) -> u64 {
        let known = self.0.get(&row.digest);
        known.copied().unwrap_or_default().max(row.score)
    }

    /// The score of a row in percent of the best one; 100 where all are 0.
    pub fn relative(&self, row: &Row) -> f64 {
        match self.with(row) {
            0 => 100.0,
            best => 100.0 * row.score as f64 / best as f64,
        }
    }

    /// The mean of [`relative`](Self::relative) over some rows.
    fn mean(&self, rows: &[Row]) -> f64 {
        rows.iter().map(|row| self.relative(row)).sum::<f64>() / rows.len().max(1) as f64
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
    /// Mean over its cases of score / best score, in percent.
    pub relative: f64,
    /// What tells the bot from others.
    pub version: Option<&'a str>,
    /// What its user said of it.
    pub comment: Option<&'a str>,
}

/// Runs, each with the name of its file, in the order of their start.
pub fn standings<'a>(runs: &'a [(String, Report)]) -> Vec<Standing<'a>> {
    let best = Best::of(runs.iter().map(|(_, report)| report));
    let standing = |(file, report): &'a (String, Report)| Standing {
        file: file.as_str(),
        started: report.started.as_str(),
        games: report.rows.len(),
        mean: report.summary.mean,
        relative: best.mean(&report.rows),
        version: report.bot_version.as_deref(),
        comment: report.comment.as_deref(),
    };
    let mut standings: Vec<_> = runs.iter().map(standing).collect();
    standings.sort_by_key(|standing| standing.started);
    standings
}

/// The runs as a table.
pub fn table(standings: &[Standing]) -> String {
    let rows = standings.iter().map(|run| {
        [
            run.file.to_string(),
            run.started.chars().take(16).collect(),
            run.games.to_string(),
            format!("{:.1}", run.mean),
            format!("{:.2}", run.relative),
        ]
    });
    let numbers = aligned(["run", "started", "games", "mean", "relative %"], rows);
    // Text is aligned to the left.
    let text = |run: &Standing| {
        let version = run.version.unwrap_or("-");
        format!("{version}  {}", run.comment.unwrap_or_default())
    };
    let texts = iter::once("bot, comment".to_string()).chain(standings.iter().map(text));
    let lines = numbers.lines().zip(texts);
    lines
        .map(|(line, text)| format!("{line}  {}\n", text.trim_end()))
        .collect()
}

/// The cases as a table: the best score of each, and each run's score in percent of it.
pub fn cases(runs: &[(String, Report)]) -> String {
    let best = Best::of(runs.iter().map(|(_, report)| report));
    let mut seen = HashMap::new();
    let mut names = Vec::new();
    for (index, (_, report)) in runs.iter().enumerate() {
        for row in &report.rows {
            let cells = seen.entry(row.digest.as_str()).or_insert_with(|| {
                names.push(row);
                vec!["-".to_string(); runs.len()]
            });
            cells[index] = format!("{:.2}", best.relative(row));
        }
    }
    let header = ["case", "best"].map(String::from).into_iter();
    let header: Vec<String> = header
        .chain(runs.iter().map(|(file, _)| file.clone()))
        .collect();
    let rows = names.iter().map(|row| {
        let start = [row.name.clone(), best.with(row).to_string()];
        let cells = &seen[row.digest.as_str()];
        start
            .into_iter()
            .chain(cells.iter().cloned())
            .collect::<Vec<_>>()
    });
    aligned(header, rows)
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
        let runs = [
            ("b.json".to_string(), second),
            ("a.json".to_string(), first),
        ];
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
    }
}
