//! A run that this process works on: its state, its ledger, and the games of a stage.
//!
//! The ledger is read once, when the run is opened. From then on an event is written to the ledger,
//! then taken into the state.

use super::config::Config;
use super::event::{Event, Reason, Stage};
use super::folder::{self, LEDGER};
use super::state::{Next, State};
use crate::executor::{each, Batch, Executor, Game};
use crate::stats::gate;
use crate::{contestant::Contestant, digest::Digest, game::Played, ledger::Ledger};
use anyhow::{bail, ensure, Context, Result};
use columns_cli::{command::Stopped, file};
use columns_generator::seeds::SeedRange;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Receives the progress of a run.
pub trait Listener {
    /// A stage of this many games begins, of which an earlier process has played some.
    fn begin(&mut self, _stage: Stage, _games: usize, _played: usize) {}
    /// A game has ended.
    fn game(&mut self) {}
    /// An event has happened, and the state has taken it in.
    fn event(&mut self, _stage: Option<Stage>, _state: &State) {}
}

/// No listener.
impl Listener for () {}

/// A run that this process works on.
#[derive(Debug)]
pub struct Run {
    /// Where its files are.
    pub folder: PathBuf,
    /// All seeds are drawn from it.
    pub identity: Digest,
    /// How far it has come.
    pub state: State,
    pub(super) ledger: Ledger<Event>,
    /// When this process began, and the seconds that the run had taken then.
    begun: Instant,
    before: f64,
    /// How the player differs from the one of a run that has ended, in words.
    pub change: Option<String>,
    /// Games that this process has played.
    pub played: usize,
}

/// Seconds of work that a process that is killed may not have written down.
const UNWRITTEN: f64 = 10.0;

impl Run {
    /// Begins a run in a folder that is new or empty, or continues the run that is there.
    ///
    /// # Errors
    /// One line: what is wrong with the configuration, what the run there was begun with, that
    /// another process works on it, or why the folder cannot be used.
    pub fn open_or_create(folder: &Path, config: &Config) -> Result<Self> {
        config.space()?;
        folder::check(folder)?;
        let _made = file::make_folder(folder)?;
        let path = folder.join(LEDGER);
        let (mut ledger, begun) = Ledger::open_or_begin(&path, config)?;
        config.expect_same(&path, &begun)?;
        let identity = begun.identity()?;
        let mut state = State::new(begun)?;
        while let Some(event) = ledger.pass()? {
            state.apply(event);
        }
        let mut run = Self {
            folder: folder.into(),
            identity,
            before: state.seconds,
            state,
            ledger,
            begun: Instant::now(),
            change: None,
            played: 0,
        };
        run.grow(config)?;
        Ok(run)
    }

    /// Extends the run to larger limits. A player that has changed cannot play on; the outcome of a
    /// run that has ended is still there.
    fn grow(&mut self, config: &Config) -> Result<()> {
        let grows = config.limits.grow(&self.state.limits)?;
        let has_ended = self.state.next(false) == Next::End;
        self.change = config.change(&self.state.config);
        if let Some(change) = self.change.as_ref().filter(|_| grows || !has_ended) {
            bail!(
                "{}: {change}: continue with what it was, or begin another run",
                self.folder.display()
            );
        }
        if grows {
            self.record(Event::Extend(config.limits))?;
        }
        Ok(())
    }

    /// Seconds that all processes have worked on the run.
    pub(super) fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// Seconds that are left for the search, if they are limited.
    pub fn left(&self) -> Option<f64> {
        let limit = self.state.limits.seconds?;
        Some((limit - self.seconds()).max(0.0))
    }

    /// Writes the seconds of a run with limited time to the ledger.
    pub(super) fn write_seconds(&mut self) -> Result<()> {
        match self.state.limits.seconds {
            Some(_) => self.record(Event::Worked(self.seconds())),
            None => Ok(()),
        }
    }

    /// Writes an event to the ledger, and takes it into the state.
    pub(super) fn record(&mut self, event: Event) -> Result<()> {
        self.ledger.record(&event)?;
        self.state.apply(event);
        Ok(())
    }

    /// The seeds of a stage, `count` of them. The seeds of generations follow each other; those of
    /// challenges and judgements are in other ranges. All rehearsals measure on the same.
    pub(super) fn seeds(&self, stage: Stage, count: u64) -> SeedRange {
        const CHALLENGES: u64 = 500_000_000;
        const APART: u64 = 1_000_000;
        let first = gate::to_play(self.identity);
        let rehearsal = |look| gate::held_out(Digest::of(b"rehearsal"), look, count);
        let first = match stage {
            Stage::Generation(number) => {
                first + u64::from(number - 1) * u64::from(self.state.config.pace.pairs)
            }
            Stage::Challenge(number) => first + CHALLENGES + u64::from(number - 1) * APART,
            Stage::Look(number) => return gate::held_out(self.identity, number, count),
            Stage::Recovery => return rehearsal(1),
            Stage::Draw(_) => return rehearsal(2),
        };
        SeedRange::new(first, first + (count - 1)).expect("a stage plays seeds")
    }
}

/// A run, and what plays its games.
pub(super) struct Work<'a> {
    pub(super) run: &'a mut Run,
    pub(super) executor: &'a mut dyn Executor,
    pub(super) listener: &'a mut dyn Listener,
}

impl Work<'_> {
    /// Plays the games of a stage that have not been played, until `done` has enough of all of them.
    /// Returns whether it has: the time of a search may be over before.
    ///
    /// # Errors
    /// [`Stopped`] if there are not enough when the executor was stopped; or one line: a ledger with
    /// other games, or why games cannot be played.
    pub(super) fn play(
        &mut self,
        stage: Stage,
        players: &[Contestant],
        games: &[Game],
        mut done: impl FnMut(&Played) -> bool,
    ) -> Result<bool> {
        let known = self.run.state.played(stage);
        let count = known.len();
        let same = known
            .iter()
            .zip(games)
            .all(|((game, _), expected)| game == expected);
        ensure!(
            same && count <= games.len(),
            "{}: the ledger holds other games than those of {stage}",
            self.run.folder.display()
        );
        for (_, played) in &known {
            if done(played) {
                return Ok(true);
            }
        }
        if count == games.len() {
            return Ok(true);
        }
        self.listener.begin(stage, games.len(), count);
        let enough = self.play_on(stage, players, &games[count..], done)?;
        enough.with_context(|| Stopped(format!("in {stage}; to continue: the same command again")))
    }

    /// Plays games until `done` has enough. Returns nothing if the executor was stopped before.
    fn play_on(
        &mut self,
        stage: Stage,
        players: &[Contestant],
        games: &[Game],
        mut done: impl FnMut(&Played) -> bool,
    ) -> Result<Option<bool>> {
        let (run, listener) = (&mut *self.run, &mut *self.listener);
        // Only the search is limited.
        let searches = matches!(stage, Stage::Generation(_) | Stage::Challenge(_));
        let is_limited = searches && run.state.stopped.is_none();
        let cases = run.state.config.cases;
        let batch = Batch {
            cases: &cases,
            players,
            games,
        };
        let mut enough = None;
        self.executor.play(&batch, &mut |index, played| {
            run.record(Event::game(games[index], played))?;
            run.played += 1;
            listener.game();
            if run.seconds() > run.state.seconds + UNWRITTEN {
                run.write_seconds()?;
            }
            if done(&played) || index + 1 == games.len() {
                enough = Some(true);
            } else if is_limited && run.left() == Some(0.0) {
                enough = Some(false);
            }
            Ok(enough.is_some())
        })?;
        Ok(enough)
    }

    /// Plays each player on each of some seeds of a stage. Returns a group of results for each seed,
    /// one after the other; nothing if the time of the search was over before.
    pub(super) fn play_all(
        &mut self,
        stage: Stage,
        players: &[Contestant],
        games: &[Game],
    ) -> Result<Option<Vec<Played>>> {
        let mut all = Vec::with_capacity(games.len());
        let enough = self.play(stage, players, games, |played| {
            all.push(*played);
            false
        })?;
        Ok(enough.then_some(all))
    }

    /// As [`Work::play_all`] on some seeds; the results are the points of the players, seed by seed.
    pub(super) fn points<const PLAYERS: usize>(
        &mut self,
        stage: Stage,
        players: &[Contestant; PLAYERS],
        count: u64,
    ) -> Result<Option<Vec<[u64; PLAYERS]>>> {
        let games = each(self.run.seeds(stage, count), PLAYERS);
        let played = self.play_all(stage, players, &games)?;
        Ok(played.map(|played| played.chunks_exact(PLAYERS).map(points).collect()))
    }
}

/// The points of some games.
pub(super) fn points<const COUNT: usize>(games: &[Played]) -> [u64; COUNT] {
    std::array::from_fn(|index| games[index].points)
}

/// The event that ends a search whose time is over.
pub(super) const TIME_IS_OVER: Event = Event::Stop(Reason::Time);
