//! Inc: three players take turns adding or subtracting one (TCO07 Semi 3, "Inc").
//!
//! A turn divides the board by a straight line between two rows or columns, and adds `inc` (1 or −1) to all
//! digits on one side of it. Digits wrap around: 3 + 1 is 1, and 1 − 1 is 3. At the end each player gets a
//! point for each square with their number. A player prefers to have more points than each of the
//! others, then to have at least as many as each, then to have as many points as possible. Among equally good
//! moves, a player prefers a horizontal line, then the side above or left of the line, then the uppermost or
//! leftmost line. Each player expects the others to play by these rules.
//!
//! [`Puzzle`] reads the input, and `turns` computes the final board of the game in which every player makes
//! their best moves.

use columns_core::text::{ParseError, Tokens};
use std::ops::RangeInclusive;
use std::str::FromStr;

mod turns;

/// Allowed numbers of rows, and of squares in a row (statement, section Constraints).
const SIDES: RangeInclusive<usize> = 2..=5;
/// Allowed numbers of turns (statement, section Constraints).
const TURNS: RangeInclusive<usize> = 1..=10;

/// A game before its first turn: the board, the number of turns, and the number, 1 or −1, that each turn
/// adds to the chosen squares.
///
/// The text form is a line `inc turns`, followed by the rows from the top. A square is a digit from 1 to
/// 3, or `.` or `-` if it is empty. Whitespace between squares is ignored, and `#` starts a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    inc: i32,
    turns: usize,
    /// Rows from the top, squares from the left, 0 for an empty square.
    rows: Vec<Vec<u8>>,
}

impl Puzzle {
    /// Returns the number of turns, 1 to 10.
    pub fn turn_count(&self) -> usize {
        self.turns
    }

    /// Returns the rows after the last turn, in the statement's format.
    pub fn compute_final_board(&self) -> Vec<String> {
        let (height, width) = (self.rows.len(), self.rows[0].len());
        let mut board = turns::Board::default();
        for (to, from) in board.iter_mut().zip(&self.rows) {
            to[..width].copy_from_slice(from);
        }
        let end = turns::Search::new(height, width, self.inc, self.turns).best_end(0, &board);
        let square = |&digit: &u8| match digit {
            0 => '.',
            _ => (b'0' + digit) as char,
        };
        let rows = end[..height].iter();
        rows.map(|row| row[..width].iter().map(square).collect())
            .collect()
    }
}

impl FromStr for Puzzle {
    type Err = ParseError;

    /// # Errors
    /// Returns an error if the text violates a constraint of the statement. The error names the line.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = super::content_lines(text);
        let (line, content) = lines.next().unwrap_or((1, ""));
        let rows: Vec<_> = lines.collect();
        let (inc, turns) = parse_header(line, content)?;
        if let Some(&(line, content)) = rows.get(*SIDES.end()) {
            return Err(ParseError::new(
                line,
                "the end of the board after 5 rows",
                content,
            ));
        }
        let mut board: Vec<Vec<u8>> = Vec::with_capacity(rows.len());
        for &(line, content) in &rows {
            let squares = parse_row(line, content)?;
            if let Some(width) = board.first().map(Vec::len).filter(|&w| w != squares.len()) {
                let expected = format!("a row of {width} squares as in line {}", rows[0].0);
                return Err(ParseError::new(line, expected, content));
            }
            board.push(squares);
        }
        if board.len() < *SIDES.start() {
            let line = rows.last().map_or(line, |row| row.0) + 1;
            return Err(ParseError::new(line, "2 to 5 rows of squares", ""));
        }
        Ok(Self {
            inc,
            turns,
            rows: board,
        })
    }
}

/// Reads the line `inc turns`.
fn parse_header(line: usize, content: &str) -> Result<(i32, usize), ParseError> {
    let mut tokens = Tokens::new(content);
    let word = tokens.next_word();
    let inc = match word {
        "1" | "+1" => 1,
        "-1" => -1,
        _ => return Err(ParseError::new(line, "`inc turns`: inc 1 or -1", word)),
    };
    let turns = tokens
        .next_number("`inc turns`: turns", TURNS)
        .map_err(|e| ParseError { line, ..e })?;
    tokens.expect_end().map_err(|e| ParseError {
        line,
        expected: "the end of the line after `inc turns`".to_string(),
        ..e
    })?;
    Ok((inc, turns))
}

/// Reads a row of 2 to 5 squares. Returns their digits, with 0 for an empty square.
fn parse_row(line: usize, content: &str) -> Result<Vec<u8>, ParseError> {
    let squares: Option<Vec<u8>> = content
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '.' | '-' => Some(0),
            '1'..='3' => Some(c as u8 - b'0'),
            _ => None,
        })
        .collect();
    squares
        .filter(|row| SIDES.contains(&row.len()))
        .ok_or_else(|| ParseError::new(line, "a row of 2 to 5 squares, each 1, 2, 3 or .", content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    #[test]
    fn the_examples_of_the_statement_are_played_correctly() {
        for (text, end) in [
            ("1 1/333/3.3/333", "111/1.1/333"),
            ("-1 3/..../3333/3333/.33.", "..../2222/2222/.22."),
            ("1 9/111/111", "313/232"),
            ("-1 2/2222/2222/2222", "3112/3112/3112"),
            (
                "1 10/231.3/3.233/12.12/3.231/132.3",
                "123.1/1.333/12.31/1.331/132.2",
            ),
            ("1 1/123/123", "131/131"),
        ] {
            let game: Puzzle = text.replace('/', "\n").parse().unwrap();
            assert_eq!(game.compute_final_board().join("/"), end);
        }
    }

    const INVALID_PUZZLES: &str = r#"
| line 1: expected `inc turns`: inc 1 or -1, found nothing
2 1/11/11/ | line 1: expected `inc turns`: inc 1 or -1, found "2"
1 0/11/11/ | line 1: expected `inc turns`: turns from 1 to 10, found "0"
1 11/11/11/ | line 1: expected `inc turns`: turns from 1 to 10, found "11"
# a/1 1 1/11/11/ | line 2: expected the end of the line after `inc turns`, found "1"
1 1/11/ | line 3: expected 2 to 5 rows of squares, found nothing
1 1/ | line 2: expected 2 to 5 rows of squares, found nothing
1 1/11/111/ | line 3: expected a row of 2 squares as in line 2, found "111"
1 1/11/14/ | line 3: expected a row of 2 to 5 squares, each 1, 2, 3 or ., found "14"
1 1/1/1/ | line 2: expected a row of 2 to 5 squares, each 1, 2, 3 or ., found "1"
1 1/11/11/11/11/11/11/ | line 7: expected the end of the board after 5 rows, found "11"
"#;

    #[test]
    fn errors_name_their_line() {
        check_parse_errors(INVALID_PUZZLES, str::parse::<Puzzle>);
    }
}
