//! Many games, and what plays them: the threads of this process, which may start programs, or a
//! cluster.

use crate::{contestant::Contestant, game::Played};
use anyhow::{Error, Result};
use columns_cli::pool::Pool;
use columns_generator::{generate, seeds::SeedRange, Spec};
use std::io;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicBool, Ordering};

/// One game of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Game {
    /// Which of the batch's players plays.
    pub player: usize,
    /// The seed of the case.
    pub seed: u64,
}

/// Each of these players on each of some seeds, seed by seed.
pub fn each(seeds: SeedRange, players: usize) -> Vec<Game> {
    let of = |seed| (0..players).map(move |player| Game { player, seed });
    seeds.into_iter().flat_map(of).collect()
}

/// Games to be played.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// What the cases of the seeds are like.
    pub cases: &'a Spec,
    /// The players.
    pub players: &'a [Contestant],
    /// The games, in the order of the results.
    pub games: &'a [Game],
}

/// Takes the index and the result of each game of a batch, in its order; says whether there are
/// enough.
pub type Done<'a> = dyn FnMut(usize, Played) -> Result<bool> + 'a;

/// Plays games.
pub trait Executor {
    /// Plays a batch. `done` gets every result as soon as it and all before it are there, until it
    /// has enough.
    ///
    /// Ends early if the process is to stop: after the games that are being played, which `done`
    /// gets too.
    ///
    /// # Errors
    /// That of `done`, or why games cannot be played.
    fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()>;
}

/// The threads of this process; each plays one game at a time.
#[derive(Debug, Clone, Copy)]
pub struct Threads<'a> {
    /// How many there are.
    pub pool: Pool,
    /// Ends a batch when it is set.
    pub stop: &'a AtomicBool,
}

impl Threads<'_> {
    /// True if a game failed only because the process is to stop.
    fn is_stopped_by(&self, error: &Error) -> bool {
        let mut causes = error
            .chain()
            .filter_map(|cause| cause.downcast_ref::<io::Error>());
        self.stop.load(Ordering::Relaxed)
            && causes.any(|cause| cause.kind() == io::ErrorKind::Interrupted)
    }
}

impl Executor for Threads<'_> {
    fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()> {
        let work = |index: usize| {
            let Game { player, seed } = batch.games[index];
            batch.players[player].play(&generate(seed, batch.cases))
        };
        let done = |index, played: Result<Played>| {
            let enough = match played {
                // A second Ctrl-C kills the programs that play.
                Err(error) if self.is_stopped_by(&error) => true,
                played => done(index, played?)?,
            };
            Ok(if enough { Break(()) } else { Continue(()) })
        };
        let count = batch.games.len();
        self.pool.in_order(count, self.stop, work, done).map(drop)
    }
}
