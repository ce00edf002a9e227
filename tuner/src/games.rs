//! The games of a run: first those in its [record](crate::record), in order, then new games.

use crate::executor::{Batch, Executor, Game, GameRecord};
use crate::game_result::GameResult;
use crate::player::Player;
use crate::record::{Line, Record};
use anyhow::{Result, bail, ensure};
use columns_cli::command::Interrupted;
use columns_generator::Spec;
use std::fmt;

/// The error at the end of the record if there is no executor to play further games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndOfRecord;

impl fmt::Display for EndOfRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the record has no further game")
    }
}

impl std::error::Error for EndOfRecord {}

/// Games to play, with their players.
pub struct GameRequest<'r> {
    /// The progress of the run, in words that follow "interrupted" in the message: `in generation 3`, or
    /// `after 12 of 40 seeds`.
    pub progress: &'r str,
    /// The games. [`Games::play`] reports them in this order.
    pub games: &'r [Game],
    /// Returns the players that the games refer to by index. Called only if games must be played.
    pub players: &'r dyn Fn() -> Vec<Player>,
    /// True if the time limit may end these games early.
    pub is_timed: bool,
}

/// A game of a [`GameRequest`], read from the record or newly played.
pub struct PlayedGame {
    /// The index of the game in the request.
    pub index: usize,
    /// The result, from the record or from the executor.
    pub result: GameResult,
    /// True if this process played the game.
    pub is_new: bool,
}

/// Called after each game of a request, in order. Returns true if no more games are needed. An error ends the
/// request.
pub type OnGame<'a> = dyn FnMut(&PlayedGame) -> Result<bool> + 'a;

/// A record, and the executor for further games.
pub struct Games<'a> {
    /// The record of the games played so far.
    pub record: &'a mut Record,
    /// Plays further games; `None` to read the record only.
    pub(crate) executor: Option<&'a mut dyn Executor>,
    case_spec: Spec,
}

impl<'a> Games<'a> {
    /// Creates a source of games: first those in the record, then games that `executor` plays and the record
    /// stores. Without an executor, [`Games::play`] fails with [`EndOfRecord`] at the end of the record, and
    /// the record returns to its position before the call.
    pub fn new(
        record: &'a mut Record,
        case_spec: Spec,
        executor: Option<&'a mut dyn Executor>,
    ) -> Self {
        Self {
            record,
            executor,
            case_spec,
        }
    }

    /// True if no process has played the next game yet, and this process may play it.
    pub fn is_live(&self) -> bool {
        self.executor.is_some() && self.record.is_at_end()
    }

    /// Plays games until `on_game` returns true, or the request has no more. Returns false if the time
    /// limit ended the games first, otherwise true.
    ///
    /// # Errors
    /// Returns an error if `on_game` fails, if the record holds other games, if it cannot be written, or if
    /// games cannot be played. The error is [`Interrupted`] if the executor was stopped.
    pub fn play(&mut self, request: &GameRequest<'_>, on_game: &mut OnGame<'_>) -> Result<bool> {
        let begin = self.record.cursor;
        let recorded_count = match self.replay(request, on_game)? {
            ReplayResult::Ended(is_complete) => return Ok(is_complete),
            ReplayResult::EndOfRecord(recorded_count) => recorded_count,
        };
        let Some(executor) = &mut self.executor else {
            self.record.cursor = begin;
            bail!(EndOfRecord);
        };
        let (record, games) = (&mut *self.record, &request.games[recorded_count..]);
        let batch = Batch {
            case_spec: &self.case_spec,
            players: &(request.players)(),
            games,
        };
        let mut ended = None;
        executor.play(&batch, &mut |index, result| {
            let Game { player, seed } = games[index];
            record.record(Line::Game(GameRecord {
                player,
                seed,
                result,
            }))?;
            record.new_game_count += 1;
            let played = PlayedGame {
                index: recorded_count + index,
                result,
                is_new: true,
            };
            if on_game(&played)? || index + 1 == games.len() {
                ended = Some(true);
            } else if request.is_timed {
                record.check_clock()?;
                ended = record.is_time_up().then_some(false);
            }
            Ok(ended.is_some())
        })?;
        let Some(ended) = ended else {
            bail!(Interrupted(format!(
                "{}; to continue, give the same command again",
                request.progress
            )));
        };
        Ok(ended)
    }

    /// Passes to `on_game` the games of the request that the record contains.
    fn replay(
        &mut self,
        request: &GameRequest<'_>,
        on_game: &mut OnGame<'_>,
    ) -> Result<ReplayResult> {
        let mut recorded_count = 0;
        while recorded_count < request.games.len() {
            match self.record.next_line() {
                None => return Ok(ReplayResult::EndOfRecord(recorded_count)),
                Some(Line::Game(game)) => {
                    let expected = request.games[recorded_count];
                    ensure!(
                        (game.player, game.seed) == (expected.player, expected.seed),
                        "{}: expected the game of player {} on seed {}, found that of player {} on seed {}: \
                         the run was begun by another version of the tuner; begin another one with another \
                         --out",
                        self.record.name,
                        expected.player,
                        expected.seed,
                        game.player,
                        game.seed
                    );
                    let played = PlayedGame {
                        index: recorded_count,
                        result: game.result,
                        is_new: false,
                    };
                    recorded_count += 1;
                    if on_game(&played)? {
                        return Ok(ReplayResult::Ended(true));
                    }
                }
                Some(_) if request.is_timed && self.record.is_time_up() => {
                    return Ok(ReplayResult::Ended(false));
                }
                Some(_) => {}
            }
        }
        Ok(ReplayResult::Ended(true))
    }
}

/// The result of replaying the record's games of a request.
enum ReplayResult {
    /// The request has ended: false if the time limit ended it early, otherwise true.
    Ended(bool),
    /// The record ends after this number of games of the request.
    EndOfRecord(usize),
}
