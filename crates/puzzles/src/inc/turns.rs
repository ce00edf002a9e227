//! Computes the final board of the game in which every player makes their best moves, by memoised search.
//!
//! Additions commute, and digits wrap around. So there are few different boards, although there are
//! many orders of moves: on 5 × 5 squares at most 3⁹ = 19,683 boards for each turn.

use std::collections::HashMap;

/// The digits of the squares, row by row from the top; 0 for a square that is empty or outside the board.
pub(super) type Board = [[u8; 5]; 5];

/// A group of squares: all squares on one side of a grid line. In each turn, the player chooses a group.
#[derive(Clone, Copy)]
struct Group {
    /// True if the line is horizontal, so that the group consists of whole rows; false for whole columns.
    is_line_horizontal: bool,
    /// Number of rows above a horizontal line, or of columns left of a vertical line.
    line: usize,
    /// True if the group is above or left of the line, false if it is below or right of the line.
    is_before_line: bool,
}

impl Group {
    /// Returns all groups in the order of priorities 4 to 6 of the statement.
    fn list(height: usize, width: usize) -> Vec<Self> {
        let mut groups = Vec::new();
        for (is_line_horizontal, side) in [(true, height), (false, width)] {
            for is_before_line in [true, false] {
                groups.extend((1..side).map(|line| Self {
                    is_line_horizontal,
                    line,
                    is_before_line,
                }));
            }
        }
        groups
    }

    /// True if the square in column `x` and row `y` belongs to the group.
    fn contains(self, x: usize, y: usize) -> bool {
        let place = if self.is_line_horizontal { y } else { x };
        (place < self.line) == self.is_before_line
    }

    /// Returns the board after adding `inc`, 1 or −1, to the digits of the group.
    fn after(self, board: &Board, inc: i32) -> Board {
        let mut next = *board;
        for (y, row) in next.iter_mut().enumerate() {
            for (x, digit) in row.iter_mut().enumerate() {
                if *digit != 0 && self.contains(x, y) {
                    *digit = (i32::from(*digit) - 1 + inc).rem_euclid(3) as u8 + 1;
                }
            }
        }
        next
    }
}

/// The state of the memoised search.
pub(super) struct Search {
    inc: i32,
    turns: usize,
    groups: Vec<Group>,
    /// For each turn and the board before it, the final board of the best play.
    ends: HashMap<(usize, Board), Board>,
}

impl Search {
    pub(super) fn new(height: usize, width: usize, inc: i32, turns: usize) -> Self {
        Self {
            inc,
            turns,
            groups: Group::list(height, width),
            ends: HashMap::new(),
        }
    }

    /// Returns the final board of the best play from `board`, the board before a turn. Turns count from 0.
    pub(super) fn best_end(&mut self, turn: usize, board: &Board) -> Board {
        if let Some(&end) = self.ends.get(&(turn, *board)) {
            return end;
        }
        let mut best = None;
        for i in 0..self.groups.len() {
            let mut end = self.groups[i].after(board, self.inc);
            if turn + 1 < self.turns {
                end = self.best_end(turn + 1, &end);
            }
            let rating = rate(&end, turn % 3);
            // Of equally good moves, the player prefers the first.
            if best.is_none_or(|(highest, _)| rating > highest) {
                best = Some((rating, end));
            }
        }
        let (_, end) = best.expect("a board with at least two rows has groups");
        self.ends.insert((turn, *board), end);
        end
    }
}

/// Rates a final board for a player, counted from 0, by priorities 1 to 3 of the statement; higher is better.
fn rate(board: &Board, player: usize) -> (bool, bool, usize) {
    let points = [0, 1, 2].map(|i| {
        let digit = (player + i) % 3 + 1;
        let squares = board.iter().flatten();
        squares
            .filter(|&&square| usize::from(square) == digit)
            .count()
    });
    let [own, others @ ..] = points;
    let most = others[0].max(others[1]);
    (own > most, own >= most, own)
}
