//! Random boards of SameGame.

use crate::draw::Streams;
use columns_core::puzzles::samegame::{SameGame, Tile};

/// The board of a seed: `width` × `height` tiles in `colours` colours, `A` and so on, each with the
/// same chance. The tiles are drawn row by row from the bottom up, each row from the left, from the
/// stream of the jewels; so "board 7" of a size is one board everywhere.
///
/// # Panics
/// If a side is 0, or there are not 1 to 26 colours.
pub fn random_board(seed: u64, width: usize, height: usize, colours: usize) -> SameGame {
    assert!((1..=26).contains(&colours), "{colours} colours");
    let mut jewels = Streams::new(seed).jewels;
    let mut tile = || Tile::from_char((b'A' + jewels.below(colours as u64) as u8) as char);
    let rows: Vec<Vec<_>> = (0..height)
        .map(|_| (0..width).map(|_| tile()).collect())
        .collect();
    SameGame::new(&rows).expect("sides of at least 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_the_same_for_ever() {
        // From an implementation of the streams written apart from this project.
        assert_eq!(
            random_board(7, 6, 3, 4).to_string(),
            "CCBADB\nBBDBAB\nDBDDDC\n"
        );
        assert_ne!(random_board(7, 6, 3, 4), random_board(8, 6, 3, 4));
        // A higher board ends with the lower one.
        let tall = random_board(7, 6, 5, 4).to_string();
        assert!(tall.ends_with(&random_board(7, 6, 3, 4).to_string()));
    }
}
