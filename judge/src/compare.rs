//! Two runs, case by case.

use crate::palette::Palette;
use crate::report::{Report, Row};
use crate::stats::{wilcoxon, Estimate};
use crate::summary::log_score;
use anyhow::{bail, Result};
use comfy_table::{presets, CellAlignment, Table};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// How the second run does against the first on some cases.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What the runs have that makes their scores hard to compare.
    pub notes: Vec<String>,
    /// Over all cases that both played.
    pub all: Difference,
    /// By area of the field.
    pub by_size: BTreeMap<String, Difference>,
    /// By number of columns.
    pub by_length: BTreeMap<String, Difference>,
    /// By kind of palette and number of colours.
    pub by_palette: BTreeMap<String, Difference>,
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
                pairs.push((row, other));
            }
        }
        if pairs.is_empty() {
            bail!("expected runs over the same cases, found none in common");
        }
        Ok(Self {
            notes: notes(a, b, pairs.len()),
            all: Difference::of(&pairs),
            by_size: grouped(&pairs, size_class),
            by_length: grouped(&pairs, length_class),
            by_palette: grouped(&pairs, palette_class),
        })
    }
}

impl Difference {
    fn of(pairs: &[(&Row, &Row)]) -> Self {
        let n = pairs.len() as f64;
        let mean = |side: fn(&(&Row, &Row)) -> u64| pairs.iter().map(side).sum::<u64>() as f64 / n;
        let (mean_a, mean_b) = (mean(|p| p.0.score), mean(|p| p.1.score));
        let logs: Vec<f64> = pairs
            .iter()
            .map(|(a, b)| log_score(b.score) - log_score(a.score))
            .collect();
        let points: Vec<f64> = pairs
            .iter()
            .map(|(a, b)| b.score as f64 - a.score as f64)
            .collect();
        let count = |order| {
            let is = |p: &&(&Row, &Row)| p.1.score.cmp(&p.0.score) == order;
            pairs.iter().filter(is).count()
        };
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

fn grouped(
    pairs: &[(&Row, &Row)],
    class: fn(&Row) -> &'static str,
) -> BTreeMap<String, Difference> {
    let mut groups: BTreeMap<&str, Vec<(&Row, &Row)>> = BTreeMap::new();
    for pair in pairs {
        groups.entry(class(pair.0)).or_default().push(*pair);
    }
    groups
        .into_iter()
        .map(|(class, pairs)| (class.to_string(), Difference::of(&pairs)))
        .collect()
}

/// Classes of area, of which there is about the same number of sizes each.
fn size_class(row: &Row) -> &'static str {
    match row.width * row.height {
        ..=114 => "size: up to 114 cells",
        115..=160 => "size: 115 to 160 cells",
        _ => "size: over 160 cells",
    }
}

fn length_class(row: &Row) -> &'static str {
    match row.columns {
        ..=299 => "length: under 300 columns",
        300..=2999 => "length: 300 to 2999 columns",
        _ => "length: 3000 columns and more",
    }
}

fn palette_class(row: &Row) -> &'static str {
    match (row.palette, row.colours) {
        (Palette::Fixed, ..=4) => "palette: fixed, up to 4 colours",
        (Palette::Fixed, 5..=6) => "palette: fixed, 5 to 6 colours",
        (Palette::Fixed, _) => "palette: fixed, 7 colours and more",
        (Palette::Growing, ..=6) => "palette: growing, up to 6 colours",
        (Palette::Growing, _) => "palette: growing, 7 colours and more",
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
        let mut table = Table::new();
        table.load_preset(presets::NOTHING);
        table.set_header([
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
        ]);
        table.add_row(cells("all", &self.all));
        for groups in [&self.by_size, &self.by_length, &self.by_palette] {
            for (name, difference) in groups {
                table.add_row(cells(name, difference));
            }
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
            if column.index > 0 {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in table.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
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
        format!("{:.4}", difference.wilcoxon_p),
    ]
}
