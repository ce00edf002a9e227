//! Runs against the best scores that any of them has on a case.

use crate::report::Report;
use crate::row::Row;
use anyhow::Result;
use columns_cli::table::aligned;
use serde::Serialize;
use statrs::statistics::Statistics;
use std::collections::HashMap;
use std::iter;
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
        let reports = files.iter().map(|path| Report::read(path));
        let reports = reports.collect::<Result<Vec<_>>>()?;
        Ok((!reports.is_empty()).then(|| Self::of(&reports)))
    }

    /// The best scores of some runs.
    fn of<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Self {
        let mut best = HashMap::new();
        for row in reports.into_iter().flat_map(|report| &report.rows) {
            let known = best.entry(row.digest.clone()).or_insert(0);
            *known = row.game.score.max(*known);
        }
        Self(best)
    }

    /// The best score of the case with this digest, this one included.
    fn with(&self, digest: &str, score: u64) -> u64 {
        let known = self.0.get(digest);
        known.copied().unwrap_or_default().max(score)
    }

    /// A score in percent of the best one of the case with this digest; 100 where all are 0.
    pub fn relative(&self, digest: &str, score: u64) -> f64 {
        match self.with(digest, score) {
            0 => 100.0,
            best => 100.0 * score as f64 / best as f64,
        }
    }

    fn of_row(&self, row: &Row) -> f64 {
        self.relative(&row.digest, row.game.score)
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
        relative: report.rows.iter().map(|row| best.of_row(row)).mean(),
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
    let texts = iter::once("bot, comment".into()).chain(standings.iter().map(text));
    let lines = numbers.lines().zip(texts);
    let lines = lines.map(|(line, text)| format!("{line}  {text}").trim_end().to_string() + "\n");
    lines.collect()
}

/// The cases as a table: the best score of each, and each run's score in percent of it.
pub fn cases(runs: &[(String, Report)]) -> String {
    let best = Best::of(runs.iter().map(|(_, report)| report));
    let mut numbers = HashMap::new();
    let mut table: Vec<Vec<String>> = Vec::new();
    for (index, (_, report)) in runs.iter().enumerate() {
        for row in &report.rows {
            let number = *numbers.entry(&row.digest).or_insert_with(|| {
                let score = best.with(&row.digest, 0).to_string();
                let mut cells = vec![row.name.clone(), score];
                cells.resize(2 + runs.len(), "-".into());
                table.push(cells);
                table.len() - 1
            });
            table[number][2 + index] = format!("{:.2}", best.of_row(row));
        }
    }
    let files = runs.iter().map(|(file, _)| file.as_str());
    aligned(["case", "best"].into_iter().chain(files), table)
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
