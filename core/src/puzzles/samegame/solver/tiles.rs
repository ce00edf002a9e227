//! A board whose tiles keep their names, so that a move can be made again after others have changed.

use crate::puzzles::samegame::board::SameGame;

/// The name of a tile: its place on the first board.
pub(super) type Name = u16;

/// Stands for no tile.
const NONE: Name = Name::MAX;

/// A board of up to `S` columns and rows. Its `A` = `S` × `S` places are numbered column by column,
/// from the bottom up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiles<const S: usize, const A: usize> {
    /// The tile at each place.
    names: [Name; A],
    /// The place of each tile. Tiles that are gone are not looked up by it.
    places: [u16; A],
    heights: [u8; S],
    /// Columns that hold tiles.
    pub(super) width: usize,
}

/// What never changes in a game: the colour of each tile, by its name. Also memory.
pub(super) struct Colours {
    of: Vec<u8>,
    /// The places of a group.
    group: Vec<usize>,
}

impl Colours {
    #[inline]
    pub(super) fn of(&self, name: Name) -> usize {
        usize::from(self.of[usize::from(name)])
    }
}

impl<const S: usize, const A: usize> Tiles<S, A> {
    /// The first position of a board, and the colours of its tiles: numbers below 62.
    pub(super) fn new(board: &SameGame) -> (Self, Colours) {
        let mut tiles = Self {
            names: [NONE; A],
            places: [0; A],
            heights: [0; S],
            width: 0,
        };
        let mut colours = Colours {
            of: vec![0; A],
            group: Vec::new(),
        };
        let mut kinds = Vec::new();
        for x in 0..board.width() {
            for (y, tile) in board.column(x).iter().enumerate() {
                let Some(tile) = tile else { continue };
                let kind = kinds.iter().position(|kind| kind == tile);
                let kind = kind.unwrap_or_else(|| {
                    kinds.push(*tile);
                    kinds.len() - 1
                });
                let place = x * S + y;
                colours.of[place] = kind as u8;
                tiles.names[place] = place as Name;
                tiles.places[place] = place as u16;
                tiles.heights[x] = y as u8 + 1;
                tiles.width = x + 1;
            }
        }
        (tiles, colours)
    }

    /// The tiles of a column, from the bottom up.
    #[inline]
    pub(super) fn column(&self, x: usize) -> &[Name] {
        &self.names[x * S..][..usize::from(self.heights[x])]
    }

    /// The tile in a column and a row, where there is one.
    pub(super) fn tile(&self, column: usize, row: usize) -> Option<Name> {
        self.column(column).get(row).copied()
    }

    /// The column and the row of a tile that is on the board.
    pub(super) fn cell(&self, name: Name) -> (usize, usize) {
        let place = usize::from(self.places[usize::from(name)]);
        (place / S, place % S)
    }

    /// The place of a tile, if it is still on the board.
    #[inline]
    fn place(&self, name: Name) -> Option<usize> {
        let place = usize::from(self.places[usize::from(name)]);
        (self.names[place] == name).then_some(place)
    }

    /// The places beside a place.
    #[inline]
    fn neighbours(place: usize) -> impl Iterator<Item = usize> {
        let row = place % S;
        let beside = [
            (row > 0).then(|| place - 1),
            (row + 1 < S).then_some(place + 1),
            place.checked_sub(S),
            Some(place + S).filter(|&place| place < A),
        ];
        beside.into_iter().flatten()
    }

    /// Whether a tile on the board can be removed.
    #[inline]
    pub(super) fn is_in_group(&self, name: Name, colours: &Colours) -> bool {
        let place = usize::from(self.places[usize::from(name)]);
        Self::neighbours(place).any(|place| {
            let other = self.names[place];
            other != NONE && colours.of(other) == colours.of(name)
        })
    }

    /// Removes the group of a tile and returns its size; 0 if the tile is gone or alone, and then
    /// nothing happens.
    #[inline]
    pub(super) fn remove(&mut self, name: Name, colours: &mut Colours) -> usize {
        let Some(place) = self.place(name) else {
            return 0;
        };
        let Colours { of, group } = colours;
        let colour = of[usize::from(name)];
        group.clear();
        group.push(place);
        self.names[place] = NONE;
        let mut next = 0;
        while next < group.len() {
            let place = group[next];
            next += 1;
            for place in Self::neighbours(place) {
                let name = self.names[place];
                if name != NONE && of[usize::from(name)] == colour {
                    self.names[place] = NONE;
                    group.push(place);
                }
            }
        }
        if group.len() == 1 {
            self.names[place] = name;
            return 0;
        }
        let size = group.len();
        let mut lowest = [S as u8; S];
        let (mut first, mut last) = (S, 0);
        for &place in &*group {
            let (x, y) = (place / S, place % S);
            lowest[x] = lowest[x].min(y as u8);
            first = first.min(x);
            last = last.max(x);
        }
        let mut vanished = false;
        for x in first..=last {
            self.settle(x, usize::from(lowest[x]));
            vanished |= self.heights[x] == 0;
        }
        if vanished {
            self.close_up(first);
        }
        size
    }

    /// Lets the tiles of a column fall, from row `lowest` on.
    #[inline]
    fn settle(&mut self, x: usize, lowest: usize) {
        let height = usize::from(self.heights[x]);
        let mut to = lowest;
        for from in lowest..height {
            let name = self.names[x * S + from];
            if name != NONE {
                self.put(x * S + to, name);
                to += 1;
            }
        }
        self.names[x * S + to..x * S + height].fill(NONE);
        self.heights[x] = to as u8;
    }

    /// Takes out empty columns, of which the first is not before `first`.
    fn close_up(&mut self, first: usize) {
        let mut to = first;
        for from in first..self.width {
            let height = self.heights[from];
            if height == 0 {
                continue;
            }
            if to < from {
                for row in 0..usize::from(height) {
                    self.put(to * S + row, self.names[from * S + row]);
                    self.names[from * S + row] = NONE;
                }
                self.heights[to] = height;
                self.heights[from] = 0;
            }
            to += 1;
        }
        self.width = to;
    }

    #[inline]
    fn put(&mut self, place: usize, name: Name) {
        self.names[place] = name;
        self.places[usize::from(name)] = place as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::samegame::{Cell, Tile};
    use crate::random::Random;

    /// Plays random games on both boards and compares them after each move.
    fn compare<const S: usize, const A: usize>(games: usize, colours: usize) {
        let mut random = Random(S as u64);
        for _ in 0..games {
            let (width, height) = (1 + random.below(S), 1 + random.below(S));
            let mut tile = || Tile::from_char((b'A' + random.below(colours) as u8) as char);
            let rows: Vec<Vec<_>> = (0..height)
                .map(|_| (0..width).map(|_| tile()).collect())
                .collect();
            let mut game = SameGame::new(&rows).unwrap();
            let (mut tiles, mut colours) = Tiles::<S, A>::new(&game);
            let first = game.clone();
            loop {
                for column in 0..width {
                    for row in 0..height {
                        let name = tiles.tile(column, row);
                        let was = name.map(|name| {
                            assert_eq!(tiles.cell(name), (column, row));
                            let place = usize::from(name);
                            first.tile(Cell::new(place / S, place % S)).unwrap()
                        });
                        assert_eq!(was, game.tile(Cell { column, row }));
                    }
                }
                if game.no_more_valid_moves() {
                    break;
                }
                let cell = Cell::new(random.below(width), random.below(height));
                let name = tiles.tile(cell.column, cell.row);
                let before = tiles;
                let in_group = name.is_some_and(|name| tiles.is_in_group(name, &colours));
                assert_eq!(in_group, game.is_valid_move(cell));
                let size = name.map_or(0, |name| tiles.remove(name, &mut colours));
                assert_eq!(size, game.remove_tile(cell));
                if size == 0 {
                    assert!(before == tiles);
                } else if let Some(name) = name {
                    // It is gone, and to remove it again does nothing.
                    assert_eq!(tiles.remove(name, &mut colours), 0);
                }
            }
        }
    }

    #[test]
    fn named_tiles_move_as_those_of_the_playable_game() {
        compare::<16, 256>(100, 5);
        compare::<32, 1024>(10, 3);
        compare::<64, 4096>(3, 3);
    }
}
