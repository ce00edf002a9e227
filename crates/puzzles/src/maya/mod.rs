//! Maya: empty a field of five stacks in exactly n moves (NOIP 2011 "Mayan").
//!
//! A stack holds up to seven coloured blocks. A move drags a block one cell to the left or right. If that
//! cell holds a block, the two blocks swap; otherwise the dragged block falls onto the stack below that cell.
//! Three or more blocks of one colour in a horizontal or vertical line vanish, all lines at the same time.
//! Then the blocks above fall, and new lines may vanish.
//!
//! [`Puzzle`] reads the statement's input, [`Puzzle::solve`] finds the lexicographically smallest
//! solution, and [`format_solution`] writes it in the statement's format.

mod search;
mod stacks;

pub use stacks::Move;

use columns_core::text::{ParseError, Tokens};
use stacks::{HEIGHT, Stacks, WIDTH};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Allowed numbers of moves (statement, section on the data range).
const MOVE_COUNTS: RangeInclusive<usize> = 1..=5;
/// Allowed colours of blocks (statement: at most 10, numbered from 1).
const COLOUR_NUMBERS: RangeInclusive<usize> = 1..=10;

/// A field, and the exact number of moves after which it must be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    moves: usize,
    field: Stacks,
}

impl Puzzle {
    /// Returns the number of moves that a solution must have, 1 to 5.
    pub fn move_count(&self) -> usize {
        self.moves
    }

    /// Returns the lexicographically smallest solution, or `None` if there is none.
    ///
    /// Moves compare by stack, then by row, then right before left. A field that is empty before the last
    /// move does not count as solved.
    pub fn solve(&self) -> Option<Vec<Move>> {
        search::solve(&self.field, self.moves)
    }
}

impl FromStr for Puzzle {
    type Err = ParseError;

    /// Reads the statement's input: the number of moves and five stacks. Each stack is listed from the
    /// bottom up and ends with 0. `#` starts a comment.
    ///
    /// # Errors
    /// Returns an error if the text violates a constraint of the statement. The error names a line.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        // Keep the line breaks when removing comments, so that errors name the right line.
        let plain: String = text
            .lines()
            .flat_map(|line| [line.split('#').next().unwrap_or(""), "\n"])
            .collect();
        let mut tokens = Tokens::new(&plain);
        let moves = tokens.next_number("the number of moves,", MOVE_COUNTS)?;
        let mut stacks: [Vec<u8>; WIDTH] = Default::default();
        for (x, stack) in (1..).zip(&mut stacks) {
            loop {
                let block = format!("stack {x} of 5: a colour, 0 to end the stack,");
                let colour = tokens.next_number(&block, 0..=*COLOUR_NUMBERS.end())?;
                if colour == 0 {
                    break;
                }
                if stack.len() == HEIGHT {
                    let expected = format!("stack {x} of 5: 0 after at most 7 blocks");
                    let colour = colour.to_string();
                    return Err(ParseError::new(tokens.line, expected, &colour));
                }
                stack.push(colour as u8);
            }
        }
        tokens.expect_end()?;
        let field = Stacks::new(&stacks);
        if field.has_match() {
            // Matches are found in the whole field. It usually starts in line 2.
            return Err(ParseError {
                line: 2,
                expected: "a field without matches".to_string(),
                found: "three blocks of one colour in a line".to_string(),
            });
        }
        Ok(Self { moves, field })
    }
}

/// Formats a solution as in the statement: a line `x y g` for each move, or `-1` for `None`.
pub fn format_solution(solution: Option<&[Move]>) -> String {
    let Some(moves) = solution else {
        return "-1\n".to_string();
    };
    let mut text = String::new();
    for m in moves {
        let direction = if m.to_right { 1 } else { -1 };
        let _ = writeln!(text, "{} {} {direction}", m.stack, m.row);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_errors::check_parse_errors;

    const SAMPLE: &str = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";

    /// Solves a puzzle, and returns the answer in the statement's format.
    fn solve(text: &str) -> String {
        format_solution(text.parse::<Puzzle>().unwrap().solve().as_deref())
    }

    #[test]
    fn the_example_of_the_statement_is_solved() {
        assert_eq!(solve(SAMPLE), "2 1 1\n3 1 1\n3 0 1\n");
        assert_eq!(
            solve(&SAMPLE.replace('\n', " # x \r\n")),
            "2 1 1\n3 1 1\n3 0 1\n"
        );
    }

    #[test]
    fn a_swap_of_equal_blocks_is_a_move() {
        assert_eq!(solve("1\n1 0\n1 0\n0\n1 0\n0\n"), "3 0 -1\n");
        // The first of the two moves swaps equal blocks: the field stays the same, but the move counts.
        assert_eq!(solve("2\n1 0\n1 0\n2 2 0\n1 0\n2 0\n"), "0 0 1\n2 0 1\n");
    }

    #[test]
    fn an_empty_field_has_no_solution() {
        for n in 1..=5 {
            assert_eq!(solve(&format!("{n}\n0\n0\n0\n0\n0\n")), "-1\n");
        }
    }

    const INVALID_PUZZLES: &str = r#"
| line 1: expected the number of moves, from 1 to 5, found nothing
0/0/0/0/0/0/ | line 1: expected the number of moves, from 1 to 5, found "0"
6/0/0/0/0/0/ | line 1: expected the number of moves, from 1 to 5, found "6"
1/0/11 0/0/0/0/ | line 3: expected stack 2 of 5: a colour, 0 to end the stack, from 0 to 10, found "11"
1/0/0/0/0/1 2 1 2 1 2 1 2 0/ | line 6: expected stack 5 of 5: 0 after at most 7 blocks, found "2"
1/0/0/1 2/ | line 4: expected stack 3 of 5: a colour, 0 to end the stack, from 0 to 10, found nothing
1/0/0/0/0/0/0/ | line 7: expected the end of the input, found "0"
1/0/1 1 1 0/0/0/0/ | line 2: expected a field without matches, found three blocks of one colour in a line
"#;

    #[test]
    fn errors_name_their_line() {
        check_parse_errors(INVALID_PUZZLES, str::parse::<Puzzle>);
    }
}
