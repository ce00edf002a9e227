//! The game of one row.

use super::board::Tile;

/// A row that is being played: a tile goes with all tiles of its colour that
/// join it, and the row closes up (seed statement, section SimpleSameGame).
///
/// The row keeps its length; the places at its right end become empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleSameGame {
    row: Vec<Option<Tile>>,
    removed: usize,
}

impl SimpleSameGame {
    /// A game of the given tiles from the left, exactly as given.
    pub fn new(row: Vec<Option<Tile>>) -> Self {
        Self { row, removed: 0 }
    }

    /// A copy of the row.
    pub fn board(&self) -> Vec<Option<Tile>> {
        self.row.clone()
    }

    /// Whether a place lies on the row.
    pub fn is_valid_index(&self, place: usize) -> bool {
        place < self.row.len()
    }

    /// Whether a place holds a tile with a neighbour of its colour.
    pub fn is_valid_move(&self, place: usize) -> bool {
        let tile = |place: usize| self.row.get(place).copied().flatten();
        tile(place).is_some()
            && (tile(place) == tile(place.wrapping_add(1))
                || (place > 0 && tile(place) == tile(place - 1)))
    }

    /// Whether no tile can be removed: the game is over.
    pub fn no_more_valid_moves(&self) -> bool {
        !(0..self.row.len()).any(|place| self.is_valid_move(place))
    }

    /// Removes the tile of a place with its group and closes the row up. Returns
    /// the number of tiles removed: 0 if the move is illegal, and then nothing
    /// happens.
    pub fn remove_tile(&mut self, place: usize) -> usize {
        if !self.is_valid_move(place) {
            return 0;
        }
        let colour = self.row[place];
        let matching = |tile: &&Option<Tile>| **tile == colour;
        let left = place - self.row[..place].iter().rev().take_while(matching).count();
        let right = place + self.row[place..].iter().take_while(matching).count();
        let count = right - left;
        self.row[left..right].fill(None);
        self.removed += count;
        self.rearrange_board();
        count
    }

    /// Closes every gap: the tiles move to the left in their order.
    pub fn rearrange_board(&mut self) {
        let length = self.row.len();
        self.row.retain(Option::is_some);
        self.row.resize(length, None);
    }

    /// The score of the game so far: the number of tiles removed.
    pub fn calculate_score(&self) -> usize {
        self.removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Vec<Option<Tile>> {
        text.chars().map(Tile::from_char).collect()
    }

    #[test]
    fn the_row_closes_up() {
        let mut game = SimpleSameGame::new(row("abbac"));
        assert!(!game.is_valid_move(0) && !game.is_valid_move(4) && !game.is_valid_move(5));
        assert_eq!(game.remove_tile(0), 0);
        assert_eq!(game.remove_tile(2), 2);
        assert_eq!(game.board(), row("aac.."));
        assert_eq!(game.remove_tile(0), 2);
        assert_eq!(game.board(), row("c...."));
        assert_eq!(game.calculate_score(), 4);
        assert!(game.no_more_valid_moves());
    }

    #[test]
    fn empty_places_never_match() {
        let mut game = SimpleSameGame::new(row("a..a"));
        assert!(game.no_more_valid_moves());
        assert!(!game.is_valid_move(1) && !game.is_valid_move(usize::MAX));
        game.rearrange_board();
        assert_eq!(game.board(), row("aa.."));
        assert_eq!(game.remove_tile(1), 2);
        assert!(SimpleSameGame::new(Vec::new()).no_more_valid_moves());
    }

    #[test]
    fn a_huge_row_is_one_move() {
        let mut game = SimpleSameGame::new(row(&"z".repeat(1_000_000)));
        assert_eq!(game.remove_tile(500_000), 1_000_000);
    }
}
