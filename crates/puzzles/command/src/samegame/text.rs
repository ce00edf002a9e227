//! Parsing and formatting of boards and points, and the help text of `--scoring`.

use crate::io;
use anyhow::{Context, Result};
use columns_cli::input;
use columns_puzzles::samegame::{Board, notation};
use std::path::Path;

pub(super) const SCORING_HELP: &str = "\
    Scoring of a game. topcoder: n(n-1)/2 for a group of n; a cleared board multiplies the sum by 4. \
    tiles: one point for each tile. js-games: (n-2)² for a group, 1000 for a cleared board, otherwise \
    minus (m-2)² for each colour with m tiles left. quadratic:A,B,C[,BONUS[,FACTOR]]: An²+Bn+C for a \
    group, and (sum + BONUS) × FACTOR for a cleared board";

/// Reads all boards of a file, or of standard input for `-`. Errors name the file.
pub(super) fn read_boards(file: &Path) -> Result<Vec<Board>> {
    let text = io::read_text(file)?;
    notation::parse_boards(&text).with_context(|| input::name(file))
}

/// Formats a board as one word: its rows from the top, separated by `/`.
pub(super) fn format_rows(board: &Board) -> String {
    let text = board.to_string();
    text.trim_end().replace('\n', "/")
}

/// Parses a board in the format of [`format_rows`].
pub(super) fn parse_rows(word: &str) -> Result<Board> {
    let mut boards = notation::parse_boards(&word.replace('/', "\n")).map_err(|error| {
        anyhow::anyhow!("expected the rows of a board, found {word:?}: {error}")
    })?;
    anyhow::ensure!(
        boards.len() == 1,
        "expected the rows of one board, found {word:?}"
    );
    Ok(boards.remove(0))
}

/// Formats points with at most three decimals.
pub(super) fn points_text(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// True if `claimed` is `score`, perhaps rounded by [`points_text`].
pub(super) fn is_same_score(claimed: f64, score: f64) -> bool {
    (claimed - score).abs() < 1e-3
}
