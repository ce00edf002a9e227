//! A file of the best games known: what `solve --resume` keeps and improves.
//!
//! A line a game in the form of [`solution`]: the rows of its board, the scoring, and how many
//! searches there have been come before the score. A game is found again by its board and scoring,
//! so that one file can serve many files of boards.

use super::solution::{self, Claim, Solved};
use super::text::{points, read_rows, rows};
use crate::io;
use anyhow::{bail, ensure, Context, Result};
use columns_cli::input;
use columns_cli::{file, lock};
use columns_core::puzzles::samegame::{Cell, SameGame, Scoring, Tally};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The best game known of a board.
#[derive(Debug, Clone)]
struct Best {
    /// The number of the board in the file of boards that it was last found for.
    board: usize,
    /// Searches so far.
    runs: u64,
    score: f64,
    tiles_left: usize,
    moves: Vec<(usize, usize)>,
}

/// The rows of a board and the text of a scoring.
type Key = (String, String);

/// The games of such a file.
pub(super) struct BestGames {
    path: PathBuf,
    games: Mutex<Games>,
    /// Two processes would write over what the other has found.
    _lock: lock::Beside,
}

#[derive(Default)]
struct Games {
    by_key: HashMap<Key, Best>,
    /// In the order of the file.
    keys: Vec<Key>,
}

impl BestGames {
    /// Reads the file, and locks it as long as this lives; one that is not there yet holds no games.
    ///
    /// # Errors
    /// If it cannot be read, if another process works on it, or names the line of what is
    /// damaged: every game in it is replayed.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let lock = lock::Beside::lock(path, "these games")?;
        let mut games = Games::default();
        if path.exists() {
            let text = io::read(path)?;
            for (line, claim) in solution::parse_lines(&text).with_context(|| input::name(path))? {
                games
                    .read(claim)
                    .with_context(|| format!("{}: line {line}", input::name(path)))?;
            }
        }
        Ok(Self {
            path: path.to_path_buf(),
            games: Mutex::new(games),
            _lock: lock,
        })
    }

    /// How many searches there have been on a board.
    pub(super) fn runs(&self, board: &SameGame, scoring: Scoring) -> u64 {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let best = games.by_key.get(&(rows(board), scoring.to_string()));
        best.map_or(0, |best| best.runs)
    }

    /// The moves of the best game of a board, none if none is known.
    pub(super) fn moves(&self, board: &SameGame, scoring: Scoring) -> Vec<Cell> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let best = games.by_key.get(&(rows(board), scoring.to_string()));
        let moves = best.map_or(&[][..], |best| &best.moves);
        moves
            .iter()
            .map(|&(column, row)| Cell { column, row })
            .collect()
    }

    /// Adds a game that was found, keeps the better one, and writes the file. Returns the best
    /// game, with the figures of the search that found `found`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add(&self, board: &SameGame, scoring: Scoring, found: &Solved) -> Result<Solved> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let best = games.add((rows(board), scoring.to_string()), found);
        file::write(&self.path, games.text().as_bytes())?;
        Ok(Solved {
            score: best.score,
            tiles_left: best.tiles_left,
            moves: best.moves,
            found: Some(found.score),
            ..*found
        })
    }
}

impl Games {
    /// Takes a game of the file, after a replay.
    fn read(&mut self, claim: Claim) -> Result<()> {
        let Claim {
            board,
            score: Some(score),
            moves,
            tiles: Some(tiles),
            scoring: Some(scoring),
            runs,
        } = claim
        else {
            bail!("expected `board N tiles ROWS scoring SCORING runs R score S moves C,R C,R …`, as `solve --resume` writes it");
        };
        let parsed: Scoring = scoring.parse().map_err(anyhow::Error::msg)?;
        let mut tally = Tally::new(read_rows(&tiles)?, parsed);
        for (number, &cell) in (1..).zip(&moves) {
            ensure!(
                tally.remove(cell) > 0,
                "expected legal moves, but move {number} is none: {}",
                super::check::why_illegal(tally.game(), cell)
            );
        }
        ensure!(
            (tally.score() - score).abs() < 5e-4,
            "expected the score of the moves, {}, found {}",
            points(tally.score()),
            points(score)
        );
        let key = (tiles, parsed.to_string());
        ensure!(
            !self.by_key.contains_key(&key),
            "expected one game for a board and a scoring, found a second one"
        );
        self.keys.push(key.clone());
        let best = Best {
            board,
            runs: runs.unwrap_or(1),
            score: tally.score(),
            tiles_left: tally.game().tiles_left(),
            moves: moves.iter().map(|c| (c.column, c.row)).collect(),
        };
        self.by_key.insert(key, best);
        Ok(())
    }

    fn add(&mut self, key: Key, found: &Solved) -> Best {
        let new = |runs| Best {
            board: found.board,
            runs,
            score: found.score,
            tiles_left: found.tiles_left,
            moves: found.moves.clone(),
        };
        let best = self.by_key.entry(key.clone()).or_insert_with(|| {
            self.keys.push(key);
            new(0)
        });
        best.runs += 1;
        best.board = found.board;
        if found.score > best.score {
            *best = new(best.runs);
        }
        best.clone()
    }

    fn text(&self) -> String {
        let mut text = String::from(
            "# SameGame: the best games known; moves are column,row of a tile, from 0,0 at the bottom left\n",
        );
        for key in &self.keys {
            let best = &self.by_key[key];
            let head = format!("tiles {} scoring {} runs {} ", key.0, key.1, best.runs);
            solution::push_line(&mut text, best.board, &head, best.score, &best.moves);
        }
        text
    }
}
