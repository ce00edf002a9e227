//! Fields as text, for tests and logs.
//!
//! The text has the rows from the topmost one with a jewel down to the floor, separated by `/` or
//! line breaks. A letter is a jewel, a `.` an empty cell. Every row is as wide as the field. For
//! example, this field is six stacks wide, and the first `b` is the third jewel of the leftmost
//! stack:
//!
//! ```text
//! b...../ab.c../abbcc.
//! ```
//!
//! An empty field is one row of dots. The notation does not contain the height of the field, which
//! the case defines. Jewels may hang in the air, as they do between clearing and settling.

use crate::rules::case::Colour;
use crate::text::ParseError;

/// Cells by row from the floor up, then by stack from the left.
pub type Rows = Vec<Vec<Option<Colour>>>;

/// Reads a field of `width` stacks.
///
/// # Errors
/// Returns an error if a row is not `width` cells wide, or a character is neither `a`-`z` nor `.`.
/// The error's line is the number of the row, counted from the top.
pub fn parse(text: &str, width: usize) -> Result<Rows, ParseError> {
    let lines = text
        .split(['/', '\n'])
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let mut rows = Rows::new();
    for (index, line) in lines.enumerate() {
        let row: Option<Vec<_>> = line
            .chars()
            .map(|letter| match letter {
                '.' => Some(None),
                _ => Colour::from_letter(letter).map(Some),
            })
            .collect();
        match row {
            Some(row) if row.len() == width => rows.push(row),
            _ => {
                let expected = format!("a row of {width} cells, each a-z or .");
                return Err(ParseError::new(index + 1, expected, line));
            }
        }
    }
    rows.reverse();
    Ok(rows)
}

/// Formats a field, without the empty rows at the top.
pub fn format(rows: &[Vec<Option<Colour>>]) -> String {
    let used_rows = rows
        .iter()
        .rposition(|row| row.iter().any(Option::is_some))
        .map_or(1.min(rows.len()), |top| top + 1);
    let lines: Vec<String> = rows[..used_rows]
        .iter()
        .rev()
        .map(|row| {
            row.iter()
                .map(|cell| cell.map_or('.', Colour::letter))
                .collect()
        })
        .collect();
    lines.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_and_write_the_same() {
        for text in ["......", "b...../ab.c../abbcc.", "a...../....../.....b"] {
            assert_eq!(format(&parse(text, 6).unwrap()), text);
        }
        let rows = parse("....../\n  ab....\n", 6).unwrap();
        assert_eq!(format(&rows), "ab....");
        assert_eq!(rows[0][1], Colour::from_letter('b'));
    }

    #[test]
    fn errors_name_the_line_and_the_text() {
        for (text, line, quoted) in [("abcdefg", 1, "abcdefg"), ("....../.A....", 2, ".A....")] {
            let message = parse(text, 6).unwrap_err().to_string();
            let row = "expected a row of 6 cells, each a-z or .";
            assert_eq!(message, format!("line {line}: {row}, found {quoted:?}"));
        }
    }
}
