//! A run as text: a line for each game, and the summary.

use crate::row::{Mark, Row};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;

/// A column: its title, its width, and a function that formats its cell for a game.
type Column = (&'static str, usize, fn(&Row) -> String);

/// The columns that follow the name of the case in every table.
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

/// Formats the number of colours, with a `g` for a growing palette: `7 g`.
fn colours(row: &Row) -> String {
    let growing = row.kind.palette == Palette::Growing;
    format!("{}{}", row.kind.colours, if growing { " g" } else { "" })
}

/// A table that is printed line by line, with columns of fixed widths.
#[derive(Debug, Clone)]
pub struct Table {
    name_width: usize,
    /// Names of the numbers in additional columns: see [`Row::number`].
    numbers: Vec<String>,
}

impl Table {
    /// Creates a table for cases with these names, with an additional column for each of `numbers`.
    pub fn new(names: impl IntoIterator<Item = String>, numbers: Vec<String>) -> Self {
        let widths = names.into_iter().map(|name| name.chars().count());
        let name_width = widths.fold("case".len(), usize::max);
        Self {
            name_width,
            numbers,
        }
    }

    /// Formats the header line.
    pub fn header(&self) -> String {
        let titles = COLUMNS.iter().map(|(title, ..)| title.to_string());
        self.line("case", titles.chain(self.numbers.iter().cloned()), "")
    }

    /// Formats the line for a game.
    pub fn row(&self, row: &Row) -> String {
        let cells = COLUMNS.iter().map(|(.., cell)| cell(row));
        let number = |name: &String| row.number(name).map_or("-".into(), rounded);
        let numbers = self.numbers.iter().map(number);
        self.line(&row.name, cells.chain(numbers), &ending(row))
    }

    fn line(&self, name: &str, cells: impl Iterator<Item = String>, ending: &str) -> String {
        let widths = COLUMNS.iter().map(|(_, width, _)| *width);
        let number_widths = self.numbers.iter().map(|name| name.chars().count().max(8));
        let mut line = format!("{name:<0$}", self.name_width);
        for (cell, width) in cells.zip(widths.chain(number_widths)) {
            let _ = write!(line, "  {cell:>width$}");
        }
        format!("{line}  {ending}").trim_end().to_string()
    }
}

/// Formats a number with at most four decimal places.
pub(crate) fn rounded(number: f64) -> String {
    ((number * 1e4).round() / 1e4).to_string()
}

/// Describes in a few words how a game ended.
fn ending(row: &Row) -> String {
    let game = &row.game;
    match (&game.reason, game.placed) {
        (Some(reason), _) => format!("{}: {reason}", game.mark.name()),
        // The column after the placed ones did not fit.
        (None, Some(placed)) if game.mark == Mark::Died => format!("died at {}", placed + 1),
        _ => game.mark.name().into(),
    }
}

/// Formats the summary of a run in a few lines.
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
