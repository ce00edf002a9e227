//! A run as text: a line for each game, and the summary.

use crate::row::{Row, Status};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

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
        let widths = names.into_iter().map(|name| name.width());
        let name_width = widths.fold("case".len(), usize::max);
        Self {
            name_width,
            numbers,
        }
    }

    /// Formats the header line.
    pub fn header(&self) -> String {
        self.line(&self.titles())
    }

    /// Formats the line for a game.
    pub fn row(&self, row: &Row) -> String {
        self.line(&self.cells(row))
    }

    /// Formats all games as lines of Markdown.
    pub fn markdown(&self, rows: &[Row]) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
        let titles = self.titles();
        let aligned = titles.iter().enumerate().map(|(index, _)| match index {
            0 => "---".into(),
            index if index + 1 == titles.len() => "---".into(),
            _ => "--:".into(),
        });
        let head = [line(titles.clone()), line(aligned.collect())];
        let rows = rows.iter().map(|row| {
            let cells = self.cells(row).into_iter();
            line(cells.map(|cell| cell.replace('|', "\\|")).collect())
        });
        head.into_iter().chain(rows).collect()
    }

    /// Formats all games as comma-separated values.
    pub fn csv(&self, rows: &[Row]) -> String {
        let quoted = |cell: &String| {
            if cell.contains([',', '"', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let line =
            |cells: Vec<String>| cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let rows = rows.iter().map(|row| line(self.cells(row)));
        std::iter::once(line(self.titles())).chain(rows).collect()
    }

    /// Returns the titles of all columns.
    fn titles(&self) -> Vec<String> {
        let own = COLUMNS.iter().map(|(title, ..)| (*title).to_string());
        let numbers = self.numbers.iter().cloned();
        let ends = ["case", "result"].map(String::from);
        let [first, last] = ends;
        [first]
            .into_iter()
            .chain(own)
            .chain(numbers)
            .chain([last])
            .collect()
    }

    /// Returns the cells of a game.
    fn cells(&self, row: &Row) -> Vec<String> {
        let own = COLUMNS.iter().map(|(.., cell)| cell(row));
        let number = |name: &String| row.number(name).map_or("-".into(), rounded);
        let numbers = self.numbers.iter().map(number);
        let (first, last) = (row.name.clone(), ending(row));
        [first]
            .into_iter()
            .chain(own)
            .chain(numbers)
            .chain([last])
            .collect()
    }

    /// Aligns the cells: the first and the last to the left, all others to the right.
    fn line(&self, cells: &[String]) -> String {
        let numbers = self.numbers.iter().map(|name| name.width().max(8));
        let widths = COLUMNS.iter().map(|(_, width, _)| *width).chain(numbers);
        let [name, middle @ .., last] = cells else {
            return String::new();
        };
        let space = |cell: &str, width: usize| " ".repeat(width.saturating_sub(cell.width()));
        let mut line = name.clone() + &space(name, self.name_width);
        for (cell, width) in middle.iter().zip(widths) {
            let _ = write!(line, "  {}{cell}", space(cell, width));
        }
        format!("{line}  {last}")
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
        (Some(reason), _) => format!("{}: {reason}", game.status.name()),
        // The column after the placed ones did not fit.
        (None, Some(placed)) if game.status == Status::EndedEarly => {
            format!("ended early at {}", placed + 1)
        }
        _ => game.status.name().into(),
    }
}

/// Formats the summary of a run in a few lines.
pub fn summary(summary: &Summary) -> String {
    let counts = summary.statuses.iter();
    let counts = counts.map(|(status, count)| format!("{count} {}", status.name()));
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
    if !summary.worst.is_empty() {
        let _ = writeln!(text, "worst    {}", summary.worst.join(" "));
    }
    text
}
