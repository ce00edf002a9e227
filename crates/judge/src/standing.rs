//! The scores of several runs, relative to the best score that any of them reached on each case.

use crate::report::Report;
use crate::row::Row;
use crate::summary::Summary;
use anyhow::Result;
use columns_cli::table::{aligned, text};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The best score of each case, by the digest of the case. Cases with equal texts are the same case.
#[derive(Debug, Default)]
pub struct Best(HashMap<String, u64>);

impl Best {
    /// Reads reports and returns their best scores; `None` if `files` is empty.
    ///
    /// # Errors
    /// If [`Report::read`] fails for one of the files.
    pub fn read(files: &[PathBuf]) -> Result<Option<Self>> {
        let reports: Result<Vec<_>> = files.iter().map(|path| Report::read(path)).collect();
        Ok((!files.is_empty()).then_some(Self::of(&reports?)))
    }

    /// Collects the best scores of some runs.
    fn of(reports: &[Report]) -> Self {
        let mut best = HashMap::new();
        for row in reports.iter().flat_map(|report| &report.rows) {
            let score = best.entry(row.digest.clone()).or_insert(0);
            *score = row.game.score.max(*score);
        }
        Self(best)
    }

    /// Returns the score of a game as a percentage of the best score of its case, including this game. If all scores are
    /// 0, returns 100.
    pub fn relative(&self, row: &Row) -> f64 {
        let best = self.0.get(&row.digest).copied().unwrap_or_default();
        match best.max(row.game.score) {
            0 => 100.0,
            best => 100.0 * row.game.score as f64 / best as f64,
        }
    }
}

/// Sorts runs by their start, and sets the relative score of each game: a percentage of the best score in any of the runs.
pub fn set_relative(runs: &mut [Report]) {
    runs.sort_by(|a, b| a.started.cmp(&b.started));
    let best = Best::of(runs);
    for run in runs {
        for row in &mut run.rows {
            row.relative = Some(best.relative(row));
        }
        run.summary = Summary::of(&run.rows);
    }
}

/// Formats the runs as a table, followed by notes on the conditions that differ.
pub fn table(runs: &[Report]) -> String {
    let row = |run: &Report| {
        let interrupted = run.interrupted.then_some("  (interrupted)");
        let comment = run.comment.as_deref().unwrap_or_default();
        [
            run.file.as_str().into(),
            // Date and time to the minute.
            format!("{:.16}", run.started).into(),
            run.summary.games.into(),
            format!("{:.1}", run.summary.mean).into(),
            percent(run.summary.relative).into(),
            text(run.host.processor.as_deref().unwrap_or("-")),
            text(&(run.identity() + interrupted.unwrap_or_default() + "  " + comment)),
        ]
    };
    let numbers = ["run", "started", "games", "mean", "relative %"].map(Into::into);
    let header = numbers
        .into_iter()
        .chain(["processor", "bot, comment"].map(text));
    let mut table = aligned(header, runs.iter().map(row));
    for (index, (what, first)) in runs.iter().take(1).flat_map(Report::conditions).enumerate() {
        if runs.iter().any(|run| run.conditions()[index].1 != first) {
            let _ = writeln!(table, "note: not all runs have the same {what}");
        }
    }
    table
}

/// Formats a relative score; `-` for `None`.
fn percent(relative: Option<f64>) -> String {
    relative.map_or("-".into(), |relative| format!("{relative:.2}"))
}

/// Formats the cases as a table: the best score of each, and the score of each run as a percentage of it.
pub fn cases<'a>(runs: &'a [Report]) -> String {
    let best = Best::of(runs);
    let relative = |run: &'a Report| run.rows.iter().map(|row| (&row.digest, row.relative));
    let relative: Vec<HashMap<_, _>> = runs.iter().map(|run| relative(run).collect()).collect();
    let mut listed = HashSet::new();
    let rows = runs.iter().flat_map(|run| &run.rows);
    let rows = rows.filter(|row| listed.insert(&row.digest)).map(|row| {
        let cells = [row.name.clone(), best.0[&row.digest].to_string()];
        let relative = relative.iter().map(|run| run.get(&row.digest));
        let relative = relative.map(|score| percent(score.copied().flatten()));
        cells.into_iter().chain(relative)
    });
    let files = runs.iter().map(|run| run.file.as_str());
    aligned(["case", "best"].into_iter().chain(files), rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::report;

    #[test]
    fn scores_are_relative_to_the_best_one() {
        let mut first = report(&[("0001", 100), ("0002", 50), ("0003", 0)]);
        first.comment = Some("narrow".into());
        let mut second = report(&[("0001", 80), ("0002", 100), ("0003", 0), ("0004", 7)]);
        second.bot_version = "bot 2".into();
        second.started = "then".into();
        (first.file, second.file) = ("a.json".into(), "b.json".into());
        let mut runs = [second, first];
        set_relative(&mut runs);
        let expected = "\
run     started  games  mean  relative %  processor  bot, comment
a.json      now      3  50.0       83.33  -          bot 1  narrow
b.json     then      4  46.8       95.00  -          bot 2
";
        assert_eq!(table(&runs), expected);
        let expected = "\
case  best  a.json  b.json
0001   100  100.00   80.00
0002   100   50.00  100.00
0003     0  100.00  100.00
0004     7       -  100.00
";
        assert_eq!(cases(&runs), expected);

        // A run that was interrupted during its first game has no games.
        let mut none = [report(&[])];
        set_relative(&mut none);
        let text = table(&none);
        assert!(!text.contains("NaN"), "{text}");
    }
}
