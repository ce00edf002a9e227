//! Boards as text.
//!
//! Each line is a row, the top row first. An ASCII letter or digit is a tile, `.` or `-` an empty cell.
//! Whitespace between cells is ignored, and `#` starts a comment. A blank line or a comment line ends a
//! board, so a file can hold many boards.

use super::board::{Board, Cell, Tile};
use columns_core::text::ParseError;

/// The characters that a row may contain, as messages name them.
pub(super) const CELL_CHARACTERS_TEXT: &str = "letters or digits, . or - for an empty cell";

/// Parses the cells of one line, from left to right. The error names `line`, the number of the line.
pub(super) fn parse_row(line: usize, content: &str) -> Result<Vec<Option<Tile>>, ParseError> {
    content
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '.' | '-' => Ok(None),
            _ => Tile::from_char(c).map(Some).ok_or_else(|| {
                ParseError::new(line, format!("a row of {CELL_CHARACTERS_TEXT}"), content)
            }),
        })
        .collect()
}

/// Reads all boards in a text.
///
/// # Errors
/// Returns an error if the text has no boards, or if a board is invalid. A board must have at least one tile,
/// rows of equal length, and no invalid characters. No tile may be above an empty cell, and no empty column
/// left of a non-empty one. The error names a line of the first invalid board, or the last line if there is
/// no board.
pub fn parse_boards(text: &str) -> Result<Vec<Board>, ParseError> {
    let mut boards = Vec::new();
    let mut rows: Vec<(usize, &str)> = Vec::new();
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        lines = index + 1;
        let content = line.split('#').next().unwrap_or("").trim();
        if !content.is_empty() {
            rows.push((index + 1, content));
        } else if !rows.is_empty() {
            boards.push(parse_settled_board(&std::mem::take(&mut rows))?);
        }
    }
    if !rows.is_empty() {
        boards.push(parse_settled_board(&rows)?);
    }
    if boards.is_empty() {
        let expected = format!("the rows of a board: {CELL_CHARACTERS_TEXT}");
        return Err(ParseError::new(lines.max(1), expected, ""));
    }
    Ok(boards)
}

/// Reads a board. Checks that its rows have the same length, but not that every tile rests on another one.
fn parse_board(rows: &[(usize, &str)]) -> Result<Board, ParseError> {
    let mut cells = Vec::with_capacity(rows.len());
    for &(line, content) in rows {
        let row = parse_row(line, content)?;
        let width = cells.first().map_or(row.len(), Vec::len);
        if row.len() != width {
            let expected = format!("a row of {width} cells as in line {}", rows[0].0);
            return Err(ParseError::new(line, expected, content));
        }
        cells.push(row);
    }
    cells.reverse();
    Ok(Board::new(&cells))
}

/// Reads a board. Checks that it has a tile, that no tile is above an empty cell, and that no empty column
/// lies to the left of a non-empty one.
pub(super) fn parse_settled_board(rows: &[(usize, &str)]) -> Result<Board, ParseError> {
    let board = parse_board(rows)?;
    let line_of = |row: usize| rows[board.height() - 1 - row];
    let tile = |column, row| board.tile(Cell { column, row });
    let mut first_empty = None;
    for column in 0..board.width() {
        for row in 1..board.height() {
            if tile(column, row).is_some() && tile(column, row - 1).is_none() {
                let (line, content) = line_of(row - 1);
                let expected = format!(
                    "a tile at place {} of the row, below the tile of the row above",
                    column + 1
                );
                return Err(ParseError::new(line, expected, content));
            }
        }
        match (tile(column, 0), first_empty) {
            (None, _) => first_empty = first_empty.or(Some(column)),
            (Some(_), Some(empty)) => {
                let (line, content) = line_of(0);
                let expected = format!(
                    "a tile at place {} of the lowest row, since there are tiles to its right",
                    empty + 1
                );
                return Err(ParseError::new(line, expected, content));
            }
            (Some(_), None) => {}
        }
    }
    if board.tile_count() == 0 {
        let (line, content) = line_of(0);
        return Err(ParseError::new(line, "at least one tile", content));
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    #[test]
    fn a_text_can_hold_several_boards() {
        let text = "# two\n\n# board 1\n0 1\n1 1  # the lowest row\n# board 2\n-A.\n BAC \n\n";
        let boards = parse_boards(text).unwrap();
        let texts: Vec<String> = boards.iter().map(Board::to_string).collect();
        assert_eq!(texts, ["01\n11\n", ".A.\nBAC\n"]);
        let crlf = parse_boards(&text.replace('\n', "\r\n")).unwrap();
        assert_eq!(crlf, boards);
    }

    const INVALID_BOARDS: &str = r#"
| line 1: expected the rows of a board: letters or digits, . or - for an empty cell, found nothing
# a/# b/ | line 2: expected the rows of a board: letters or digits, . or - for an empty cell, found nothing
AB//AB/A/ | line 4: expected a row of 2 cells as in line 3, found "A"
AB/A!/ | line 2: expected a row of letters or digits, . or - for an empty cell, found "A!"
AB/.B/ | line 2: expected a tile at place 1 of the row, below the tile of the row above, found ".B"
A.A/ | line 1: expected a tile at place 2 of the lowest row, since there are tiles to its right, found "A.A"
../../ | line 2: expected at least one tile, found ".."
AB/ÄB/ | line 2: expected a row of letters or digits, . or - for an empty cell, found "ÄB"
"#;

    #[test]
    fn errors_name_their_line() {
        check_parse_errors(INVALID_BOARDS, parse_boards);
    }
}
