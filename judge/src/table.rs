//! A run as text: a row for each game, and what it comes to.

use crate::row::{Mark, Row};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;

/// The columns of every table but the first, the name, each with its least width.
const COLUMNS: [(&str, usize); 8] = [
    ("size", 5),
    ("colours", 7),
    ("k", 5),
    ("score", 9),
    ("/column", 7),
    ("wall s", 6),
    ("cpu s", 6),
    ("MiB", 5),
];

/// Rows that are printed one by one, in columns of a fixed width.
#[derive(Debug, Clone)]
pub struct Table {
    name_width: usize,
    /// Numbers to show besides: see [`Row::number`].
    more: Vec<String>,
}

impl Table {
    /// A table for cases of these names, with a column for each of the numbers in `more`.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>, more: Vec<String>) -> Self {
        let widths = names.into_iter().map(|name| name.chars().count());
        Self {
            name_width: widths.max().unwrap_or(0).max("case".len()),
            more,
        }
    }

    /// The line above the rows.
    pub fn header(&self) -> String {
        let cells = COLUMNS.map(|(name, _)| name.to_string());
        self.line("case", cells, self.more.clone(), "")
    }

    /// The line of a game. `7 g` colours are a growing palette.
    pub fn row(&self, row: &Row) -> String {
        let palette = match row.palette {
            Palette::Fixed => "",
            Palette::Growing => " g",
        };
        let cells = [
            format!("{}x{}", row.width, row.height),
            format!("{}{palette}", row.colours),
            row.columns.to_string(),
            row.score.to_string(),
            format!("{:.1}", row.points_per_column),
            format!("{:.2}", row.wall_s),
            format!("{:.2}", row.cpu_s),
            format!("{:.0}", row.peak_memory_mib),
        ];
        let number = |name: &String| row.number(name).map_or("-".into(), shown);
        self.line(
            &row.name,
            cells,
            self.more.iter().map(number).collect(),
            &mark(row),
        )
    }

    fn line(&self, name: &str, cells: [String; 8], more: Vec<String>, mark: &str) -> String {
        let widths = COLUMNS.map(|(_, width)| width).into_iter();
        let widths = widths.chain(self.more.iter().map(|name| name.chars().count().max(8)));
        let mut line = format!("{name:<0$}", self.name_width);
        for (cell, width) in cells.into_iter().chain(more).zip(widths) {
            let _ = write!(line, "  {cell:>width$}");
        }
        format!("{line}  {mark}").trim_end().to_string()
    }
}

/// A number with up to four digits after its point.
pub(crate) fn shown(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
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
        "at most  {:.2} s wall, {:.0} MiB; the bot had {:.0} % of a core",
        summary.slowest_s,
        summary.largest_mib,
        100.0 * summary.cores
    );
    if let Some(relative) = summary.relative {
        let _ = writeln!(text, "relative {relative:.2} % of the best scores known");
    }
    if !summary.worst.is_empty() {
        let _ = writeln!(text, "worst    {}", summary.worst.join(" "));
    }
    text
}
