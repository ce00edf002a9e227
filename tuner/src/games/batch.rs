//! Many games, and the players of them.

use crate::games::clock;
use crate::games::play::{play, Played};
use anyhow::Result;
use columns_bot::eval::weights::Weights;
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
    /// Which of the batch's weights play.
    pub weights: usize,
    /// The seed of the case.
    pub seed: u64,
}

/// Games to be played.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// What the cases of the seeds are like.
    pub spec: &'a Spec,
    /// Work that the search may do in a game, in microseconds.
    pub work: u64,
    /// The weights that play.
    pub weights: &'a [Weights],
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

/// Plays games: this process, or a cluster.
pub trait Players {
    /// Plays a batch. `done` gets the index and the result of every game, in the order of the
    /// batch, each as soon as it and all before it are played.
    ///
    /// Ends early if the run must stop: after the games that are being played, which `done` gets
    /// too.
    ///
    /// # Errors
    /// That of `done`, or why games cannot be played.
    fn play(
        &mut self,
        batch: &Batch<'_>,
        done: &mut dyn FnMut(usize, Timed) -> Result<()>,
    ) -> Result<()>;

    /// How many games are played at a time, if that is known.
    fn jobs(&self) -> Option<usize>;
}

/// The threads of this process.
#[derive(Debug)]
pub struct Local {
    pool: Pool,
    stop: Arc<AtomicBool>,
}

impl Local {
    /// Plays on these threads until `stop` is set.
    pub fn new(pool: Pool, stop: Arc<AtomicBool>) -> Self {
        Self { pool, stop }
    }
}

impl Players for Local {
    fn play(
        &mut self,
        batch: &Batch<'_>,
        done: &mut dyn FnMut(usize, Timed) -> Result<()>,
    ) -> Result<()> {
        let cases: HashMap<u64, OnceLock<Case>> = batch
            .games
            .iter()
            .map(|game| (game.seed, OnceLock::new()))
            .collect();
        let work = |index: usize| {
            let Game { weights, seed } = batch.games[index];
            let begun = clock::thread_seconds();
            // The same case is played by many.
            let case = cases[&seed].get_or_init(|| generate(seed, batch.spec));
            let played = play(case, &batch.weights[weights], batch.work);
            Timed {
                played,
                seconds: clock::thread_seconds() - begun,
            }
        };
        self.pool
            .in_order(batch.games.len(), &self.stop, work, |index, timed| {
                done(index, timed)?;
                Ok(ControlFlow::Continue(()))
            })
            .map(drop)
    }

    fn jobs(&self) -> Option<usize> {
        Some(self.pool.jobs())
    }
}
