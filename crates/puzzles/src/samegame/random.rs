//! Random SameGame boards, the same on every machine.

use crate::samegame::{Board, Tile};
use columns_generator::random::Streams;

/// Draws the board of a seed: `width` × `height` tiles. Each tile has one of the first `colours` colours
/// (`A`, `B`, …), with equal probability.
///
/// The tiles are drawn from the seed's jewel stream, row by row from the bottom up, each row from left to
/// right. So the same seed, size and number of colours give the same board on every machine.
///
/// # Panics
/// If `width` or `height` is 0, or if `colours` is not from 1 to 26.
pub fn random_board(seed: u64, width: usize, height: usize, colours: usize) -> Board {
    assert!((1..=26).contains(&colours), "{colours} colours");
    let mut jewels = Streams::new(seed).jewels;
    let mut tile = || Tile::from_char((b'A' + jewels.draw_below(colours as u64) as u8) as char);
    let rows: Vec<Vec<_>> = (0..height)
        .map(|_| (0..width).map(|_| tile()).collect())
        .collect();
    Board::new(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_of_a_seed_never_changes() {
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
