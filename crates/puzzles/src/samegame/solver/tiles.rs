//! A board whose tiles keep their IDs, so that a move can be replayed after a change to earlier moves.
//!
//! Falling tiles stay in their column and keep their order. So a position is the set of remaining tiles,
//! and the row of a tile is the number of remaining tiles below it:
//!
//! ```text
//! initial board   after `b` is removed   tiles of column 0: 1101 (bit 0 is the bottom), colour `a`: 1001
//! a               .                      rows of `a` among the tiles: extract(1001, 1101) = 101
//! c               a
//! b               c                      the IDs of the `a` remain 0 and 3, their rows are 0 and 2
//! a               a
//! ```
//!
//! A search for a group extracts the rows of its colour from each column. On processors with BMI2, each
//! extraction is one instruction.
//!
//! The code numbers columns in two ways. `x` is a column of the initial board, as in the ID of a tile.
//! `column` is a column of the current board, where only non-empty columns are counted.

use crate::samegame::board::Board;
use columns_core::simd::Isa;

/// The ID of a tile: `S` × column + row on the initial board. It is also the tile's bit in a [`Set`].
pub(super) type TileId = u16;

/// A set of tiles, one bit for each ID.
type Set<const N: usize> = [u64; N];

/// The remaining tiles of a board of up to `S` columns and rows. `S` is 16, 32 or 64, and `N` is `S` ×
/// `S` / 64.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiles<const S: usize, const N: usize> {
    remaining: Set<N>,
    /// The columns of the initial board that still hold tiles.
    columns: u64,
}

/// The colours of all tiles, which never change during a game.
pub(super) struct TileColours<const N: usize> {
    /// The colour of each tile, by its ID. Colours are numbered from 0 in the order of their names.
    by_id: Vec<u8>,
    /// The tiles of each colour on the initial board.
    by_colour: Vec<Set<N>>,
}

impl<const N: usize> TileColours<N> {
    pub(super) fn colour_count(&self) -> usize {
        self.by_colour.len()
    }

    /// Returns all tiles of the initial board with the same colour as tile `id`.
    #[inline(always)]
    fn same_colour(&self, id: TileId) -> &Set<N> {
        &self.by_colour[usize::from(self.by_id[usize::from(id)])]
    }
}

impl<const S: usize, const N: usize> Tiles<S, N> {
    /// Creates the initial position of a board, and the colours of its tiles. No tile may be above an empty
    /// cell.
    pub(super) fn new(board: &Board) -> (Self, TileColours<N>) {
        let kinds = board.colours();
        let mut tiles = Self {
            remaining: [0; N],
            columns: 0,
        };
        let mut colours = TileColours {
            by_id: vec![0; S * S],
            by_colour: vec![[0; N]; kinds.len()],
        };
        for x in 0..board.width() {
            for (y, tile) in board.column(x).iter().enumerate() {
                let Some(tile) = tile else { continue };
                let colour = kinds.partition_point(|kind| kind < tile);
                let id = x * S + y;
                colours.by_id[id] = colour as u8;
                colours.by_colour[colour][id / 64] |= 1 << (id % 64);
                tiles.remaining[id / 64] |= 1 << (id % 64);
                tiles.columns |= 1 << x;
            }
        }
        (tiles, colours)
    }

    /// Returns the number of non-empty columns.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.columns.count_ones() as usize
    }

    /// Returns the number of tiles in a column of the current board.
    #[inline(always)]
    pub(super) fn height<I: Isa>(&self, isa: I, column: usize) -> usize {
        let (_, tiles) = self.column(nth(isa, self.columns, column));
        tiles.count_ones() as usize
    }

    /// Returns the number of remaining tiles of a colour.
    #[inline(always)]
    pub(super) fn tile_count(&self, colour: usize, colours: &TileColours<N>) -> usize {
        let mut count = 0;
        for (remaining, same_colour) in self.remaining.iter().zip(&colours.by_colour[colour]) {
            count += (remaining & same_colour).count_ones();
        }
        count as usize
    }

    /// Returns the tile in a column and a row of the current board. The cell must not be empty.
    #[inline(always)]
    pub(super) fn tile<I: Isa>(&self, isa: I, column: usize, row: usize) -> TileId {
        let (word, tiles) = self.column(nth(isa, self.columns, column));
        (word * 64 + nth(isa, tiles, row)) as TileId
    }

    /// Returns the column and the row of a remaining tile on the current board.
    pub(super) fn cell(&self, id: TileId) -> (usize, usize) {
        let column = (self.columns & mask_below(usize::from(id) / S)).count_ones() as usize;
        (column, self.row(id))
    }

    /// Returns the row of a remaining tile on the current board.
    #[inline(always)]
    fn row(&self, id: TileId) -> usize {
        let (_, tiles) = self.column(usize::from(id) / S);
        (tiles & mask_below(usize::from(id) % 64)).count_ones() as usize
    }

    /// Returns the index of the word with column `x` of the initial board, and the column's remaining tiles
    /// as bits of this word.
    #[inline(always)]
    fn column(&self, x: usize) -> (usize, u64) {
        let word = x * S / 64;
        let column = u64::MAX >> (64 - S) << (x * S % 64);
        (word, self.remaining[word] & column)
    }

    /// Returns the nearest non-empty column to the left of column `x`, and the nearest to its right. All are
    /// columns of the initial board.
    #[inline(always)]
    fn neighbouring_columns(&self, x: usize) -> [Option<usize>; 2] {
        let left = self.columns & mask_below(x);
        let right = self.columns >> x >> 1;
        let last = 63 - (left | 1).leading_zeros() as usize;
        let next = x + 1 + right.trailing_zeros() as usize;
        [(left != 0).then_some(last), (right != 0).then_some(next)]
    }

    /// Returns the current rows of the tiles in `set` that belong to column `x` of the initial board, one
    /// bit for each row.
    #[inline(always)]
    fn rows<I: Isa>(&self, isa: I, x: usize, set: &Set<N>) -> u64 {
        let (word, tiles) = self.column(x);
        isa.extract(set[word], tiles)
    }

    /// True if the tile `id` can be removed: it has a neighbour of its colour. The tile must still be on the
    /// board.
    #[inline(always)]
    pub(super) fn is_in_group<I: Isa>(&self, isa: I, id: TileId, colours: &TileColours<N>) -> bool {
        let x = usize::from(id) / S;
        let same_colour = colours.same_colour(id);
        let tile = 1 << self.row(id);
        let mut near = self.rows(isa, x, same_colour) & (tile << 1 | tile >> 1);
        for x in self.neighbouring_columns(x).into_iter().flatten() {
            near |= self.rows(isa, x, same_colour) & tile;
        }
        near != 0
    }

    /// Returns a tile of some group of a colour, or `None` if the colour has no group.
    #[inline(always)]
    pub(super) fn find_group<I: Isa>(
        &self,
        isa: I,
        colour: usize,
        colours: &TileColours<N>,
    ) -> Option<TileId> {
        if self.tile_count(colour, colours) < 2 {
            return None;
        }
        let mut previous_rows = 0;
        let mut columns = self.columns;
        while columns != 0 {
            let x = columns.trailing_zeros() as usize;
            columns &= columns - 1;
            let rows = self.rows(isa, x, &colours.by_colour[colour]);
            let linked = rows & (rows >> 1 | previous_rows);
            if linked != 0 {
                let (word, tiles) = self.column(x);
                let row = linked.trailing_zeros() as usize;
                return Some((word * 64 + nth(isa, tiles, row)) as TileId);
            }
            previous_rows = rows;
        }
        None
    }

    /// True if the tile `id` is still on the board.
    #[inline(always)]
    pub(super) fn contains(&self, id: TileId) -> bool {
        self.remaining[usize::from(id) / 64] >> (id % 64) & 1 != 0
    }

    /// Removes the group of a remaining tile and returns its size. If the tile has no neighbour of its
    /// colour, returns 0 and changes nothing.
    #[inline(always)]
    pub(super) fn remove_group<I: Isa>(
        &mut self,
        isa: I,
        id: TileId,
        colours: &TileColours<N>,
    ) -> usize {
        let same_colour = colours.same_colour(id);
        let x = usize::from(id) / S;
        let tile = 1 << self.row(id);
        // For each column, the rows of the colour and the known part of the group.
        let (mut rows, mut group) = ([0; S], [0; S]);
        rows[x] = self.rows(isa, x, same_colour);
        group[x] = tile;
        let mut visited: u64 = 1 << x;
        let (mut reached, mut open) = (visited, visited);
        while open != 0 {
            let x = open.trailing_zeros() as usize;
            open &= open - 1;
            group[x] = fill(group[x], rows[x]);
            for next in self.neighbouring_columns(x).into_iter().flatten() {
                if visited >> next & 1 == 0 {
                    visited |= 1 << next;
                    rows[next] = self.rows(isa, next, same_colour);
                }
                let more = group[x] & rows[next] & !group[next];
                if more != 0 {
                    group[next] |= more;
                    open |= 1 << next;
                    reached |= 1 << next;
                }
            }
        }
        if reached == 1 << x && group[x] == tile {
            return 0;
        }
        let mut size = 0;
        while reached != 0 {
            let x = reached.trailing_zeros() as usize;
            reached &= reached - 1;
            size += group[x].count_ones() as usize;
            let (word, tiles) = self.column(x);
            let removed = isa.deposit(group[x], tiles);
            self.remaining[word] ^= removed;
            self.columns &= !(u64::from(tiles == removed) << x);
        }
        size
    }
}

/// Returns a mask of all bits below position `bit`.
#[inline(always)]
fn mask_below(bit: usize) -> u64 {
    (1 << bit) - 1
}

/// Returns the index of the set bit with `n` set bits below it.
#[inline(always)]
fn nth<I: Isa>(isa: I, word: u64, n: usize) -> usize {
    isa.deposit(1 << n, word).trailing_zeros() as usize
}

/// Extends each of `seeds` to the run of adjacent `rows` around it.
#[inline(always)]
fn fill(mut seeds: u64, rows: u64) -> u64 {
    loop {
        let more = (seeds | seeds << 1 | seeds >> 1) & rows;
        if more == seeds {
            return seeds;
        }
        seeds = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isas::{on_all_isas, warn_of_missing_bmi2};
    use crate::random::Random;
    use crate::samegame::random_board;
    use crate::samegame::{Cell, Tile};
    use columns_core::simd::Kernel;

    /// The kernel that plays random games on tiles with IDs and on the playable board, and compares the
    /// boards after each move.
    #[derive(Clone, Copy)]
    struct GamesKernel<const S: usize, const N: usize> {
        games: usize,
        colours: usize,
    }

    impl<const S: usize, const N: usize> Kernel for GamesKernel<S, N> {
        type Output = ();

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) {
            let mut random = Random(S as u64);
            for _ in 0..self.games {
                compare::<I, S, N>(isa, &mut random, self.colours);
            }
        }
    }

    /// Compares the columns, heights and tiles of `tiles` with those of `game`. Returns the number of
    /// non-empty columns.
    fn check_columns<I: Isa, const S: usize, const N: usize>(
        isa: I,
        tiles: &Tiles<S, N>,
        game: &Board,
        first: &Board,
    ) -> usize {
        let mut columns = 0;
        for column in 0..game.width() {
            let is_tile = |row: &usize| game.tile(Cell::new(column, *row)).is_some();
            let height = (0..game.height()).take_while(is_tile).count();
            if height == 0 {
                continue;
            }
            columns += 1;
            assert_eq!(tiles.height(isa, column), height);
            for row in 0..height {
                let id = tiles.tile(isa, column, row);
                assert_eq!(tiles.cell(id), (column, row));
                let (x, y) = (usize::from(id) / S, usize::from(id) % S);
                let expected = first.tile(Cell::new(x, y));
                assert_eq!(expected, game.tile(Cell { column, row }));
            }
        }
        assert_eq!(tiles.width(), columns);
        columns
    }

    /// Compares the groups and the number of tiles of each colour on `tiles` with those on `game`.
    fn check_colours<I: Isa, const S: usize, const N: usize>(
        isa: I,
        (tiles, colours): (&Tiles<S, N>, &TileColours<N>),
        game: &Board,
        first: &Board,
    ) {
        let groups = game.groups();
        for (colour, &kind) in first.colours().iter().enumerate() {
            let is_kind = |tile: Option<Tile>| tile == Some(kind);
            let expected = groups.iter().any(|&(cell, _)| is_kind(game.tile(cell)));
            let group = tiles.find_group(isa, colour, colours);
            assert_eq!(group.is_some(), expected);
            if let Some(id) = group {
                let (column, row) = tiles.cell(id);
                assert!(is_kind(game.tile(Cell { column, row })));
                assert!(game.is_valid_move(Cell { column, row }));
            }
            let mut count = 0;
            for x in 0..game.width() {
                count += game.column(x).iter().filter(|&&tile| is_kind(tile)).count();
            }
            assert_eq!(tiles.tile_count(colour, colours), count);
        }
    }

    /// Plays one random game for [`GamesKernel`], and compares the boards after each move.
    fn compare<I: Isa, const S: usize, const N: usize>(
        isa: I,
        random: &mut Random,
        colours: usize,
    ) {
        let (width, height) = (1 + random.below(S), 1 + random.below(S));
        let mut game = random_board(random.below(1 << 32) as u64, width, height, colours);
        let (mut tiles, colours) = Tiles::<S, N>::new(&game);
        let first = game.clone();
        loop {
            let columns = check_columns(isa, &tiles, &game, &first);
            check_colours(isa, (&tiles, &colours), &game, &first);
            if game.is_over() {
                break;
            }
            let column = random.below(columns);
            let cell = Cell::new(column, random.below(tiles.height(isa, column)));
            let id = tiles.tile(isa, cell.column, cell.row);
            let before = tiles;
            assert_eq!(
                tiles.is_in_group(isa, id, &colours),
                game.is_valid_move(cell)
            );
            let size = tiles.remove_group(isa, id, &colours);
            assert_eq!(size, game.remove_group(cell));
            assert_eq!(tiles.contains(id), size == 0);
            assert_eq!(tiles == before, size == 0);
        }
    }

    #[test]
    fn named_tiles_move_like_those_of_the_playable_game() {
        warn_of_missing_bmi2();
        on_all_isas(GamesKernel::<16, 4> {
            games: 20,
            colours: 5,
        });
        on_all_isas(GamesKernel::<32, 16> {
            games: 10,
            colours: 3,
        });
        on_all_isas(GamesKernel::<64, 64> {
            games: 3,
            colours: 3,
        });
    }
}
