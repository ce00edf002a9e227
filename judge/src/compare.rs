//! Two runs, case by case.

use crate::classes::{Kind, CLASSES};
use crate::report::Report;
use crate::row::Row;
use crate::stats::{wilcoxon, Estimate};
use crate::summary::log_score;
use anyhow::{bail, Result};
use columns_cli::table::aligned;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;

/// One case, played by both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// What kind of case it is.
    pub kind: Kind,
    /// Points of the first.
    pub a: u64,
    /// Points of the second.
    pub b: u64,
}

impl Pair {
    /// The difference of the logarithms of the scores, the second's less the first's; a
    /// score of 0 counts as 1.
    pub fn log_difference(&self) -> f64 {
        log_score(self.b) - log_score(self.a)
    }
}

/// How the second run does against the first on some cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Number of cases that both runs played.
    pub cases: usize,
    /// Points per game of the first run.
    pub mean_a: f64,
    /// Points per game of the second run.
    pub mean_b: f64,
    /// Change of the score in percent, as a mean over cases of the difference
    /// of logarithms: every case counts alike. A score of 0 counts as 1.
    pub log_percent: Estimate,
    /// Change of the sum of scores, in percent of the first run's: what the
    /// contest ranks by. `None` if the first run scored nothing.
    pub sum_percent: Option<Estimate>,
    /// Cases in which the second run scores more.
    pub wins: usize,
    /// Cases in which it scores less.
    pub losses: usize,
    /// Cases in which both score the same.
    pub ties: usize,
    /// Two-sided p-value of Wilcoxon's signed-rank test on the differences of
    /// logarithms.
    pub wilcoxon_p: f64,
}

/// Two runs, compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What the runs have that makes their scores hard to compare.
    pub notes: Vec<String>,
    /// Over all cases that both played.
    pub all: Difference,
    /// By area of the field, by number of columns, by kind of palette and
    /// number of colours: the classes that occur.
    pub classes: Vec<Class>,
}

/// The cases of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// What kind.
    pub name: String,
    /// The runs on these cases.
    #[serde(flatten)]
    pub difference: Difference,
}

impl Comparison {
    /// Compares `b` with `a` on the cases that both played.
    ///
    /// # Errors
    /// If they have no case in common, or if cases of one name differ.
    pub fn of(a: &Report, b: &Report) -> Result<Self> {
        let others: HashMap<&str, &Row> = b.rows.iter().map(|r| (r.name.as_str(), r)).collect();
        let mut pairs = Vec::new();
        for row in &a.rows {
            if let Some(&other) = others.get(row.name.as_str()) {
                if row.digest != other.digest {
                    bail!(
                        "expected runs over the same cases, found two different cases {}",
                        row.name
                    );
                }
                pairs.push(Pair {
                    kind: row.kind(),
                    a: row.score,
                    b: other.score,
                });
            }
        }
        if pairs.is_empty() {
            bail!("expected runs over the same cases, found none in common");
        }
        Ok(Self::new(notes(a, b, pairs.len()), &pairs))
    }

    /// Compares on these cases.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(notes: Vec<String>, pairs: &[Pair]) -> Self {
        Self {
            notes,
            all: Difference::of(pairs),
            classes: CLASSES
                .into_iter()
                .filter_map(|(name, holds)| {
                    let is = |pair: &&Pair| holds(&pair.kind);
                    let pairs: Vec<Pair> = pairs.iter().filter(is).copied().collect();
                    let difference = (!pairs.is_empty()).then(|| Difference::of(&pairs))?;
                    Some(Class {
                        name: name.into(),
                        difference,
                    })
                })
                .collect(),
        }
    }
}

impl Difference {
    fn of(pairs: &[Pair]) -> Self {
        let n = pairs.len() as f64;
        let mean = |side: fn(&Pair) -> u64| pairs.iter().map(side).sum::<u64>() as f64 / n;
        let (mean_a, mean_b) = (mean(|p| p.a), mean(|p| p.b));
        let logs: Vec<f64> = pairs.iter().map(Pair::log_difference).collect();
        let points: Vec<f64> = pairs.iter().map(|p| p.b as f64 - p.a as f64).collect();
        let count = |order| pairs.iter().filter(|p| p.b.cmp(&p.a) == order).count();
        Self {
            cases: pairs.len(),
            mean_a,
            mean_b,
            log_percent: Estimate::of(&logs).map(|log| 100.0 * log.exp_m1()),
            sum_percent: (mean_a > 0.0)
                .then(|| Estimate::of(&points).map(|points| 100.0 * points / mean_a)),
            wins: count(Ordering::Greater),
            losses: count(Ordering::Less),
            ties: count(Ordering::Equal),
            wilcoxon_p: wilcoxon(&logs),
        }
    }
}

fn notes(a: &Report, b: &Report, common: usize) -> Vec<String> {
    let mut notes = Vec::new();
    for (what, report) in [("A", a), ("B", b)] {
        if report.rows.len() > common {
            let left_out = report.rows.len() - common;
            notes.push(format!("{left_out} cases are in {what} only and left out"));
        }
        let failures = report.summary.failures();
        if failures > 0 {
            notes.push(format!(
                "{failures} games of {what} were over a limit, invalid or crashed"
            ));
        }
    }
    let mut differs = |what: &str, a: &dyn fmt::Display, b: &dyn fmt::Display| {
        let (a, b) = (a.to_string(), b.to_string());
        if a != b {
            notes.push(format!("{what}: {a} in A, {b} in B"));
        }
    };
    differs("time limit in s", &a.time_limit_s, &b.time_limit_s);
    differs("games at a time", &a.jobs, &b.jobs);
    let processor = |report: &Report| report.host.processor.clone().unwrap_or_default();
    differs("processor", &processor(a), &processor(b));
    notes
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        let header = [
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
        let classes = self.classes.iter();
        let classes = classes.map(|class| cells(&class.name, &class.difference));
        let rows = std::iter::once(cells("all", &self.all)).chain(classes);
        f.write_str(&aligned(header, rows))
    }
}

fn cells(name: &str, difference: &Difference) -> Vec<String> {
    let percent = |estimate: &Estimate| format!("{:+.2} %", estimate.mean);
    let interval = |estimate: &Estimate| match estimate.interval {
        Some((low, high)) => format!("{low:+.2} to {high:+.2}"),
        None => "-".into(),
    };
    let sum = difference.sum_percent.as_ref();
    vec![
        name.into(),
        difference.cases.to_string(),
        format!("{:.0}", difference.mean_a),
        format!("{:.0}", difference.mean_b),
        percent(&difference.log_percent),
        interval(&difference.log_percent),
        sum.map_or("-".into(), percent),
        sum.map_or("-".into(), interval),
        difference.wins.to_string(),
        difference.losses.to_string(),
        difference.ties.to_string(),
        match difference.wilcoxon_p {
            p if p < 0.0001 => "<0.0001".into(),
            p => format!("{p:.4}"),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Host, FORMAT};
    use crate::row::Mark;
    use crate::summary::{tests::row, Summary};
    use columns_generator::Palette;

    fn report(scores: &[(&str, u64)]) -> Report {
        let rows: Vec<Row> = scores
            .iter()
            .map(|&(name, score)| row(name, score, Mark::Ok))
            .collect();
        Report {
            format: FORMAT,
            judge: "0".into(),
            bot: "bot".into(),
            bot_version: None,
            seeds: Vec::new(),
            cases: "test".into(),
            time_limit_s: 4.0,
            memory_limit_mib: 1024,
            jobs: 1,
            host: Host {
                threads: 1,
                processor: None,
                system: "test".into(),
            },
            started: "now".into(),
            elapsed_s: 1.0,
            summary: Summary::of(&rows),
            rows,
        }
    }

    #[test]
    fn cases_are_paired_by_name() {
        let a = report(&[("1", 100), ("2", 200), ("3", 300), ("4", 50)]);
        let b = report(&[("5", 1), ("3", 300), ("2", 100), ("1", 400)]);
        let comparison = Comparison::of(&a, &b).unwrap();
        let all = &comparison.all;
        assert_eq!((all.cases, all.wins, all.losses, all.ties), (3, 1, 1, 1));
        assert!((all.mean_a - 200.0).abs() < 1e-9);
        // Logarithms: ln 4, -ln 2, 0; their mean is ln 2 / 3.
        let expected = 100.0 * (2.0_f64.powf(1.0 / 3.0) - 1.0);
        assert!((all.log_percent.mean - expected).abs() < 1e-9);
        // 600 to 800 points.
        let sum = all.sum_percent.unwrap();
        assert!((sum.mean - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(
            comparison.notes,
            [
                "1 cases are in A only and left out",
                "1 cases are in B only and left out"
            ]
        );
    }

    #[test]
    fn classes_split_the_cases() {
        let mut a = report(&[("1", 100), ("2", 200), ("3", 300)]);
        a.rows[1].palette = Palette::Growing;
        a.rows[1].colours = 7;
        a.rows[2].width = 12;
        a.rows[2].columns = 10_000;
        let comparison = Comparison::of(&a, &a).unwrap();
        let seen: Vec<_> = comparison
            .classes
            .iter()
            .map(|class| (class.name.as_str(), class.difference.cases))
            .collect();
        assert_eq!(
            seen,
            [
                ("up to 126 cells", 2),
                ("127 to 160 cells", 1),
                ("under 300 columns", 2),
                ("3000 columns and more", 1),
                ("fixed, up to 4 colours", 2),
                ("growing, 7 colours and more", 1),
            ]
        );
        assert_eq!(comparison.all.ties, 3);
        assert!((comparison.all.wilcoxon_p - 1.0).abs() < 1e-9);
    }

    #[test]
    fn other_cases_are_refused() {
        let a = report(&[("1", 100)]);
        let none = Comparison::of(&a, &report(&[("2", 100)])).unwrap_err();
        assert!(none.to_string().contains("none in common"));
        let mut other = report(&[("1", 100)]);
        other.rows[0].digest = "other".into();
        let differ = Comparison::of(&a, &other).unwrap_err();
        assert!(differ.to_string().contains("two different cases 1"));
    }
}
