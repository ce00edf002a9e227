//! The playable game: tiles, cells, and the board from which the player removes groups.

use std::fmt;
use std::num::NonZeroU8;

/// A coloured tile. The name of its colour is one letter or digit; `a` and `A` differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(NonZeroU8);

impl Tile {
    /// Returns the tile of the colour with this name, or `None` if the name is not an ASCII letter or digit.
    pub fn from_char(name: char) -> Option<Self> {
        if name.is_ascii_alphanumeric() {
            NonZeroU8::new(name as u8).map(Self)
        } else {
            None
        }
    }

    /// Returns the name of the colour, a letter or digit.
    pub fn to_char(self) -> char {
        self.0.get() as char
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_char())
    }
}

/// The position of a cell, counted from the bottom left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Index of the column, from 0 at the left.
    pub column: usize,
    /// Index of the row, from 0 at the bottom.
    pub row: usize,
}

impl Cell {
    /// Creates a cell from its column and its row, both counted from 0 at the bottom left.
    pub fn new(column: usize, row: usize) -> Self {
        Self { column, row }
    }
}

/// A SameGame board, before or during a game.
///
/// The width and the height never change; cells without a tile are empty. `Display` writes the rows from
/// the top, with `.` for an empty cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    width: usize,
    height: usize,
    /// Columns from the left, each from the bottom up. A column is a slice: tiles fall within their slice,
    /// and columns close up by moving whole slices.
    cells: Vec<Option<Tile>>,
}

impl Board {
    /// Creates a board from rows, the lowest first. A tile above an empty cell does not fall until a move
    /// removes a tile of the same column.
    ///
    /// # Panics
    /// If the rows differ in length, or have no cells.
    pub fn new(rows: &[Vec<Option<Tile>>]) -> Self {
        let height = rows.len();
        let width = rows.first().map_or(0, Vec::len);
        assert!(
            width > 0 && rows.iter().all(|row| row.len() == width),
            "a board needs a cell and rows of one length"
        );
        let cells = (0..width)
            .flat_map(|column| rows.iter().map(move |row| row[column]))
            .collect();
        Self {
            width,
            height,
            cells,
        }
    }

    /// Returns the number of columns, empty ones included.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows, empty ones included.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the tile at a cell, or `None` if the cell is empty or outside the board.
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        if self.contains(cell) {
            self.cells[cell.column * self.height + cell.row]
        } else {
            None
        }
    }

    /// Returns the tiles of a column from the bottom up, empty cells included.
    pub(crate) fn column(&self, column: usize) -> &[Option<Tile>] {
        &self.cells[column * self.height..][..self.height]
    }

    /// Returns the colours on the board, sorted by name.
    pub fn colours(&self) -> Vec<Tile> {
        let mut colours: Vec<Tile> = self.cells.iter().flatten().copied().collect();
        colours.sort_unstable();
        colours.dedup();
        colours
    }

    /// Returns the number of tiles on the board. Empty cells do not count.
    pub fn tile_count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    /// True if a cell is on the board, empty or not.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.column < self.width && cell.row < self.height
    }

    /// True if a cell holds a removable tile: a tile with a neighbour of its colour above, below, to the
    /// left or to the right.
    pub fn is_valid_move(&self, cell: Cell) -> bool {
        let Cell { column, row } = cell;
        let same = |column, row| self.tile(Cell { column, row }) == self.tile(cell);
        self.tile(cell).is_some()
            && (same(column + 1, row)
                || same(column, row + 1)
                || (column > 0 && same(column - 1, row))
                || (row > 0 && same(column, row - 1)))
    }

    /// True if the game is over: no tile can be removed.
    pub fn is_over(&self) -> bool {
        self.groups().is_empty()
    }

    /// Removes the group of the tile at a cell, lets the tiles above fall, and closes up empty columns.
    ///
    /// Returns the number of removed tiles. If the move is illegal, returns 0 and leaves the board
    /// unchanged.
    pub fn remove_group(&mut self, cell: Cell) -> usize {
        if !self.is_valid_move(cell) {
            return 0;
        }
        let (count, columns) = self.clear_group(cell);
        self.settle(columns);
        self.delete_empty_columns();
        count
    }

    /// Deletes empty columns, and moves the other columns to the left to close the gaps.
    fn delete_empty_columns(&mut self) {
        let height = self.height;
        let mut target = 0;
        for column in 0..self.width {
            if self.column(column).iter().all(Option::is_none) {
                continue;
            }
            if target < column {
                let from = column * height;
                self.cells.copy_within(from..from + height, target * height);
            }
            target += 1;
        }
        self.cells[target * height..].fill(None);
    }

    /// Returns, for each group of at least two tiles, a cell of the group and its size. The cell is the
    /// lowest one in the group's leftmost column. The groups are sorted by this cell.
    pub fn groups(&self) -> Vec<(Cell, usize)> {
        let mut remaining = self.clone();
        let mut groups = Vec::new();
        for column in 0..self.width {
            for row in 0..self.height {
                let cell = Cell { column, row };
                if remaining.cells[column * self.height + row].is_some() {
                    let valid = self.is_valid_move(cell);
                    let (size, _) = remaining.clear_group(cell);
                    if valid {
                        groups.push((cell, size));
                    }
                }
            }
        }
        groups
    }

    /// Empties the cells of a tile's group, even if the group is a single tile. No tiles fall. Returns the
    /// size of the group and the range of its columns.
    ///
    /// The flood fill keeps a list of cells, one for each vertical run, since recursion would overflow the
    /// call stack on large groups.
    pub(super) fn clear_group(&mut self, cell: Cell) -> (usize, std::ops::RangeInclusive<usize>) {
        let colour = self.tile(cell);
        debug_assert!(colour.is_some());
        let height = self.height;
        let (mut left, mut right) = (cell.column, cell.column);
        let mut count = 0;
        let mut open = vec![cell];
        while let Some(Cell { column, row }) = open.pop() {
            let tiles = &mut self.cells[column * height..][..height];
            if tiles[row] != colour {
                continue;
            }
            let low = row
                - tiles[..row]
                    .iter()
                    .rev()
                    .take_while(|&&t| t == colour)
                    .count();
            let high = row + tiles[row..].iter().take_while(|&&t| t == colour).count();
            tiles[low..high].fill(None);
            count += high - low;
            left = left.min(column);
            right = right.max(column);
            let neighbours = [
                column.checked_sub(1),
                (column + 1 < self.width).then_some(column + 1),
            ];
            for column in neighbours.into_iter().flatten() {
                let beside = &self.cells[column * height..][low..high];
                let mut inside = false;
                for (i, &tile) in beside.iter().enumerate() {
                    if tile == colour && !inside {
                        open.push(Cell::new(column, low + i));
                    }
                    inside = tile == colour;
                }
            }
        }
        (count, left..=right)
    }

    /// Lets the tiles of `columns` fall.
    fn settle(&mut self, columns: std::ops::RangeInclusive<usize>) {
        for column in columns {
            let tiles = &mut self.cells[column * self.height..][..self.height];
            let mut target = 0;
            for row in 0..tiles.len() {
                if tiles[row].is_some() {
                    tiles[target] = tiles[row];
                    target += 1;
                }
            }
            tiles[target..].fill(None);
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.height).rev() {
            let line: String = (0..self.width)
                .map(|column| self.tile(Cell { column, row }).map_or('.', Tile::to_char))
                .collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Parses a board from its rows, top row first, separated by `/`. Tiles above empty cells do not fall.
    pub(crate) fn parse_board(rows: &str) -> Board {
        let row = |row: &str| row.chars().map(Tile::from_char).collect();
        let rows: Vec<_> = rows.rsplit('/').map(row).collect();
        Board::new(&rows)
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let mut board = parse_board("AB./BAC");
        let before = board.clone();
        let outside = usize::MAX;
        for (column, row) in [(0, 0), (2, 1), (3, 0), (0, 2), (outside, 0), (0, outside)] {
            let cell = Cell::new(column, row);
            assert!(!board.is_valid_move(cell));
            assert_eq!(board.remove_group(cell), 0);
            assert_eq!(board, before);
        }
        assert!(board.is_over());
        assert!(!board.contains(Cell::new(3, 0)));
        assert!(board.contains(Cell::new(2, 1)));
    }

    #[test]
    fn several_columns_close_up_in_every_row() {
        // The two columns left of `b` and the one right of it vanish at the same time.
        let mut board = parse_board("..b../aab.c/aabac/aaaac");
        assert_eq!(board.remove_group(Cell::new(0, 0)), 9);
        assert_eq!(board.to_string(), ".....\nbc...\nbc...\nbc...\n");
    }

    #[test]
    fn tiles_fall_before_columns_close_up() {
        let mut board = parse_board("a..b/..../.c../...b");
        board.settle(0..=3);
        assert_eq!(board.to_string(), "....\n....\n...b\nac.b\n");
        board.delete_empty_columns();
        assert_eq!(board.to_string(), "....\n....\n..b.\nacb.\n");
        assert_eq!(board.tile(Cell::new(2, 0)), Tile::from_char('b'));
    }

    #[test]
    #[should_panic(expected = "rows of one length")]
    fn rows_of_different_lengths_are_refused() {
        Board::new(&[vec![None], vec![None, None]]);
    }
}
