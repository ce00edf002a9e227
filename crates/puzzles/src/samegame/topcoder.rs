//! TopCoder's fixed strategy (problem "SameGame", TCO '03 Round 2).

use super::board::{Board, Cell, Tile};
use super::notation;
use columns_core::text::ParseError;
use std::str::FromStr;

/// Allowed numbers of rows, and of tiles in a row (statement, section Constraints).
const SIDES: std::ops::RangeInclusive<usize> = 1..=50;

/// A board and the order in which the strategy removes its colours.
///
/// The text form is a line with the order, followed by the rows from the top as in [`notation`].
#[derive(Debug, Clone)]
pub struct Puzzle {
    /// All colours of the board, and perhaps more.
    order: Vec<Tile>,
    board: Board,
}

impl FromStr for Puzzle {
    type Err = ParseError;

    /// # Errors
    /// Returns an error if the order is not a list of distinct letters or digits, or lacks a colour of the
    /// board. Also returns an error if the text does not hold exactly one board, or if the board has more
    /// than 50 rows or columns or is invalid according to [`notation`]. The error names the line.
    ///
    /// A colour can be any ASCII letter or digit, although the statement allows only `A` to `Z`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = crate::content_lines(text);
        let first = lines.next().unwrap_or((1, ""));
        let rows: Vec<_> = lines.collect();
        let order = parse_order(first)?;
        check_rows(first.0, &rows)?;
        for &(line, content) in &rows {
            let cells = notation::parse_row(line, content)?;
            if !SIDES.contains(&cells.len()) {
                return Err(ParseError::new(line, "a row of 1 to 50 tiles", content));
            }
            if let Some(tile) = cells.iter().flatten().find(|t| !order.contains(t)) {
                let expected = format!(
                    "colours of the order {}, which has no {}",
                    first.1,
                    tile.to_char()
                );
                return Err(ParseError::new(line, expected, content));
            }
        }
        let board = notation::parse_settled_board(&rows)?;
        Ok(Self { order, board })
    }
}

impl Puzzle {
    /// Plays the strategy to the end, and returns its score.
    pub fn compute_score(&self) -> u64 {
        let mut board = self.board.clone();
        let mut points = 0;
        while let Some(cell) = self.choose(&board) {
            let size = board.remove_group(cell) as u64;
            points += size * (size - 1) / 2;
        }
        if board.tile_count() == 0 {
            4 * points
        } else {
            points
        }
    }

    /// Returns a cell of the group that the strategy removes, or `None` if there is no group.
    ///
    /// Of the colours that have a group, the strategy takes the first in the order, and removes the smallest
    /// group of this colour. Ties go to the group with the highest tile, then to the group with the leftmost
    /// tile in its highest row. (The statement numbers rows from the top, so its lowest row number is the
    /// highest row here.)
    fn choose(&self, board: &Board) -> Option<Cell> {
        let rows = (0..board.height()).rev();
        let cells = rows.flat_map(|row| (0..board.width()).map(move |x| Cell::new(x, row)));
        let cells: Vec<Cell> = cells.filter(|&cell| board.is_valid_move(cell)).collect();
        let has_group = |&colour: &Tile| cells.iter().any(|&c| board.tile(c) == Some(colour));
        let colour = self.order.iter().copied().find(has_group)?;
        let mut remaining = board.clone();
        let mut groups = Vec::new();
        for &cell in &cells {
            if remaining.tile(cell) == Some(colour) {
                groups.push((cell, remaining.clear_group(cell).0));
            }
        }
        // Of several smallest groups, `min_by_key` returns the first.
        groups
            .into_iter()
            .min_by_key(|&(_, size)| size)
            .map(|(cell, _)| cell)
    }
}

/// Checks that there are 1 to 50 rows on consecutive lines. `order_line` is the line number of the
/// colour order.
fn check_rows(order_line: usize, rows: &[(usize, &str)]) -> Result<(), ParseError> {
    if rows.is_empty() {
        let expected = format!("1 to 50 rows of {}", notation::CELL_CHARACTERS_TEXT);
        return Err(ParseError::new(order_line + 1, expected, ""));
    }
    if let Some(&(line, content)) = rows.get(*SIDES.end()) {
        let expected = "the end of the board after 50 rows";
        return Err(ParseError::new(line, expected, content));
    }
    // As in a file of boards, a blank line or a comment line ends a board.
    if let Some(pair) = rows.windows(2).find(|pair| pair[1].0 > pair[0].0 + 1) {
        let (line, content) = pair[1];
        let expected = "the end of the input after one board";
        return Err(ParseError::new(line, expected, content));
    }
    Ok(())
}

/// Reads the order of the colours: distinct letters or digits.
fn parse_order((line, content): (usize, &str)) -> Result<Vec<Tile>, ParseError> {
    let error = |expected: &str| ParseError::new(line, expected, content);
    let order: Option<Vec<_>> = content
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(Tile::from_char)
        .collect();
    let order = order
        .filter(|order| !order.is_empty())
        .ok_or_else(|| error("the order of the colours, letters or digits"))?;
    for (i, colour) in order.iter().enumerate() {
        if order[..i].contains(colour) {
            return Err(error(&format!(
                "an order that has {} only once",
                colour.to_char()
            )));
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    /// Parses a colour order and a board, with `/` for a line break, and returns the strategy's score.
    fn score(text: &str) -> Result<u64, ParseError> {
        let input = text.replace('/', "\n").parse();
        input.map(|puzzle: Puzzle| puzzle.compute_score())
    }

    #[test]
    fn the_examples_of_the_statement_have_their_scores() {
        assert_eq!(score("RB/RBB/RRR/RBB"), Ok(64));
        assert_eq!(score("ABCD/ABCD/ABCD/ABCD/ABCD"), Ok(96));
        assert_eq!(score("ABCD/ABCD"), Ok(0));
        assert_eq!(score("EABCD/ACCAA/ABAAA/ABBBA/AAACD"), Ok(28));
        let pairs =
            "AB CD EF GH IJ KL MN OP QR ST UV WX YZ WX UV ST MN QR OP KL IJ GH EF CD AB".split(' ');
        let stripes: String = pairs
            .map(|pair| format!("/{}", pair.repeat(10)).repeat(2))
            .collect();
        let last = format!("ABCDEFGHIJKLMNOPQRSTUVWXYZ{stripes}");
        assert_eq!(score(&last), Ok(2720));
    }

    #[test]
    fn a_single_tile_and_the_largest_board_are_scored() {
        assert_eq!(score("A/A"), Ok(0));
        let full = format!("A{}", format!("/{}", "A".repeat(50)).repeat(50));
        assert_eq!(score(&full), Ok(4 * 2500 * 2499 / 2));
    }

    const INVALID_PUZZLES: &str = r#"
| line 1: expected the order of the colours, letters or digits, found nothing
A | line 2: expected 1 to 50 rows of letters or digits, . or - for an empty cell, found nothing
A+/AB | line 1: expected the order of the colours, letters or digits, found "A+"
ABA/AB | line 1: expected an order that has A only once, found "ABA"
AB/AB/AC | line 3: expected colours of the order AB, which has no C, found "AC"
AB/AB/A | line 3: expected a row of 2 cells as in line 2, found "A"
AB/AB//AB | line 4: expected the end of the input after one board, found "AB"
"#;

    #[test]
    fn errors_name_their_line() {
        check_parse_errors(INVALID_PUZZLES, str::parse::<Puzzle>);
        let too_high = score(&format!("A{}", "/A".repeat(51)));
        let expected = "line 52: expected the end of the board after 50 rows, found \"A\"";
        assert_eq!(too_high.unwrap_err().to_string(), expected);
        assert!(score(&format!("A/{}", "A".repeat(51))).is_err());
    }
}
