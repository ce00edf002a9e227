//! What the commands read and write alike: scorings, boards, points.

use crate::io;
use anyhow::{Context, Result};
use columns_cli::input;
use columns_core::puzzles::samegame::{notation, SameGame};
use std::path::Path;

/// Help on a scoring, for all commands that take one.
pub(super) const SCORING_HELP: &str = "\
    How a game is scored. topcoder: n(n-1)/2 for a group of n, the sum × 4 for a cleared \
    board. tiles: a point a tile. js-games: (n-2)² a group, +1000 for a cleared board, \
    otherwise (m-2)² less for each colour that is left with m tiles. \
    quadratic:A,B,C[,BONUS[,FACTOR]]: An²+Bn+C a group, and (sum + BONUS) × FACTOR for a \
    cleared board";

/// Reads a file of boards.
pub(super) fn read_boards(file: &Path) -> Result<Vec<SameGame>> {
    let text = io::read(file)?;
    notation::parse_boards(&text).with_context(|| input::name(file))
}

/// A board in one word: its rows from the top, a `/` between them.
pub(super) fn rows(board: &SameGame) -> String {
    let text = board.to_string();
    text.trim_end().replace('\n', "/")
}

/// Reads what [`rows`] wrote.
pub(super) fn read_rows(word: &str) -> Result<SameGame> {
    let mut boards = notation::parse_boards(&word.replace('/', "\n")).map_err(|error| {
        anyhow::anyhow!("expected the rows of a board, found {word:?}: {error}")
    })?;
    anyhow::ensure!(
        boards.len() == 1,
        "expected the rows of one board, found {word:?}"
    );
    Ok(boards.remove(0))
}

/// Points as people write them: whole numbers without a fraction.
pub(super) fn points(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}
