//! Text tables of names and numbers.

use comfy_table::{Cell, CellAlignment, Row, Table, presets};

/// Formats a table with a header. The first column and cells made by [`left_cell`] are left-aligned, all
/// others right-aligned. Two spaces separate the columns, and no line ends with a space.
pub fn format_table(
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = impl Into<Row>>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
        if column.index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines();
    lines
        .map(|line| line.trim_end().to_string() + "\n")
        .collect()
}

/// Formats a table from rows of (column title, cell) pairs. All rows have the same titles.
pub fn format_titled<const COUNT: usize>(
    rows: impl IntoIterator<Item = [(&'static str, String); COUNT]>,
) -> String {
    let (mut titles, mut cells) = ([""; COUNT], Vec::new());
    for row in rows {
        titles = row.each_ref().map(|(title, _)| *title);
        cells.push(row.map(|(_, cell)| cell));
    }
    format_table(titles, cells)
}

/// Returns a cell that is left-aligned in any column of [`format_table`].
pub fn left_cell(text: &str) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_aligned_left_and_numbers_right() {
        let text = format_table(
            ["class", "games"],
            [["all", "20"], ["of many colours", "5"]],
        );
        let expected = "\
class            games
all                 20
of many colours      5
";
        assert_eq!(text, expected);
        let rows = [("all", "20"), ("of many colours", "5")];
        let rows = rows.map(|(class, games)| [("class", class.into()), ("games", games.into())]);
        assert_eq!(format_titled(rows), expected);
    }
}
