//! A run as text: a row for each game, and what it comes to.

use crate::row::{Mark, Row};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;

/// Rows that are printed one by one, in columns of a fixed width.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    name_width: usize,
}

impl Table {
    /// A table for cases of these names.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let widths = names.into_iter().map(|name| name.chars().count());
        Self {
            name_width: widths.max().unwrap_or(0).max("case".len()),
        }
    }

    /// The line above the rows.
    pub fn header(self) -> String {
        self.line(
            [
                "case", "size", "colours", "k", "score", "/column", "wall s", "MiB",
            ],
            "",
        )
    }

    /// The line of a game. `7 g` colours are a growing palette.
    pub fn row(self, row: &Row) -> String {
        let palette = match row.palette {
            Palette::Fixed => "",
            Palette::Growing => " g",
        };
        self.line(
            [
                &row.name,
                &format!("{}x{}", row.width, row.height),
                &format!("{}{palette}", row.colours),
                &row.columns.to_string(),
                &row.score.to_string(),
                &format!("{:.1}", row.points_per_column),
                &format!("{:.2}", row.wall_s),
                &format!("{:.0}", row.peak_memory_mib),
            ],
            &mark(row),
        )
    }

    fn line(self, cells: [&str; 8], mark: &str) -> String {
        let [name, size, colours, k, score, per_column, wall, memory] = cells;
        let width = self.name_width;
        let line = format!(
            "{name:<width$}  {size:>5}  {colours:>7}  {k:>5}  {score:>9}  {per_column:>7}  \
             {wall:>6}  {memory:>5}  {mark}"
        );
        line.trim_end().to_string()
    }
}

fn mark(row: &Row) -> String {
    let mark = match row.mark {
        Mark::Ok => return "ok".into(),
        // The column that did not fit is the one after those placed.
        Mark::Died => return format!("died at {}", row.placed.unwrap_or(0) + 1),
        Mark::Tle => "TLE",
        Mark::Mle => "MLE",
        Mark::Invalid => "invalid",
        Mark::Crashed => "crashed",
    };
    match &row.reason {
        Some(reason) => format!("{mark}: {reason}"),
        None => mark.into(),
    }
}

/// What a run comes to, in a few lines.
pub fn summary(summary: &Summary) -> String {
    let mut text = String::new();
    let counts = [
        (summary.ok, "ok"),
        (summary.died, "died early"),
        (summary.tle, "TLE"),
        (summary.mle, "MLE"),
        (summary.invalid, "invalid"),
        (summary.crashed, "crashed"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
    let _ = writeln!(text, "games    {}: {}", summary.games, counts.join(", "));
    let _ = writeln!(text, "sum      {}", summary.sum);
    let _ = writeln!(text, "mean     {:.1}", summary.mean);
    let _ = writeln!(
        text,
        "against quickstart  {:.3} times its score (geometric mean)",
        summary.against_quickstart
    );
    let _ = writeln!(
        text,
        "at most  {:.2} s wall, {:.0} MiB",
        summary.slowest_s, summary.largest_mib
    );
    let _ = writeln!(text, "worst    {}", summary.worst.join(" "));
    text
}
