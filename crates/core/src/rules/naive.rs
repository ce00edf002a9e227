//! The rules as the statement words them, one cell at a time.
//!
//! This code is slow on purpose: a reader can compare every line with the Gameplay section of
//! the statement. Tests compare the fast simulator with this one.
//!
//! A column `abc` on stack 2 of the field `aa.bb.` scores in two steps:
//!
//! ```text
//! ..c...     its `a` completes a line      ..c...     its `b` fell between the    ..c...
//! ..b...  -> of three: 47 points        -> ..bbb.  -> two others: 2 × 47 points
//! aaabb.
//! ```

use crate::rules::case::{Colour, Column, MATCH_POINTS};
use crate::rules::notation::{self, Rows};
use crate::rules::plan::Placement;
use crate::text::ParseError;
use std::error::Error;
use std::fmt;

/// The error for a column that cannot be placed: its topmost jewel would lie outside the field, or
/// the game is already over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameOver;

impl fmt::Display for GameOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the game is over: no further column fits")
    }
}

impl Error for GameOver {}

/// One step of a chain: the matches that vanish together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The points of the step: 47 × combo × matches, or 47 for each jewel that a magic column clears.
    pub points: u64,
    /// The matches, each with three cells (stack, row). Empty for the step in which a magic column
    /// clears jewels.
    pub matches: Vec<[(usize, usize); 3]>,
    /// The cells that vanish, by row from the floor up, then by stack.
    pub cleared: Vec<(usize, usize)>,
}

/// The playfield as rows of cells. A cell is empty, or has the colour of its jewel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NaiveField {
    width: usize,
    height: usize,
    /// The cells by row from the floor up, then by stack from the left.
    rows: Rows,
}

impl NaiveField {
    /// Creates an empty field of `width` stacks and `height` rows.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            rows: vec![vec![None; width]; height],
        }
    }

    /// Reads a field in [`notation`].
    ///
    /// # Errors
    /// Returns an error if the text breaks the rules of the notation, or has more rows than
    /// `height`.
    pub fn parse(text: &str, width: usize, height: usize) -> Result<Self, ParseError> {
        let mut rows = notation::parse(text, width)?;
        if rows.len() > height {
            let expected = format!("at most {height} rows");
            return Err(ParseError::new(height + 1, expected, text));
        }
        rows.resize(height, vec![None; width]);
        Ok(Self {
            width,
            height,
            rows,
        })
    }

    /// Formats the field in [`notation`].
    pub fn to_notation(&self) -> String {
        notation::format(&self.rows)
    }

    /// Returns the width in stacks.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in cells.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the jewel in a cell, or `None` if the cell is empty.
    pub fn cell(&self, stack: usize, row: usize) -> Option<Colour> {
        self.rows[row][stack]
    }

    /// Returns the number of jewels on a stack, up to its first empty cell.
    pub fn stack_height(&self, stack: usize) -> usize {
        (0..self.height)
            .take_while(|&row| self.rows[row][stack].is_some())
            .count()
    }

    /// Drops a column, and plays its chain. Returns all steps, the step of a magic column first.
    ///
    /// # Errors
    /// Returns an error if the column does not fit; the field is then unchanged.
    pub fn place(&mut self, column: Column, placement: Placement) -> Result<Vec<Step>, GameOver> {
        let landing = self.land(column, placement)?;
        let mut steps = Vec::new();
        if column == Column::Magic && landing > 0 {
            let colour = self.rows[landing - 1][placement.stack];
            let cleared: Vec<_> = self
                .cells()
                .filter(|&(x, y)| self.rows[y][x] == colour)
                .collect();
            self.clear_cells(&cleared);
            self.settle();
            steps.push(Step {
                points: MATCH_POINTS * cleared.len() as u64,
                matches: Vec::new(),
                cleared,
            });
        }
        steps.extend(self.resolve());
        Ok(steps)
    }

    /// Clears matches and lets jewels fall until nothing matches. Returns all steps; the first one has
    /// combo 1.
    pub fn resolve(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut combo = 1;
        loop {
            let matches = self.matches();
            if matches.is_empty() {
                return steps;
            }
            let cleared: Vec<_> = self
                .cells()
                .filter(|cell| matches.iter().any(|m| m.contains(cell)))
                .collect();
            self.clear_cells(&cleared);
            self.settle();
            steps.push(Step {
                points: MATCH_POINTS * combo * matches.len() as u64,
                matches,
                cleared,
            });
            combo += 1;
        }
    }

    /// Puts a column onto its stack. Returns the row of its lowest jewel.
    ///
    /// Magic jewels vanish when they land, so a magic column leaves the field unchanged.
    ///
    /// # Errors
    /// Returns an error if the column does not fit; the field is then unchanged.
    pub fn land(&mut self, column: Column, placement: Placement) -> Result<usize, GameOver> {
        let Placement { stack, shift } = placement;
        let landing = self.stack_height(stack);
        if landing + 3 > self.height {
            return Err(GameOver);
        }
        for jewel in column.shifted(shift).into_iter().flatten() {
            self.push(stack, jewel);
        }
        Ok(landing)
    }

    /// Puts one jewel on top of a stack.
    ///
    /// # Panics
    /// If the stack is full.
    pub fn push(&mut self, stack: usize, jewel: Colour) {
        let row = self.stack_height(stack);
        self.rows[row][stack] = Some(jewel);
    }

    /// Iterates over all cells (stack, row), by row from the floor up, then by stack.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Returns every line of three jewels of one colour. A line of four jewels contains two such lines.
    fn matches(&self) -> Vec<[(usize, usize); 3]> {
        let mut matches = Vec::new();
        for (x, y) in self.cells() {
            if self.rows[y][x].is_none() {
                continue;
            }
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let at = |i: isize| {
                    let (x, y) = (x as isize + i * dx, y as isize + i * dy);
                    let inside = (0..self.width as isize).contains(&x)
                        && (0..self.height as isize).contains(&y);
                    inside.then_some((x as usize, y as usize))
                };
                if let (Some(second), Some(third)) = (at(1), at(2)) {
                    let line = [(x, y), second, third];
                    if line
                        .iter()
                        .all(|&(x2, y2)| self.rows[y2][x2] == self.rows[y][x])
                    {
                        matches.push(line);
                    }
                }
            }
        }
        matches
    }

    /// Empties the given cells, each a pair of stack and row. The jewels above them hang in the air until
    /// the field [settles](Self::settle).
    pub fn clear_cells(&mut self, cells: &[(usize, usize)]) {
        for &(x, y) in cells {
            self.rows[y][x] = None;
        }
    }

    /// Drops every jewel until it lies on the floor or on another jewel.
    pub fn settle(&mut self) {
        for x in 0..self.width {
            let jewels: Vec<_> = (0..self.height).filter_map(|y| self.rows[y][x]).collect();
            for y in 0..self.height {
                self.rows[y][x] = jewels.get(y).copied();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_at_most_its_rows() {
        let rows = |count: usize| vec!["a....."; count].join("/");
        assert_eq!(
            NaiveField::parse(&rows(13), 6, 13).map(|field| field.stack_height(0)),
            Ok(13)
        );
        let error = NaiveField::parse(&rows(14), 6, 13).unwrap_err();
        assert_eq!(
            (error.line, error.expected.as_str()),
            (14, "at most 13 rows")
        );
    }
}
