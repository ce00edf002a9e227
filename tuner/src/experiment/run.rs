//! A run that this process works on: its state, its ledger, and the games of a stage.
//!
//! Opening a run reads its ledger once. From then on each event goes to the ledger first, then into
//! the state.

use super::config::RunConfig;
use super::event::{Event, Stage};
use super::folder::{self, LEDGER_FILE};
use super::state::{NextStep, RunState};
use crate::executor::{Batch, Executor, Game, list_games};
use crate::{game_result::GameResult, player::Player};
use anyhow::{Context, Result, bail, ensure};
use columns_cases::digest::Digest;
use columns_cli::{command::Interrupted, file, ledger::Ledger};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Receives the progress of a run.
pub trait Listener {
    /// Called when a stage of `games` games begins or resumes. Earlier processes have already played `played`
    /// of these games.
    fn on_stage_begin(&mut self, _run: &Run, _stage: Stage, _games: usize, _played: usize) {}
    /// Called after each game.
    fn on_game(&mut self, _run: &Run) {}
    /// Called after each event that ends a stage or the search. `stage` is the stage that the event ends;
    /// `None` if the search has stopped, between two stages or at its time limit within a stage.
    fn on_event(&mut self, _run: &Run, _stage: Option<Stage>) {}
}

/// Ignores all progress.
impl Listener for () {}

/// A run in progress in this process.
#[derive(Debug)]
pub struct Run {
    /// The folder of the run, with the files that [`folder`] lists.
    pub folder: PathBuf,
    /// The identity of the run: see [`RunConfig::compute_identity`].
    pub identity: Digest,
    /// The state after the events so far.
    pub state: RunState,
    pub(super) ledger: Ledger<Event>,
    /// The time when this process opened the run.
    begun: Instant,
    /// The seconds that earlier processes have worked on the run, according to the ledger.
    before: f64,
    /// Describes how the player has changed since the run began; `None` if it has not. Only a run that has
    /// ended may be opened with a changed player.
    pub player_change: Option<String>,
    /// Number of games that this process has played.
    pub games_played: usize,
}

/// The interval at which a run records its working time, in seconds. The run checks the time after each game.
/// If a process is killed, about this much working time is lost, or the time of one game if that is longer.
const RECORD_INTERVAL_S: f64 = 10.0;

impl Run {
    /// Begins a run in a new or empty folder, or resumes the run in the folder.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid or differs from the configuration of the
    /// run in the folder, if another process works on the run, or if the folder cannot be used.
    pub fn open_or_create(folder: &Path, config: &RunConfig) -> Result<Self> {
        config.build_space()?;
        folder::check(folder)?;
        let _guard = file::create_folder(folder)?;
        let path = folder.join(LEDGER_FILE);
        let (mut ledger, begun) = Ledger::open_with_any_head(&path, config)?;
        config.expect_same(&path, &begun)?;
        let identity = begun.compute_identity()?;
        let mut state = RunState::new(begun)?;
        while let Some(event) = ledger.next_record()? {
            state.apply(event);
        }
        let mut run = Self {
            folder: folder.into(),
            identity,
            before: state.seconds_worked,
            state,
            ledger,
            begun: Instant::now(),
            player_change: None,
            games_played: 0,
        };
        run.grow(config)?;
        Ok(run)
    }

    /// Extends the run to larger limits. Returns an error if the player has changed, unless the run has ended
    /// and its limits stay the same.
    fn grow(&mut self, config: &RunConfig) -> Result<()> {
        let grows = config.limits.extends(&self.state.limits)?;
        let has_ended = self.state.next_step(false) == NextStep::End;
        self.player_change = config.describe_change(&self.state.config);
        if let Some(change) = self.player_change.as_ref().filter(|_| grows || !has_ended) {
            bail!(
                "{}: {change}: continue with the player as it was, or begin another run",
                self.folder.display()
            );
        }
        if grows {
            self.record(Event::Extend(config.limits))?;
        }
        Ok(())
    }

    /// Returns the seconds that all processes together have worked on the run.
    fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// Returns the seconds that remain for the search; `None` without a time limit.
    pub fn seconds_left(&self) -> Option<f64> {
        let limit = self.state.limits.max_seconds?;
        Some((limit - self.seconds()).max(0.0))
    }

    /// Records the seconds that all processes have worked on the run so far, if it has a time limit.
    pub(super) fn record_seconds(&mut self) -> Result<()> {
        match self.state.limits.max_seconds {
            Some(_) => self.record(Event::WorkingTime(self.seconds())),
            None => Ok(()),
        }
    }

    /// Returns the results of a stage's games that earlier processes have played.
    ///
    /// # Errors
    /// Returns an error if the ledger holds other games.
    fn known(&self, stage: Stage, games: &[Game]) -> Result<Vec<GameResult>> {
        let known = self.state.stage_games(stage);
        let mut both = known.iter().zip(games);
        ensure!(
            known.len() <= games.len() && both.all(|(a, b)| *a == b.into_record(a.result)),
            "{}: the ledger holds other games than those of {stage}",
            self.folder.display()
        );
        Ok(known.into_iter().map(|record| record.result).collect())
    }

    /// Appends an event to the ledger, then applies it to the state.
    pub(super) fn record(&mut self, event: Event) -> Result<()> {
        self.ledger.append(&event)?;
        self.state.apply(event);
        Ok(())
    }
}

/// A run with the executor of its games and the listener that receives its progress.
pub(super) struct ActiveRun<'a> {
    pub(super) run: &'a mut Run,
    pub(super) executor: &'a mut dyn Executor,
    pub(super) listener: &'a mut dyn Listener,
}

impl ActiveRun<'_> {
    /// Plays the games of a stage that no process has played yet, until `done` returns true.
    /// Returns the results of the stage, including those of earlier processes; `None` if the search
    /// reached its time limit first.
    ///
    /// # Errors
    /// Returns an error if the ledger holds other games, or if games cannot be played. The error is
    /// [`Interrupted`] if the executor was stopped.
    pub(super) fn play(
        &mut self,
        stage: Stage,
        players: &[Player],
        games: &[Game],
        mut done: impl FnMut(&GameResult) -> bool,
    ) -> Result<Option<Vec<GameResult>>> {
        let mut all = self.run.known(stage, games)?;
        let count = all.len();
        if all.iter().any(&mut done) || count == games.len() {
            return Ok(Some(all));
        }
        let (run, listener) = (&mut *self.run, &mut *self.listener);
        listener.on_stage_begin(run, stage, games.len(), count);
        let is_limited = stage.is_search() && run.state.stop_reason.is_none();
        let (case_spec, games) = (run.state.config.case_spec, &games[count..]);
        let batch = Batch {
            case_spec: &case_spec,
            players,
            games,
        };
        let mut enough = None;
        self.executor.play(&batch, &mut |index, played| {
            run.record(Event::Game(games[index].into_record(played)))?;
            run.games_played += 1;
            listener.on_game(run);
            if run.seconds() > run.state.seconds_worked + RECORD_INTERVAL_S {
                run.record_seconds()?;
            }
            all.push(played);
            if done(&played) || index + 1 == games.len() {
                enough = Some(true);
            } else if is_limited && run.seconds_left() == Some(0.0) {
                enough = Some(false);
            }
            Ok(enough.is_some())
        })?;
        let stopped = || {
            Interrupted(format!(
                "in {stage}; to continue, give the same command again"
            ))
        };
        Ok(enough.with_context(stopped)?.then_some(all))
    }

    /// Plays `count` seeds of a stage with each player. Returns the points of the players, seed by seed,
    /// `None` for a failed game. The whole result is `None` if the search reached its time limit first.
    pub(super) fn play_seeds<const PLAYERS: usize>(
        &mut self,
        stage: Stage,
        players: &[Player; PLAYERS],
        count: u64,
    ) -> Result<Option<Vec<[Option<u64>; PLAYERS]>>> {
        let games = list_games(self.run.seeds(stage, count), PLAYERS);
        let played = self.play(stage, players, &games, |_| false)?;
        Ok(played.map(|played| points(&played)))
    }
}

/// Returns the points of games in groups of `COUNT`; `None` for a failed game.
pub(super) fn points<const COUNT: usize>(games: &[GameResult]) -> Vec<[Option<u64>; COUNT]> {
    let groups = games.chunks_exact(COUNT);
    let points = groups.map(|games| std::array::from_fn(|index| games[index].scored_points()));
    points.collect()
}
