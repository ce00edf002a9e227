//! Batches of games, and their executors: the threads of this process, or the workers of a cluster.

use crate::game_result::GameResult;
use crate::player::Player;
use anyhow::Result;
use columns_cases::seeds::SeedRange;
use columns_cli::pool::Pool;
use columns_generator::{Spec, generate};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::AtomicBool;

/// A game to play: a player of a batch, and a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Game {
    /// The index of the player in the batch.
    pub player: usize,
    /// The generator's seed for the case.
    pub seed: u64,
}

/// A finished game, as ledgers record it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The index of the player in the batch.
    pub player: usize,
    /// The generator's seed for the case.
    pub seed: u64,
    /// The points, the length and the mean beam width of the game, and the reason if it failed.
    pub result: GameResult,
}

/// Lists the games of players 0 to `player_count` − 1 on the seeds of a range, seed by seed.
pub fn list_games(seeds: SeedRange, player_count: usize) -> Vec<Game> {
    let games_on = |seed| (0..player_count).map(move |player| Game { player, seed });
    seeds.into_iter().flat_map(games_on).collect()
}

/// Games for an executor to play, with their players and cases.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The generator's options for all cases.
    pub case_spec: &'a Spec,
    /// The players that the games refer to by index.
    pub players: &'a [Player],
    /// The games. [`Executor::play`] reports their results in this order.
    pub games: &'a [Game],
}

/// The function that receives the index and the result of each game of a batch, in order. It returns true to
/// end the batch.
pub type OnResult<'a> = dyn FnMut(usize, GameResult) -> Result<bool> + 'a;

/// Plays batches of games, in this process or on workers.
pub trait Executor {
    /// Plays a batch. Passes the results to `on_result` in the order of the games, each as soon as possible,
    /// until `on_result` returns true.
    ///
    /// After Ctrl-C, no more games begin, but `on_result` still receives the results of the games in
    /// progress.
    ///
    /// # Errors
    /// Returns an error if `on_result` fails, or if the games cannot be played.
    fn play(&mut self, batch: &Batch<'_>, on_result: &mut OnResult<'_>) -> Result<()>;
}

/// The threads of this process. Each thread plays one game at a time. Every batch starts its own threads.
#[derive(Debug, Clone)]
pub struct Threads<'a> {
    /// The pool, which determines the number of threads.
    pub pool: Pool,
    /// Flag that ends a batch once it is set.
    pub stop: &'a AtomicBool,
}

impl Executor for Threads<'_> {
    fn play(&mut self, batch: &Batch<'_>, on_result: &mut OnResult<'_>) -> Result<()> {
        let work = |index: usize| {
            let Game { player, seed } = batch.games[index];
            batch.players[player].play(&generate(seed, batch.case_spec))
        };
        let pass_on = |index, played: Result<GameResult>| {
            let is_enough = on_result(index, played?)?;
            Ok(if is_enough { Break(()) } else { Continue(()) })
        };
        let count = batch.games.len();
        self.pool
            .map_ordered(count, self.stop, work, pass_on)
            .map(drop)
    }
}
