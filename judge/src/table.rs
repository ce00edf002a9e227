//! A run as text: a row for each game, and what it comes to.

use crate::row::{Mark, Row};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;

/// A column: what stands above it, its least width, and its cell for a game.
type Column = (&'static str, usize, fn(&Row) -> String);

/// The columns of every table but the first, the name.
const COLUMNS: [Column; 8] = [
    ("size", 5, |row| {
        format!("{}x{}", row.kind.width, row.kind.height)
    }),
    ("colours", 7, colours),
    ("k", 5, |row| row.kind.columns.to_string()),
    ("score", 9, |row| row.game.score.to_string()),
    ("/column", 7, |row| format!("{:.1}", row.points_per_column)),
    ("wall s", 6, |row| format!("{:.2}", row.game.wall_s)),
    ("cpu s", 6, |row| format!("{:.2}", row.game.cpu_s)),
    ("MiB", 5, |row| format!("{:.0}", row.game.peak_memory_mib)),
];

/// `7 g` colours are a growing palette.
fn colours(row: &Row) -> String {
    let growing = row.kind.palette == Palette::Growing;
    format!("{}{}", row.kind.colours, if growing { " g" } else { "" })
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
    pub fn new(names: impl IntoIterator<Item = String>, more: Vec<String>) -> Self {
        let widths = names.into_iter().map(|name| name.chars().count());
        let name_width = widths.fold("case".len(), usize::max);
        Self { name_width, more }
    }

    /// The line above the rows.
    pub fn header(&self) -> String {
        let usual = COLUMNS.iter().map(|(name, ..)| name.to_string());
        self.line("case", usual.chain(self.more.iter().cloned()), "")
    }

    /// The line of a game.
    pub fn row(&self, row: &Row) -> String {
        let usual = COLUMNS.iter().map(|(.., cell)| cell(row));
        let number = |name: &String| row.number(name).map_or("-".into(), shown);
        let more = self.more.iter().map(number);
        self.line(&row.name, usual.chain(more), &mark(row))
    }

    fn line(&self, name: &str, cells: impl Iterator<Item = String>, mark: &str) -> String {
        let usual = COLUMNS.iter().map(|(_, width, _)| *width);
        let more = self.more.iter().map(|name| name.chars().count().max(8));
        let mut line = format!("{name:<0$}", self.name_width);
        for (cell, width) in cells.zip(usual.chain(more)) {
            let _ = write!(line, "  {cell:>width$}");
        }
        format!("{line}  {mark}").trim_end().to_string()
    }
}

/// A number with up to four digits after its point.
pub(crate) fn shown(number: f64) -> String {
    ((number * 1e4).round() / 1e4).to_string()
}

/// How a game ended, in words.
fn mark(row: &Row) -> String {
    let game = &row.game;
    match (&game.reason, game.placed) {
        (Some(reason), _) => format!("{}: {reason}", game.mark.name()),
        // The column that did not fit is the one after those placed.
        (None, Some(placed)) if game.mark == Mark::Died => format!("died at {}", placed + 1),
        _ => game.mark.name().into(),
    }
}

/// What a run comes to, in a few lines.
pub fn summary(summary: &Summary) -> String {
    let counts = summary.marks.iter();
    let counts = counts.map(|(mark, count)| format!("{count} {}", mark.name()));
    let counts: Vec<String> = counts.collect();
    let (games, sum, mean) = (summary.games, summary.sum, summary.mean);
    let (slowest, largest) = (summary.slowest_s, summary.largest_mib);
    let against = summary.against_quickstart;
    let cores = match summary.cores {
        cores if cores < 1.05 => format!("{:.0} % of a core", 100.0 * cores),
        cores => format!("{cores:.1} cores"),
    };
    let mut text = format!(
        "games    {games}: {}\nsum      {sum}\nmean     {mean:.1}\n\
         against quickstart  {against:.3} times its score (geometric mean)\n\
         at most  {slowest:.2} s wall, {largest:.0} MiB; the bot had {cores}\n",
        counts.join(", ")
    );
    if let Some(relative) = summary.relative {
        let _ = writeln!(text, "relative {relative:.2} % of the best scores known");
    }
    if !summary.worst.is_empty() {
        let _ = writeln!(text, "worst    {}", summary.worst.join(" "));
    }
    text
}
