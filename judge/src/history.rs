//! The history: runs that were kept, and the best score of every case.

use crate::report::Report;
use crate::row::Row;
use anyhow::{ensure, Context, Result};
use columns_cli::table::aligned;
use columns_cli::{file, input, json};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::iter;
use std::path::Path;

/// Most bytes of a history that are read: some hundred thousand games.
const LIMIT: u64 = 256 << 20;

/// A run that was kept: a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// When it started, in UTC.
    pub started: String,
    /// What its user said of it.
    pub comment: String,
    /// The bot's command line.
    pub bot: String,
    /// What tells the bot from others.
    pub bot_version: Option<String>,
    /// Its games.
    pub games: Vec<Game>,
}

/// A game of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// What the case is called.
    pub name: String,
    /// The digest of the case: the same for the same case.
    pub digest: String,
    /// Points.
    pub score: u64,
}

impl Past {
    /// What is kept of a run.
    pub fn of(report: &Report, comment: &str) -> Self {
        let game = |row: &Row| Game {
            name: row.name.clone(),
            digest: row.digest.clone(),
            score: row.score,
        };
        Self {
            started: report.started.clone(),
            comment: comment.to_string(),
            bot: report.bot.clone(),
            bot_version: report.bot_version.clone(),
            games: report.rows.iter().map(game).collect(),
        }
    }
}

/// Runs, the oldest first.
#[derive(Debug, Default)]
pub struct History {
    /// The runs.
    pub runs: Vec<Past>,
}

impl History {
    /// Reads the history; there is none before the first run is kept.
    ///
    /// # Errors
    /// The file's name and why it cannot be read, or the line that is wrong in it.
    pub fn read(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = input::read(path, LIMIT)?;
        let lines = (1..).zip(text.split_inclusive('\n'));
        // A line without its end was cut off, and the next run takes it away.
        let whole = lines.filter(|(_, line)| line.ends_with('\n'));
        let run = |(number, line): (usize, &str)| {
            let run = serde_json::from_str(line);
            let expected = || {
                let name = input::name(path);
                format!("{name}: line {number}: expected a run of `judge run --comment`")
            };
            run.with_context(expected)
        };
        let runs = whole.map(run).collect::<Result<_>>()?;
        Ok(Self { runs })
    }

    /// Adds a run, to the file as well.
    ///
    /// # Errors
    /// The file's name and why it cannot be written.
    pub fn add(&mut self, path: &Path, run: Past) -> Result<()> {
        file::append(path, &serde_json::to_string(&run)?)?;
        self.runs.push(run);
        Ok(())
    }

    /// The best score of each case, by its digest.
    fn best(&self) -> HashMap<&str, u64> {
        let mut best = HashMap::new();
        for game in self.runs.iter().flat_map(|run| &run.games) {
            let known = best.entry(game.digest.as_str()).or_insert(game.score);
            *known = game.score.max(*known);
        }
        best
    }

    /// What the last run comes to against the best of all: a line, empty if there is no run.
    pub fn last(&self) -> String {
        let Some((last, before)) = self.runs.split_last() else {
            return String::new();
        };
        let best = self.best();
        let before: Vec<&Game> = before.iter().flat_map(|run| &run.games).collect();
        let better = |game: &&Game| {
            let mut same = before.iter().filter(|old| old.digest == game.digest);
            same.all(|old| old.score < game.score)
        };
        let new = last.games.iter().filter(better).count();
        format!(
            "relative {:.2} % of the best scores known; {new} of {} are new",
            mean_relative(&last.games, &best),
            last.games.len()
        )
    }

    /// The runs as a table, the oldest first.
    pub fn table(&self) -> String {
        let best = self.best();
        let rows = self.runs.iter().zip(1..).map(|(run, number)| {
            let sum: u64 = run.games.iter().map(|game| game.score).sum();
            [
                number.to_string(),
                run.started.chars().take(16).collect(),
                run.games.len().to_string(),
                format!("{:.1}", sum as f64 / run.games.len().max(1) as f64),
                format!("{:.2}", mean_relative(&run.games, &best)),
            ]
        });
        let table = aligned(["run", "started", "games", "mean", "relative %"], rows);
        let comments = self.runs.iter().map(|run| run.comment.as_str());
        let lines = table.lines().zip(iter::once("comment").chain(comments));
        lines
            .map(|(line, comment)| format!("{line}  {comment}\n"))
            .collect()
    }

    /// The cases of a run as a table, each with its score, the best known one, and how they stand
    /// to each other. Runs are counted from 1.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn cases(&self, number: usize) -> Result<String> {
        let count = self.runs.len();
        ensure!(
            (1..=count).contains(&number),
            "expected a run from 1 to {count}, found {number}"
        );
        let best = self.best();
        let rows = self.runs[number - 1].games.iter().map(|game| {
            [
                game.name.clone(),
                game.score.to_string(),
                best[game.digest.as_str()].to_string(),
                format!("{:.2}", relative(game, &best)),
            ]
        });
        Ok(aligned(["case", "score", "best", "relative %"], rows))
    }

    /// The runs as JSON.
    ///
    /// # Errors
    /// Those of JSON.
    pub fn json(&self) -> Result<String> {
        json::pretty(&self.runs)
    }
}

/// A score in percent of the best known one.
fn relative(game: &Game, best: &HashMap<&str, u64>) -> f64 {
    match best[game.digest.as_str()] {
        0 => 100.0,
        best => 100.0 * game.score as f64 / best as f64,
    }
}

fn mean_relative(games: &[Game], best: &HashMap<&str, u64>) -> f64 {
    let sum: f64 = games.iter().map(|game| relative(game, best)).sum();
    sum / games.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(comment: &str, scores: &[u64]) -> Past {
        let game = |(name, &score): (u64, &u64)| Game {
            name: format!("{name:04}"),
            digest: name.to_string(),
            score,
        };
        Past {
            started: "2026-11-22T20:00:00Z".into(),
            comment: comment.into(),
            bot: "bot".into(),
            bot_version: None,
            games: (1..).zip(scores).map(game).collect(),
        }
    }

    #[test]
    fn every_score_stands_against_the_best_known() {
        let mut history = History::default();
        assert_eq!(history.last(), "");
        history.runs = vec![
            run("first", &[100, 50, 0]),
            run("a wider beam", &[80, 100, 0, 7]),
        ];
        assert_eq!(
            history.last(),
            "relative 95.00 % of the best scores known; 2 of 4 are new"
        );
        let expected = "\
run           started  games  mean  relative %  comment
1    2026-11-22T20:00      3  50.0       83.33  first
2    2026-11-22T20:00      4  46.8       95.00  a wider beam
";
        assert_eq!(history.table(), expected);
        let expected = "\
case  score  best  relative %
0001     80   100       80.00
0002    100   100      100.00
0003      0     0      100.00
0004      7     7      100.00
";
        assert_eq!(history.cases(2).unwrap(), expected);
        assert!(history.cases(0).is_err() && history.cases(3).is_err());
    }

    #[test]
    fn a_history_survives_a_run_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.jsonl");
        let mut history = History::read(&path).unwrap();
        let first = run("first", &[1]);
        history.add(&path, first.clone()).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{}", &whole[..20])).unwrap();
        let mut history = History::read(&path).unwrap();
        assert_eq!(history.runs, [first]);
        history.add(&path, run("second", &[2])).unwrap();
        assert_eq!(History::read(&path).unwrap().runs.len(), 2);
        std::fs::write(&path, format!("{whole}{{}}\n")).unwrap();
        let told = format!("{:#}", History::read(&path).unwrap_err());
        assert!(
            told.contains("history.jsonl: line 2: expected a run"),
            "{told}"
        );
    }
}
