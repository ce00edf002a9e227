//! A run as text: a line for each game, and the summary.

use crate::row::{GameStatus, Row, Summary};
use columns_cases::PaletteKind;
use columns_cli::stderr::to_one_line;
use console::{Alignment, measure_text_width};
use std::iter;

/// A column of a table: its title, its width, and a function that formats its cell for a game.
type TableColumn = (&'static str, usize, fn(&Row) -> String);

/// The columns of every table. Columns for reported numbers come before the last one.
const TABLE_COLUMNS: [TableColumn; 10] = [
    ("case", 4, |row| row.name.clone()),
    ("size", 5, |row| {
        format!("{}x{}", row.properties.width, row.properties.height)
    }),
    ("colours", 7, colours),
    ("columns", 7, |row| row.properties.columns.to_string()),
    ("score", 9, |row| row.game.score.to_string()),
    ("/column", 7, |row| format!("{:.1}", row.points_per_column)),
    ("wall s", 6, |row| format!("{:.2}", row.game.wall_s)),
    ("cpu s", 6, |row| format!("{:.2}", row.game.cpu_s)),
    ("MiB", 5, |row| format!("{:.0}", row.game.peak_memory_mib)),
    ("result", 0, ending),
];

/// Formats the number of colours. A `g` marks a growing palette, as in `7 g`.
fn colours(row: &Row) -> String {
    let is_growing = row.properties.palette == Some(PaletteKind::Growing);
    let mark = if is_growing { " g" } else { "" };
    format!("{}{mark}", row.properties.colours)
}

/// A table that is printed line by line, with columns of fixed widths.
#[derive(Debug, Clone)]
pub struct Table {
    widths: Vec<usize>,
    /// Names of the numbers in additional columns: see [`Row::number`].
    number_names: Vec<String>,
}

impl Table {
    /// Creates a table for cases with these names. Each of `number_names` gets an additional column.
    pub fn new(names: impl IntoIterator<Item = String>, number_names: Vec<String>) -> Self {
        let mut widths = TABLE_COLUMNS.map(|(_, width, _)| width).to_vec();
        let name_widths = names
            .into_iter()
            .map(|name| measure_text_width(&to_one_line(&name)));
        widths[0] = name_widths.fold(widths[0], usize::max);
        let last = widths.len() - 1;
        let number_width = |name: &String| measure_text_width(name).max(8);
        widths.splice(last..last, number_names.iter().map(number_width));
        Self {
            widths,
            number_names,
        }
    }

    /// Formats the line with the titles of the columns, aligned with the lines of the games.
    pub fn header_line(&self) -> String {
        self.line(&self.cells(None))
    }

    /// Formats the line for a game, with `best` at the end, such as `85.00 % of best`. The line of a failed
    /// game leaves out `best`, and is red on a colour terminal.
    pub fn row_line(&self, row: &Row, best: Option<String>) -> String {
        let best = best.filter(|_| !row.game.status.is_failed());
        let best = best.map_or(String::new(), |best| format!(", {best}"));
        let line = self.line(&self.cells(Some(row))) + &best;
        if row.game.status.is_failed() {
            console::style(line).red().to_string()
        } else {
            line
        }
    }

    /// Returns the cells of a game, or the titles of the columns if there is no `row`.
    fn cells(&self, row: Option<&Row>) -> Vec<String> {
        let own = |(title, _, cell): &TableColumn| row.map_or((*title).into(), cell);
        let mut cells: Vec<String> = TABLE_COLUMNS
            .iter()
            .map(own)
            .map(|cell| to_one_line(&cell))
            .collect();
        let number = |name: &String| match row {
            Some(row) => row.number(name).map_or("-".into(), format_rounded),
            None => name.clone(),
        };
        let last = cells.len() - 1;
        cells.splice(last..last, self.number_names.iter().map(number));
        cells
    }

    /// Aligns the cells: the first and the last to the left, all others to the right.
    fn line(&self, cells: &[String]) -> String {
        let first = console::pad_str(&cells[0], self.widths[0], Alignment::Left, None);
        let others = cells.iter().zip(&self.widths).skip(1);
        let others =
            others.map(|(cell, &width)| console::pad_str(cell, width, Alignment::Right, None));
        let columns: Vec<_> = iter::once(first).chain(others).collect();
        columns.join("  ")
    }
}

/// Formats a number with at most four decimal places.
fn format_rounded(number: f64) -> String {
    ((number * 1e4).round() / 1e4).to_string()
}

/// Describes how a game ended: `ok`, `ended early at 5`, or `crashed: exit status: 3`.
pub fn ending(row: &Row) -> String {
    let game = &row.game;
    match (&game.reason, game.placed_columns) {
        (Some(reason), _) => format!("{}: {reason}", game.status.name()),
        // The column after the last placed one did not fit.
        (None, Some(placed)) if game.status == GameStatus::EndedEarly => {
            format!("ended early at {}", placed + 1)
        }
        _ => game.status.name().into(),
    }
}

/// Formats the summary of a run in a few lines.
pub fn format_summary(summary: &Summary) -> String {
    let count = |(status, count): (&GameStatus, &usize)| format!("{count} {}", status.name());
    let counts: Vec<String> = summary.statuses.iter().map(count).collect();
    let cores = match summary.mean_cores_used {
        cores if cores < 1.05 => format!("{:.0} % of a core", 100.0 * cores),
        cores => format!("{cores:.1} cores"),
    };
    let worst = match &summary.worst_games[..] {
        [] => String::new(),
        names => format!("worst    {}\n", to_one_line(&names.join(" "))),
    };
    let notes = summary.notes().into_iter();
    let notes: String = notes
        .map(|note| format!("note     {}\n", to_one_line(&note)))
        .collect();
    format!(
        "games    {}: {}\nsum      {}\nmean     {:.1}\n\
         against quickstart  {:.3} times its score (geometric mean)\n\
         at most  {:.2} s wall, {:.0} MiB; the bot had {cores}\n{worst}{notes}",
        summary.games,
        counts.join(", "),
        summary.sum,
        summary.mean,
        summary.against_quickstart,
        summary.max_wall_s,
        summary.max_peak_memory_mib,
    )
}
