//! Random boards of SameGame.

use crate::draw::Streams;
use columns_core::puzzles::samegame::{SameGame, Tile};

/// Draws the board of a seed: `width` × `height` tiles, each in one of the first `colours` colours (`A`, `B`, …)
/// with equal probability.
///
/// The tiles come from the stream of the jewels, row by row from the bottom up and from left to right. So the same seed
/// and size give the same board everywhere.
///
/// # Panics
/// If a side is 0, or if `colours` is not from 1 to 26.
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
    fn a_board_never_changes() {
        // The expected board comes from an independent implementation of the streams.
        assert_eq!(
            random_board(7, 6, 3, 4).to_string(),
            "CCBADB\nBBDBAB\nDBDDDC\n"
        );
        assert_ne!(random_board(7, 6, 3, 4), random_board(8, 6, 3, 4));
        // A taller board only adds rows at the top.
        let tall = random_board(7, 6, 5, 4).to_string();
        assert!(tall.ends_with(&random_board(7, 6, 3, 4).to_string()));
    }
}
