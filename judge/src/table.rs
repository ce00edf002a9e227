//! A run as text: a row for each game, and what it comes to.

use crate::row::{Mark, Row};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;

/// A column: what stands above it, its least width, and its cell for a game.
type Column = (&'static str, usize, fn(&Row) -> String);

/// The columns of every table but the first, the name.
const COLUMNS: [Column; 8] = [
    ("size", 5, |row| format!("{}x{}", row.width, row.height)),
    ("colours", 7, colours),
    ("k", 5, |row| row.columns.to_string()),
    ("score", 9, |row| row.score.to_string()),
    ("/column", 7, |row| format!("{:.1}", row.points_per_column)),
    ("wall s", 6, |row| format!("{:.2}", row.wall_s)),
    ("cpu s", 6, |row| format!("{:.2}", row.cpu_s)),
    ("MiB", 5, |row| format!("{:.0}", row.peak_memory_mib)),
];

/// `7 g` colours are a growing palette.
fn colours(row: &Row) -> String {
    let growing = row.palette == Palette::Growing;
    format!("{}{}", row.colours, if growing { " g" } else { "" })
}

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
        let more = |name: &String| name.clone();
        self.line("case", |(name, ..)| name.to_string(), more, "")
    }

    /// The line of a game.
    pub fn row(&self, row: &Row) -> String {
        let more = |name: &String| row.number(name).map_or("-".into(), shown);
        self.line(&row.name, |(.., cell)| cell(row), more, &mark(row))
    }

    fn line(
        &self,
        name: &str,
        cell: impl Fn(&Column) -> String,
        more: impl Fn(&String) -> String,
        mark: &str,
    ) -> String {
        let mut line = format!("{name:<0$}", self.name_width);
        for column in &COLUMNS {
            let _ = write!(line, "  {:>1$}", cell(column), column.1);
        }
        for name in &self.more {
            let _ = write!(line, "  {:>1$}", more(name), name.chars().count().max(8));
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
    // The column that did not fit is the one after those placed.
    let died = || format!("died at {}", row.placed.unwrap_or(0) + 1);
    let name = row.mark.name();
    match &row.reason {
        Some(reason) => format!("{name}: {reason}"),
        None if row.mark == Mark::Died => died(),
        None => name.into(),
    }
}

/// What a run comes to, in a few lines.
pub fn summary(summary: &Summary) -> String {
    let counts = summary.marks.iter();
    let counts = counts.map(|(mark, count)| format!("{count} {}", mark.name()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "games    {}: {counts}\nsum      {}\nmean     {:.1}\n\
         against quickstart  {:.3} times its score (geometric mean)\n\
         at most  {:.2} s wall, {:.0} MiB; the bot had {:.0} % of a core\n",
        summary.games,
        summary.sum,
        summary.mean,
        summary.against_quickstart,
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
