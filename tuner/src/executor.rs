//! Many games, and what plays them: the threads of this process, or a cluster.

use crate::clock;
use crate::game::{play, Played};
use crate::player::Player;
use anyhow::Result;
use columns_cli::pool::Pool;
use columns_core::rules::case::Case;
use columns_generator::{generate, Spec};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// One game of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// Which of the batch's players plays.
    pub player: usize,
    /// The seed of the case.
    pub seed: u64,
}

/// Games to be played.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// What the cases of the seeds are like.
    pub cases: &'a Spec,
    /// Work that the search may do in a game, in microseconds.
    pub work: u64,
    /// The players.
    pub players: &'a [Player],
    /// The games, in the order of the results.
    pub games: &'a [Game],
}

/// The result of a game and its processor time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The result.
    pub played: Played,
    /// Seconds of processor time.
    pub seconds: f64,
}

/// Takes the index and the result of each game of a batch, in its order; breaks when there are
/// enough.
pub type Done<'a> = dyn FnMut(usize, Timed) -> Result<ControlFlow<()>> + 'a;

/// Plays games.
pub trait Executor {
    /// Plays a batch. `done` gets every result as soon as it and all before it are there, until it
    /// breaks.
    ///
    /// Ends early if the process is to stop: after the games that are being played, which `done`
    /// gets too.
    ///
    /// # Errors
    /// That of `done`, or why games cannot be played.
    fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()>;
}

/// The threads of this process.
#[derive(Debug)]
pub struct Threads {
    pool: Pool,
    stop: Arc<AtomicBool>,
}

impl Threads {
    /// Plays on these threads until `stop` is set.
    pub fn new(pool: Pool, stop: Arc<AtomicBool>) -> Self {
        Self { pool, stop }
    }
}

impl Executor for Threads {
    fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()> {
        let seeds = batch.games.iter().map(|game| game.seed);
        // The same case is played by many.
        let cases: HashMap<u64, OnceLock<Case>> = seeds.map(|s| (s, OnceLock::new())).collect();
        let work = |index: usize| {
            let Game { player, seed } = batch.games[index];
            let begun = clock::thread_seconds();
            let case = cases[&seed].get_or_init(|| generate(seed, batch.cases));
            Timed {
                played: play(case, &batch.players[player], batch.work),
                seconds: clock::thread_seconds() - begun,
            }
        };
        let count = batch.games.len();
        self.pool.in_order(count, &self.stop, work, done).map(drop)
    }
}
