//! The file with the best known games, which `solve --resume` reads and updates.
//!
//! Each line is a game in the format of [`solution`], with three more fields before the score: the rows of
//! the board, the scoring, and the number of searches so far. The key of a game is its board and scoring,
//! so one file can hold games for several board files.

use super::solution::{self, ClaimedGame, SolvedBoard};
use super::text::{format_rows, is_same_score, parse_rows, points_text};
use crate::io;
use anyhow::{Context, Result, bail, ensure};
use columns_cli::input;
use columns_cli::{file, lock};
use columns_puzzles::samegame::{Board, Cell, ScoredGame, Scoring};
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Locks the games at `path`, which need not exist, until the returned file is closed.
///
/// Every update replaces the file of the games, so it cannot be locked itself. The lock is a file beside it,
/// with `.lock` appended to its name. The lock file remains, since a process that removed it could remove the
/// lock of the next process.
///
/// # Errors
/// Returns an error if another process holds the lock, or if the lock file cannot be created.
fn lock_games(path: &Path) -> Result<File> {
    let busy = format!(
        "{}: another process is working on these games",
        input::name(path)
    );
    // Resolve symbolic links, so that a link and its target share one lock.
    let mut lock_path = fs::canonicalize(path)
        .unwrap_or_else(|_| path.into())
        .into_os_string();
    lock_path.push(".lock");
    lock::open_locked(lock_path.as_ref(), &busy)
}

/// The best game found for a board in any run so far.
#[derive(Debug, Clone)]
struct BestGame {
    /// The number of the board in the input of the latest search.
    board_number: usize,
    /// Number of searches with the same board and scoring, across all runs.
    search_count: u64,
    score: f64,
    tiles_left: usize,
    moves: Vec<(usize, usize)>,
}

/// The key of a game: the rows of its board, and its scoring as text.
type Key = (String, String);

/// The best known games, and the lock on their file.
pub(super) struct BestGames {
    path: PathBuf,
    games: Mutex<Games>,
    /// The lock that keeps other processes from overwriting the games of this process.
    _lock: File,
}

#[derive(Default)]
struct Games {
    by_key: HashMap<Key, BestGame>,
    /// The keys, in file order.
    keys: Vec<Key>,
    /// The error of the latest write, if it failed. Every write contains all games.
    write_error: Option<anyhow::Error>,
}

impl BestGames {
    /// Locks the file, reads it, and replays all its games. Dropping the returned value releases the lock. A
    /// missing file counts as empty. A damaged file leaves no lock file behind.
    ///
    /// # Errors
    /// Returns an error if the file cannot be locked or read, or if a line is damaged. The error for a
    /// damaged line names the line.
    pub(super) fn open(path: &Path) -> Result<Self> {
        // The first read rejects a damaged file before the lock file is created. Only the second read counts,
        // since another process may have added games in between.
        Games::read(path)?;
        let lock = lock_games(path)?;
        let games = Games::read(path)?;
        Ok(Self {
            path: path.to_path_buf(),
            games: Mutex::new(games),
            _lock: lock,
        })
    }

    /// Returns the number of searches on a board across all runs; 0 for a new board.
    pub(super) fn search_count(&self, board: &Board, scoring: Scoring) -> u64 {
        self.get(board, scoring).map_or(0, |best| best.search_count)
    }

    /// Returns the moves of the best known game of a board, or no moves if no game is known.
    pub(super) fn best_moves(&self, board: &Board, scoring: Scoring) -> Vec<Cell> {
        let best = self.get(board, scoring);
        let moves = best.into_iter().flat_map(|best| best.moves);
        moves.map(|(column, row)| Cell { column, row }).collect()
    }

    fn get(&self, board: &Board, scoring: Scoring) -> Option<BestGame> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (format_rows(board), scoring.to_string());
        games.by_key.get(&key).cloned()
    }

    /// Adds the game that a search found, and writes the file. Returns the better of this game and the known
    /// one. The `known_score` of the result is the score of the known game, or `None` if there was none. The
    /// search statistics, such as `nodes` and `wall_s`, are always those of `game`.
    pub(super) fn add_game(
        &self,
        board: &Board,
        scoring: Scoring,
        game: &SolvedBoard,
    ) -> SolvedBoard {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (format_rows(board), scoring.to_string());
        let known_score = games.by_key.get(&key).map(|best| best.score);
        let best = games.add(key, game);
        games.write_error = file::write(&self.path, games.to_text().as_bytes()).err();
        SolvedBoard {
            score: best.score,
            tiles_left: best.tiles_left,
            moves: best.moves,
            known_score,
            ..*game
        }
    }

    /// Releases the lock of the file.
    ///
    /// # Errors
    /// Returns an error if the latest game could not be written.
    pub(super) fn close(self) -> Result<()> {
        let games = self.games.into_inner();
        let games = games.unwrap_or_else(PoisonError::into_inner);
        games.write_error.map_or(Ok(()), Err)
    }
}

impl Games {
    /// Reads the games of a file. A missing file counts as empty.
    fn read(path: &Path) -> Result<Self> {
        let mut games = Self::default();
        if path.exists() {
            let text = io::read_text(path)?;
            for (line, claim) in solution::parse_lines(&text).with_context(|| input::name(path))? {
                games
                    .add_claim(claim)
                    .with_context(|| format!("{}: line {line}", input::name(path)))?;
            }
        }
        Ok(games)
    }

    /// Replays a game from the file, checks its score, and adds it.
    fn add_claim(&mut self, claim: ClaimedGame) -> Result<()> {
        let ClaimedGame {
            board_number,
            score: Some(score),
            moves,
            rows: Some(rows),
            scoring: Some(scoring),
            search_count,
        } = claim
        else {
            bail!(
                "expected `board N tiles ROWS scoring SCORING runs R score S moves C,R C,R …`, as \
                 `solve --resume` writes it"
            );
        };
        let parsed: Scoring = scoring.parse().map_err(anyhow::Error::msg)?;
        let mut scored_game = ScoredGame::new(parse_rows(&rows)?, parsed);
        for (number, &cell) in (1..).zip(&moves) {
            ensure!(
                scored_game.remove_group(cell) > 0,
                "expected legal moves, but move {number} is illegal: {}",
                super::check::explain_illegal_move(scored_game.board(), cell)
            );
        }
        ensure!(
            is_same_score(score, scored_game.score()),
            "expected the score of the moves, {}, found {}",
            points_text(scored_game.score()),
            points_text(score)
        );
        let key = (rows, parsed.to_string());
        ensure!(
            !self.by_key.contains_key(&key),
            "expected one game for a board and a scoring, found a second one"
        );
        self.keys.push(key.clone());
        let best = BestGame {
            board_number,
            search_count: search_count.unwrap_or(1),
            score: scored_game.score(),
            tiles_left: scored_game.board().tile_count(),
            moves: moves.iter().map(|c| (c.column, c.row)).collect(),
        };
        self.by_key.insert(key, best);
        Ok(())
    }

    /// Adds the game that a search found: increments `search_count`, and keeps the better of this game and
    /// the known one. Returns the updated entry.
    fn add(&mut self, key: Key, game: &SolvedBoard) -> BestGame {
        let new = |search_count| BestGame {
            board_number: game.board,
            search_count,
            score: game.score,
            tiles_left: game.tiles_left,
            moves: game.moves.clone(),
        };
        let best = self.by_key.entry(key.clone()).or_insert_with(|| {
            self.keys.push(key);
            new(0)
        });
        best.search_count = best.search_count.saturating_add(1);
        best.board_number = game.board;
        if game.score > best.score {
            *best = new(best.search_count);
        }
        best.clone()
    }

    /// Formats all games as the contents of the file.
    fn to_text(&self) -> String {
        let mut text = String::from(
            "# SameGame: the best games known; moves are column,row of a tile, from 0,0 at the bottom left\n",
        );
        for key in &self.keys {
            let best = &self.by_key[key];
            let head = format!(
                "tiles {} scoring {} runs {} ",
                key.0, key.1, best.search_count
            );
            solution::push_game_line(&mut text, best.board_number, &head, best.score, &best.moves);
        }
        text
    }
}
