//! A field as lists of colour codes. Its methods follow the rules one cell at a time.

use columns_core::field::Field;

/// The directions of lines: horizontal, rising, falling, vertical.
pub(crate) const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (1, 1), (1, -1), (0, 1)];

/// The result of a step of a chain.
pub(crate) struct Step {
    pub(crate) matches: u32,
    /// True if a marked jewel is in a match.
    pub(crate) has_marked_match: bool,
}

/// A field: the jewels of each stack from bottom to top, each with its code and a mark. The tests mark the
/// jewels of a column, to see in which step one of them matches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) stacks: Vec<Vec<(u8, bool)>>,
}

impl Grid {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            stacks: vec![Vec::new(); width],
        }
    }

    /// Returns the code of a cell; 0 if it is empty or outside the field.
    pub(crate) fn cell(&self, x: isize, y: isize) -> u8 {
        let stack = usize::try_from(x).ok().and_then(|x| self.stacks.get(x));
        let cell = usize::try_from(y).ok().zip(stack);
        cell.and_then(|(y, stack)| stack.get(y)).map_or(0, |c| c.0)
    }

    pub(crate) fn heights(&self) -> Vec<i32> {
        self.stacks.iter().map(|stack| stack.len() as i32).collect()
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (isize, isize)> {
        let (width, height) = (self.width as isize, self.height as isize);
        (0..width).flat_map(move |x| (0..height).map(move |y| (x, y)))
    }

    /// Returns the stacks with room for a column.
    pub(crate) fn open_stacks(&self) -> Vec<usize> {
        let is_open = |&x: &usize| self.stacks[x].len() + 3 <= self.height;
        (0..self.width).filter(is_open).collect()
    }

    pub(crate) fn count(&self, code: u8) -> usize {
        self.stacks
            .iter()
            .flatten()
            .filter(|jewel| jewel.0 == code)
            .count()
    }

    /// True if a jewel of colour `code` in this cell would complete a line in the given direction.
    pub(crate) fn completes(
        &self,
        (x, y): (isize, isize),
        (dx, dy): (isize, isize),
        code: u8,
    ) -> bool {
        let same = |i| self.cell(x + i * dx, y + i * dy) == code;
        (-2..=0).any(|first| (first..first + 3).all(|i| i == 0 || same(i)))
    }

    /// True if a jewel of colour `code` in this cell would complete any line.
    pub(crate) fn completes_any(&self, cell: (isize, isize), code: u8) -> bool {
        DIRECTIONS
            .iter()
            .any(|&direction| self.completes(cell, direction, code))
    }

    /// Clears all lines of three, and drops the jewels above them.
    pub(crate) fn step(&mut self) -> Step {
        let mut cleared = Vec::new();
        let mut matches = 0;
        for (x, y) in self.cells() {
            for (dx, dy) in DIRECTIONS {
                let line = [0, 1, 2].map(|i| (x + i * dx, y + i * dy));
                let code = self.cell(x, y);
                if code != 0 && line.iter().all(|&(x, y)| self.cell(x, y) == code) {
                    matches += 1;
                    cleared.extend(line);
                }
            }
        }
        let is_marked = |&(x, y): &(isize, isize)| self.stacks[x as usize][y as usize].1;
        let has_marked_match = cleared.iter().any(is_marked);
        for (x, stack) in self.stacks.iter_mut().enumerate() {
            let mut row = -1;
            stack.retain(|_| {
                row += 1;
                !cleared.contains(&(x as isize, row))
            });
        }
        Step {
            matches,
            has_marked_match,
        }
    }

    /// Plays steps until nothing matches. Returns the points and the number of steps. Here, each match of
    /// step n scores n points.
    pub(crate) fn resolve(&mut self) -> (u32, u32) {
        let (mut points, mut steps) = (0, 0);
        loop {
            let matches = self.step().matches;
            if matches == 0 {
                return (points, steps);
            }
            steps += 1;
            points += steps * matches;
        }
    }

    /// Returns a copy with `jewels` on top of a stack. Marks them if `marked` is true. Skips jewels of code
    /// 0.
    pub(crate) fn with_jewels(&self, stack: usize, jewels: &[u8], marked: bool) -> Self {
        let mut grid = self.clone();
        let jewels = jewels.iter().filter(|&&code| code != 0);
        grid.stacks[stack].extend(jewels.map(|&code| (code, marked)));
        grid
    }

    /// Converts the field to bit planes.
    pub(crate) fn to_field<const W: usize, const P: usize>(&self) -> Field<W, P> {
        let mut field = Field::EMPTY;
        for (x, stack) in self.stacks.iter().enumerate() {
            for (y, jewel) in stack.iter().enumerate() {
                field.put(x, y as u32, jewel.0);
            }
        }
        field
    }
}
