//! The games of a stage of a fit: taken from the journal where an earlier process has played them,
//! otherwise played and recorded.

use crate::fit::record::{By, Challenge, Generation, Record, Stage};
use crate::fit::run::Run;
use crate::games::batch::{Batch, Game, Players, Timed};
use crate::games::clock;
use crate::games::play::Played;
use anyhow::Result;
use columns_bot::eval::weights::Weights;
use columns_judge::stats::Estimate;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Is told how far a fit has come, as it goes on.
pub trait Listener {
    /// A stage of this many games has begun; an earlier process has played some of them.
    fn begin(&mut self, stage: Stage, games: usize, played: usize);
    /// A game has ended.
    fn game(&mut self);
    /// A generation has ended; `games` are the games of the run so far. `recent` estimates what the
    /// average of the search is worth, see [`recent`](super::runner::recent).
    fn generation(&mut self, generation: &Generation, games: u64, recent: &Estimate);
    /// A challenge has ended.
    fn challenge(&mut self, challenge: &Challenge);
}

/// What a process has spent on a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Effort {
    /// Games played.
    pub games: usize,
    /// Seconds in all.
    pub wall_s: f64,
    /// Processor seconds of the games, on whatever machine they were played.
    pub games_s: f64,
    /// Processor seconds of this process.
    pub process_s: f64,
}

/// The time that one process has spent on a stage: a line of `timings.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The stage.
    pub stage: Stage,
    /// Games played.
    pub games: usize,
    /// How many at a time, if that is known.
    pub jobs: Option<usize>,
    /// Seconds from begin to end.
    pub wall_s: f64,
    /// Processor seconds of the games, on whatever machine they were played.
    pub games_s: f64,
    /// Processor seconds of this process.
    pub process_s: f64,
}

/// The result of a stage, or the stage if it was interrupted.
pub(super) type Done<T> = std::result::Result<T, Stage>;

/// What plays the games of a fit, and what this process has spent on it.
pub(super) struct Games<'a> {
    players: &'a mut dyn Players,
    pub(super) listener: &'a mut dyn Listener,
    /// The games so far and their seconds.
    pub(super) effort: Effort,
}

impl<'a> Games<'a> {
    /// Nothing has been played yet.
    pub(super) fn new(players: &'a mut dyn Players, listener: &'a mut dyn Listener) -> Self {
        Self {
            players,
            listener,
            effort: Effort::default(),
        }
    }

    /// Plays games of a stage. Returns the results in the same order, or the stage if it was
    /// stopped before it had all of them.
    pub(super) fn play(
        &mut self,
        run: &mut Run,
        stage: Stage,
        weights: &[Weights],
        games: &[Game],
    ) -> Result<Done<Vec<Played>>> {
        let journal = &mut run.journal;
        let mut played = Vec::with_capacity(games.len());
        // What an earlier process has played.
        while let (Some(game), Some(record)) = (games.get(played.len()), journal.ahead()) {
            let result = match record {
                Record::Game { played, .. } => *played,
                // Not what the run plays here; the journal says where.
                _ => Played::default(),
            };
            journal.record(&record_of(stage, *game, result))?;
            played.push(result);
        }
        self.listener.begin(stage, games.len(), played.len());
        let rest = &games[played.len()..];
        if rest.is_empty() {
            return Ok(Ok(played));
        }
        let (wall, process) = (Instant::now(), clock::process_seconds());
        let mut games_s = 0.0;
        let batch = Batch {
            spec: &run.config.cases,
            work: run.config.work,
            weights,
            games: rest,
        };
        let listener = &mut *self.listener;
        let mut done = |index: usize, timed: Timed| {
            journal.record(&record_of(stage, rest[index], timed.played))?;
            played.push(timed.played);
            games_s += timed.seconds;
            listener.game();
            Ok(())
        };
        let ended = self.players.play(&batch, &mut done);
        let timing = Timing {
            stage,
            games: played.len() + rest.len() - games.len(),
            jobs: self.players.jobs(),
            wall_s: wall.elapsed().as_secs_f64(),
            games_s,
            process_s: clock::process_seconds() - process,
        };
        self.effort.games += timing.games;
        self.effort.games_s += timing.games_s;
        if timing.games > 0 {
            run.append_timing(&timing)?;
        }
        ended?;
        Ok(if played.len() == games.len() {
            Ok(played)
        } else {
            Err(stage)
        })
    }
}

/// The record of a game.
fn record_of(stage: Stage, game: Game, played: Played) -> Record {
    let by = match (stage, game.weights) {
        (Stage::Generation(_) | Stage::Look(_), 0) => By::Start,
        (Stage::Generation(_) | Stage::Challenge(_), 1) => By::Average,
        (Stage::Challenge(_) | Stage::Look(_), _) => By::Best,
        (_, n) if n % 2 == 0 => By::Plus(n as u32 / 2 - 1),
        (_, n) => By::Minus(n as u32 / 2 - 1),
    };
    Record::Game {
        stage,
        by,
        seed: game.seed,
        played,
    }
}
