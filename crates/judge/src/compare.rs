//! Compares two runs, case by case.

use crate::program::files::{ProgramFile, join_paths};
use crate::row::Row;
use crate::store::Run;
use anyhow::{Result, ensure};
use columns_cases::digest::Digest;
use columns_cli::{output::count_text, stderr::to_one_line, table::format_titled};
use columns_stats::{self as stats, Pair};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

/// The comparison of a run B with a run A.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// A line about each run: its letter, number, name, bot and cases.
    pub run_descriptions: [String; 2],
    /// Notes on what affects the comparison, such as an incomplete run or different time limits.
    pub notes: Vec<String>,
    /// The results on all cases that both runs played, and on each [class](columns_cases::classes) of these
    /// cases. If several runs are compared with A, there are no classes.
    #[serde(flatten)]
    pub table: stats::ComparisonTable,
    /// The cases that both runs played, from B's largest loss to its largest gain. A failed game counts as a
    /// score of 0.
    pub cases: Vec<NamedPair>,
}

/// The games of both runs on a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedPair {
    /// The name of the case in run A.
    pub name: String,
    /// The points of both games; `None` for a failed game.
    #[serde(flatten)]
    pub pair: Pair,
}

impl NamedPair {
    /// Returns the points of A and B. A failed game counts as 0 points.
    fn points(&self) -> [u64; 2] {
        self.pair.points().map(Option::unwrap_or_default)
    }

    fn log_change(&self) -> f64 {
        stats::log_ratio(self.points())
    }
}

/// Maximum number of losses, and of gains, listed in the text of a comparison.
const MAX_CASES_LISTED: usize = 5;

impl Comparison {
    /// Compares `b` with `a` on the cases that both played. `side` is the letter of `b` in the output.
    ///
    /// `candidates` is the number of runs that are compared with `a`. The intervals and p-values over all
    /// cases are corrected for this number.
    ///
    /// Cases with the same text are the same case, even under different names. Copies of a case count once.
    ///
    /// # Errors
    /// Returns an error if the runs have no case in common.
    pub fn new(a: &Run, b: &Run, side: char, candidates: usize) -> Result<Self> {
        let games = common_games(a, b).map(|(row, other)| NamedPair {
            name: row.name.clone(),
            pair: pair(row, other),
        });
        let mut pairs: Vec<NamedPair> = games.collect();
        let notes = notes(a, b, side, pairs.len());
        ensure!(
            !pairs.is_empty(),
            "expected runs over the same cases, found none in common ({})",
            notes.join("; ")
        );
        let all: Vec<Pair> = pairs.iter().map(|case| case.pair).collect();
        let mut table = stats::ComparisonTable::new(candidates, &all);
        if candidates > 1 {
            table.all.name = side.into();
            // The intervals of the classes are not corrected for several candidates, so leave them out.
            table.classes.clear();
        }
        pairs.sort_by(|x, y| x.log_change().total_cmp(&y.log_change()));
        Ok(Self {
            run_descriptions: [('A', a), (side, b)]
                .map(|(side, run)| format!("{side}  {}", run.description())),
            notes,
            table,
            cases: pairs,
        })
    }
}

/// Pairs the games of A and B on the same case. A failed game has no points.
pub fn pair(a: &Row, b: &Row) -> Pair {
    let points = |row: &Row| (!row.game.status.is_failed()).then_some(row.game.score);
    Pair {
        properties: a.properties,
        a: points(a),
        b: points(b),
    }
}

/// Iterates over the games of `a` and `b` on the same cases, in the order of `a`.
pub fn common_games<'a>(a: &'a Run, b: &'a Run) -> impl Iterator<Item = (&'a Row, &'a Row)> {
    let others = b.distinct_rows().map(|row| (row.case_digest, row));
    let others: HashMap<Digest, &Row> = others.collect();
    a.distinct_rows()
        .filter_map(move |row| Some((row, *others.get(&row.case_digest)?)))
}

/// Formats comparisons with the same run A: a line for each run, the notes and a table. With several
/// candidates, the table has one row for each. With one candidate, it also has a row for each class, and the
/// cases that changed most are listed below it.
pub fn format_comparisons(comparisons: &[Comparison]) -> String {
    let sides = comparisons.iter().flat_map(|c| c.run_descriptions.clone());
    let notes = comparisons.iter().flat_map(|c| &c.notes);
    let mut lines = Vec::new();
    for line in sides.chain(notes.map(|note| format!("note: {note}"))) {
        // All comparisons share side A, so list it only once.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let comparison_rows = comparisons.iter().flat_map(|c| c.table.rows());
    let mut rows: Vec<_> = comparison_rows
        .map(stats::ComparisonRow::titled_cells)
        .collect();
    let last = if let [one] = comparisons {
        let losses = one.cases.iter().filter(|case| case.log_change() < 0.0);
        let best_first = one.cases.iter().rev();
        let gains = best_first.filter(|case| case.log_change() > 0.0);
        format_case_list("most lost", losses) + &format_case_list("most won", gains)
    } else {
        for row in &mut rows {
            (row[0].0, row[3].0) = ("against A", "mean");
        }
        let count = comparisons.len();
        let confidence = 100.0 - 5.0 / count as f64;
        format!(
            "{count} candidates: all intervals hold together with 95 % (each alone with {confidence:.2} %), \
             and p is multiplied by {count}: at most 1 of 20 such comparisons reports a difference where \
             there is none.\n",
        )
    };
    let failed = comparisons.iter().filter_map(|comparison| {
        let row = &comparison.table.all;
        let line = row.failed_games_text(["A", &comparison.run_descriptions[1][..1]]);
        line.map(|line| line + "\n")
    });
    let (lines, table) = (lines.join("\n"), format_titled(rows));
    let failed: String = failed.collect();
    format!("{lines}\n{table}{failed}{last}")
}

fn notes(a: &Run, b: &Run, side: char, common: usize) -> Vec<String> {
    let mut notes = Vec::new();
    for (what, run) in [('A', a), (side, b)] {
        if !run.is_complete() {
            notes.push(format!("{what} is not complete"));
        }
        let cases = run.distinct_rows().count();
        if run.rows.len() > cases {
            let copies = count_text(run.rows.len() - cases, "game");
            notes.push(format!("on copies of cases in {what}, left out: {copies}"));
        }
        if cases > common {
            let cases = count_text(cases - common, "case");
            notes.push(format!("only in {what}, left out: {cases}"));
        }
    }
    let others = b.rows.iter().map(|row| (&row.name, row.case_digest));
    let others: HashMap<&String, Digest> = others.collect();
    let digest_in_b = |row: &Row| *others.get(&row.name).unwrap_or(&row.case_digest);
    let mut rows = a.rows.iter();
    if let Some(row) = rows.find(|row| digest_in_b(row) != row.case_digest) {
        notes.push(format!("two different cases are called {}", row.name));
    }
    for (condition, [a, b]) in a.head.differences(&b.head) {
        notes.push(format!("{condition}: {a} in A, {b} in {side}"));
    }
    for (what, run) in [('A', a), (side, b)] {
        let changed = run.summary().changed_games.into_iter();
        notes.extend(changed.map(|games| format!("in {what}, {games}")));
    }
    if a.head.bot == b.head.bot {
        let [a, b] = [a, b].map(Run::program_files);
        let only = |one: &[ProgramFile], other: &[ProgramFile]| {
            let files = one.iter().filter(|file| !other.contains(file));
            files.map(|file| file.path.clone()).collect::<Vec<_>>()
        };
        let differing_files: BTreeSet<PathBuf> =
            [only(&a, &b), only(&b, &a)].into_iter().flatten().collect();
        if !differing_files.is_empty() {
            let files = join_paths(&Vec::from_iter(differing_files));
            notes.push(format!("{files} differs between A and {side}"));
        }
    }
    notes
}

/// Formats a line that lists the first [`MAX_CASES_LISTED`] cases with the changes in their scores; empty if
/// there are no cases.
fn format_case_list<'a>(what: &str, cases: impl Iterator<Item = &'a NamedPair>) -> String {
    let change = |case: &NamedPair| {
        let [a, b] = case.points();
        let percent = 100.0 * (b as f64 / a.max(1) as f64 - 1.0);
        format!(
            "{} ({})",
            to_one_line(&case.name),
            stats::format_change(percent, 1)
        )
    };
    let cases: Vec<String> = cases.take(MAX_CASES_LISTED).map(change).collect();
    if cases.is_empty() {
        return String::new();
    }
    format!("{what:<9}  {}\n", cases.join(", "))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arena::process::Limits;
    use crate::cases::Cases;
    use crate::head::{Head, Host};
    use crate::row::{GameStatus, tests::row};

    /// Creates a run. `scores` holds the name of each case and the score of the game on it.
    pub(crate) fn run(scores: &[(&str, u64)]) -> Run {
        let row = |&(name, score): &(&str, u64)| row(name, score, GameStatus::Ok);
        let names = scores.iter().map(|(name, _)| (*name).into()).collect();
        let head = Head {
            name: None,
            comment: None,
            bot: "bot".into(),
            folder: String::new(),
            bot_version: "bot 1".into(),
            files: Vec::new(),
            commit: None,
            has_uncommitted_changes: false,
            cases: Cases::Files {
                source: "test".into(),
                names,
            },
            limits: Limits::CONTEST,
            jobs: 1,
            host: Host::default(),
            start_time: "2026-11-28T02:51:07Z".into(),
            judge_version: String::new(),
            base_run: None,
        };
        Run {
            folder: "runs/0003".into(),
            number: "3".into(),
            head,
            rows: scores.iter().map(row).collect(),
        }
    }

    #[test]
    fn cases_are_paired_by_their_digests() {
        let a = run(&[("1", 100), ("2", 200), ("3", 300), ("4", 50)]);
        let b = run(&[("5", 1), ("3", 300), ("2", 100), ("1", 400)]);
        let comparison = Comparison::new(&a, &b, 'B', 1).unwrap();
        let all = &comparison.table.all;
        assert_eq!((all.cases, all.wins, all.losses, all.ties), (3, 1, 1, 1));
        assert!((all.mean_a - 200.0).abs() < 1e-9);
        // The logarithms of the scores differ by ln 4, -ln 2 and 0, on average by ln 2 / 3.
        let expected = 100.0 * (2.0_f64.powf(1.0 / 3.0) - 1.0);
        assert!((all.log_percent.unwrap().mean - expected).abs() < 1e-9);
        // The sums are 600 and 800 points.
        let sum = all.sum_percent.unwrap();
        assert!((sum.mean - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(
            comparison.notes,
            ["only in A, left out: 1 case", "only in B, left out: 1 case"]
        );
    }

    #[test]
    fn a_run_on_another_machine_says_so() {
        let mut head = run(&[]).head;
        head.host = Host::detect();
        head.judge_version = columns_cli::command::VERSION.into();
        assert_eq!(head.machine_changes(), Vec::<String>::new());
        head.host.processor = Some("Z80".into());
        head.judge_version = "0.0".into();
        let notes = head.machine_changes();
        assert!(
            notes[0].starts_with("the run began with processor Z80, and continues with "),
            "{notes:?}"
        );
        assert!(
            notes[1].starts_with("the run began with version of the judge 0.0, and "),
            "{notes:?}"
        );
    }
}
