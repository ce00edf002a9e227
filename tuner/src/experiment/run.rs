//! A run at work: what [`State`] says is next is done, and told to the ledger.
//!
//! To go on after a stop is to do all again. What the ledger has is not played again, so this takes
//! seconds.

use super::config::{Config, Limits};
use super::event::{Challenge, Event, Generation, Look, Reason, Stage};
use super::folder;
use super::outcome::Outcome;
use super::state::{watched, Next, State};
use crate::executor::{each, Batch, Executor, Game};
use crate::stats::gate::{self, Gate};
use crate::stats::table::{Pair, Table};
use crate::{
    contestant::Contestant, digest::Digest, game::kind, game::Played, ledger::Ledger,
    search::space::Space, search::Search,
};
use anyhow::{bail, ensure, Context, Result};
use columns_cli::command::Stopped;
use columns_generator::seeds::SeedRange;

use std::path::{Path, PathBuf};
use std::time::Instant;

/// Is told how far a run has come, as it goes on.
pub trait Listener {
    /// A stage of this many games begins, of which an earlier process has played some.
    fn begin(&mut self, _stage: Stage, _games: usize, _played: usize) {}
    /// A game has ended.
    fn game(&mut self) {}
    /// Something new has happened, which the state has taken in.
    fn event(&mut self, _event: &Event, _state: &State) {}
}

/// Nobody.
impl Listener for () {}

/// A run that this process works on.
#[derive(Debug)]
pub struct Run {
    /// Where its files are.
    pub folder: PathBuf,
    /// What decides its outcome.
    pub config: Config,
    /// All seeds are drawn from it.
    pub identity: Digest,
    /// How far it has come.
    pub state: State,
    pub(super) space: Space,
    ledger: Ledger<Event>,
    search: Search,
    /// The games of the last look.
    table: Option<Table>,
    /// The limits of [`Run::extend`].
    extension: Option<(Option<u64>, Option<f64>)>,
    /// The seconds that other processes have spent, and when this one began.
    seconds: f64,
    begun: Instant,
    /// Games that this process has played.
    pub played: usize,
}

impl Run {
    /// Begins a run in a folder that is new or empty.
    ///
    /// # Errors
    /// One line: what is wrong with the configuration, or why the folder cannot be used.
    pub fn create(folder: &Path, config: Config) -> Result<Self> {
        folder::check(folder)?;
        Self::open_or_create(folder, config)
    }

    /// Goes on with the run of this configuration in a folder, or begins it.
    ///
    /// # Errors
    /// One line: those of [`Run::create`] and [`Run::open`], or what the run was begun with.
    pub fn open_or_create(folder: &Path, config: Config) -> Result<Self> {
        let space = config.space()?;
        let ledger = folder::open_or_create(folder, &config)?;
        Self::new(folder, ledger, config, space)
    }

    /// Opens a run to go on with it.
    ///
    /// # Errors
    /// One line: that there is none, that another process works on it, where it is damaged, or that
    /// this build plays differently from the one that began it.
    pub fn open(folder: &Path) -> Result<Self> {
        let (ledger, config) = folder::open(folder)?;
        let shown = folder.display();
        let space = config.space().with_context(|| shown.to_string())?;
        let now = config.start.behaviour()?;
        ensure!(
            now == config.behaviour,
            "{shown}: the bot does not play as the one that began the run (behaviour {now}, then {}): \
             go on with that one",
            config.behaviour
        );
        Self::new(folder, ledger, config, space)
    }

    /// Has the search go on, when all is done again that is in the ledger: to this number of games
    /// of the run, or as many as before; for these seconds from now on, or without a limit.
    pub fn extend(&mut self, games: Option<u64>, seconds: Option<f64>) {
        self.extension = Some((games, seconds));
    }

    fn new(folder: &Path, ledger: Ledger<Event>, config: Config, space: Space) -> Result<Self> {
        Ok(Self {
            identity: Digest::of_json(&config)?,
            state: State::new(&config),
            search: Search::new(space.axes().len()),
            seconds: folder::seconds(folder),
            folder: folder.into(),
            config,
            space,
            ledger,
            table: None,
            extension: None,
            begun: Instant::now(),
            played: 0,
        })
    }

    /// Works until the run has ended. Its outcome is then in its folder.
    ///
    /// # Errors
    /// [`Stopped`] if the executor was stopped before; or one line: a file that cannot be written or
    /// is not as this run would have written it, or why games cannot be played.
    pub fn work(
        &mut self,
        executor: &mut dyn Executor,
        listener: &mut dyn Listener,
    ) -> Result<Outcome> {
        let mut work = Work {
            run: self,
            executor,
            listener,
        };
        let ended = work.work();
        self.write_seconds()?;
        ended?;
        let outcome = Outcome::new(&self.config, &self.state, self.table.clone())?;
        self.ledger.sync()?;
        folder::write_outcome(&self.folder, &outcome)?;
        Ok(outcome)
    }

    /// Seconds that all processes have worked on the run.
    fn spent(&self) -> f64 {
        self.seconds + self.begun.elapsed().as_secs_f64()
    }

    /// Remembers these seconds, if they are limited.
    fn write_seconds(&self) -> Result<()> {
        let limit = self.state.limits.seconds;
        limit.map_or(Ok(()), |_| {
            folder::write_seconds(&self.folder, self.spent())
        })
    }

    /// Seconds that are left for the search, if they are limited.
    pub fn left(&self) -> Option<f64> {
        let limit = self.state.limits.seconds?;
        Some((limit - self.spent()).max(0.0))
    }

    /// The seeds of a stage, `count` of them. The seeds of generations follow each other; those of
    /// challenges and looks lie in other ranges. All rehearsals measure on the same.
    pub(super) fn seeds(&self, stage: Stage, count: u64) -> SeedRange {
        const CHALLENGES: u64 = 500_000_000;
        const APART: u64 = 1_000_000;
        let first = gate::to_play(self.identity);
        let rehearsal = |look| gate::held_out(Digest::of(b"rehearsal"), look, count);
        let first = match stage {
            Stage::Generation(number) => {
                first + u64::from(number - 1) * u64::from(self.config.pace.pairs)
            }
            Stage::Challenge(number) => first + CHALLENGES + u64::from(number - 1) * APART,
            Stage::Look(number) => return gate::held_out(self.identity, number, count),
            Stage::Recovery => return rehearsal(1),
            Stage::Draw(_) => return rehearsal(2),
        };
        SeedRange::new(first, first + (count - 1)).expect("a stage plays seeds")
    }

    /// The player of the average after a generation, rounded as it is when it is the result; the
    /// start for generation 0.
    pub(super) fn player(&self, generation: u32) -> Contestant {
        let values = self.space.rounded(self.state.average(generation));
        self.space.contestant(&values)
    }

    /// The event that an earlier process wrote at this place, if it came this far. Extensions are
    /// taken in.
    fn ahead(&mut self) -> Result<Option<&Event>> {
        while let Some(&Event::Extend(limits)) = self.ledger.ahead()? {
            self.go_on_to(limits)?;
        }
        if self.ledger.ahead()?.is_none() {
            if let Some((games, seconds)) = self.extension.take() {
                let limits = Limits {
                    games: games.unwrap_or(self.state.limits.games),
                    seconds: seconds.map(|seconds| self.spent() + seconds),
                };
                if !(self.state.extended && limits == self.state.limits) {
                    self.go_on_to(limits)?;
                }
            }
        }
        self.ledger.ahead()
    }

    fn go_on_to(&mut self, limits: Limits) -> Result<()> {
        let event = Event::Extend(limits);
        self.ledger.record(&event)?;
        self.state.apply(&self.config, &event);
        Ok(())
    }
}

/// A run, and what plays its games.
pub(super) struct Work<'a> {
    pub(super) run: &'a mut Run,
    executor: &'a mut dyn Executor,
    listener: &'a mut dyn Listener,
}

impl Work<'_> {
    fn work(&mut self) -> Result<()> {
        loop {
            let time_is_up = match self.run.ahead()? {
                Some(event) => *event == Event::Stop(Reason::Time),
                None => self.run.left() == Some(0.0),
            };
            match self.run.state.next(&self.run.config, time_is_up) {
                Next::Stop(reason) => self.happened(&Event::Stop(reason))?,
                Next::End => break,
                Next::Play(Stage::Draw(number)) => self.draw(number)?,
                Next::Play(Stage::Generation(number)) => self.generation(number)?,
                Next::Play(Stage::Challenge(number)) => self.challenge(number)?,
                Next::Play(Stage::Look(number)) => self.look(number)?,
                Next::Play(Stage::Recovery) => self.recovery()?,
            }
        }
        match self.run.ledger.ahead()? {
            None => Ok(()),
            Some(_) => bail!(
                "{}: the ledger holds more than this run would have written",
                self.run.folder.display()
            ),
        }
    }

    /// Tells the ledger and the state what has happened, and the listener if it is new.
    pub(super) fn happened(&mut self, event: &Event) -> Result<()> {
        let run = &mut *self.run;
        let new = run.ahead()?.is_none();
        run.ledger.record(event)?;
        run.state.apply(&run.config, event);
        if new {
            run.ledger.sync()?;
            run.write_seconds()?;
            self.listener.event(event, &run.state);
        }
        Ok(())
    }

    /// Plays the games of a stage, as far as they are not in the ledger, until `done` has enough of
    /// them. Says whether it has: the time of a search may be over before.
    ///
    /// # Errors
    /// [`Stopped`] if there are not enough when the executor was stopped.
    pub(super) fn play(
        &mut self,
        stage: Stage,
        players: &[Contestant],
        games: &[Game],
        mut done: impl FnMut(&Played) -> bool,
    ) -> Result<bool> {
        let mut count = 0;
        while let (Some(&game), Some(event)) = (games.get(count), self.run.ahead()?) {
            if *event == Event::Stop(Reason::Time) {
                return Ok(false);
            }
            // If it is not what the run does here, the ledger says where.
            let played = event.played().unwrap_or_default();
            self.run.ledger.record(&Event::game(game, played))?;
            count += 1;
            if done(&played) {
                return Ok(true);
            }
        }
        if count == games.len() {
            return Ok(true);
        }
        self.listener.begin(stage, games.len(), count);
        let run = &mut *self.run;
        let batch = Batch {
            cases: &run.config.cases,
            players,
            games: &games[count..],
        };
        // Only the search is limited.
        let searches = matches!(stage, Stage::Generation(_) | Stage::Challenge(_));
        let limited = searches && run.state.stopped.is_none();
        let (left, begun) = (run.left().filter(|_| limited), Instant::now());
        let (ledger, total, listener) = (&mut run.ledger, &mut run.played, &mut *self.listener);
        let mut enough = None;
        self.executor.play(&batch, &mut |_, played| {
            ledger.record(&Event::game(games[count], played))?;
            count += 1;
            *total += 1;
            listener.game();
            if done(&played) || count == games.len() {
                enough = Some(true);
            } else if left.is_some_and(|left| begun.elapsed().as_secs_f64() >= left) {
                enough = Some(false);
            }
            Ok(enough.is_some())
        })?;
        let folder = run.folder.display();
        let how = match run.config.rehearsal {
            Some(_) => "give the same command again".into(),
            None => format!("tuner resume {folder}"),
        };
        let place = || Stopped(format!("in {stage}; to go on: {how}"));
        enough.ok_or_else(|| place().into())
    }

    /// As [`Work::play`], and gives the results; nothing if there are not all.
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

    /// Plays a generation.
    fn generation(&mut self, number: u32) -> Result<()> {
        let run = &*self.run;
        let (pace, objective) = (run.config.pace, run.config.objective);
        let stage = Stage::Generation(number);
        let seeds = run.seeds(stage, pace.pairs.into());
        let average = run.state.average(number - 1);
        let average = average.map_or_else(|| run.space.start(), |at| run.space.contestant(at));
        let mut players = vec![run.space.start(), average];
        let mut games = Vec::new();
        for (pair, seed) in (0..pace.pairs).zip(seeds) {
            for point in run.search.pair(&pace, &run.space, pair) {
                let player = players.len();
                players.push(run.space.contestant(&run.space.values(&point)));
                games.push(Game { player, seed });
            }
        }
        let watched = run.seeds(stage, watched(&run.config).into());
        games.extend(each(watched, 2));
        let Some(played) = self.play_all(stage, &players, &games)? else {
            return self.happened(&Event::Stop(Reason::Time));
        };

        let (pairs, watched) = played.split_at(2 * pace.pairs as usize);
        let differences = of_pairs(pairs, |a, b| objective.of(a) - objective.of(b));
        let run = &mut *self.run;
        let slope = run.search.step(&pace, &run.space, &differences);
        let width: u64 = played.iter().map(|game| game.width).sum();
        let generation = Generation {
            generation: number,
            gain: mean(&of_pairs(watched, |a, b| b.log_score() - a.log_score())),
            start: mean(&of_pairs(watched, |start, _| start.points as f64)),
            width: width / played.len() as u64,
            slope,
            centre: run.space.values(&run.search.centre),
            average: run.space.values(&run.search.average),
        };
        self.happened(&Event::Generation(generation))
    }

    /// Plays the average against the best so far.
    fn challenge(&mut self, number: u32) -> Result<()> {
        let Run { config, state, .. } = &*self.run;
        let objective = config.objective;
        let generation = state.generations.len() as u32;
        let stage = Stage::Challenge(number);
        let seeds = self.run.seeds(stage, state.challenge_pairs());
        let players = [state.best(), generation].map(|of| self.run.player(of));
        let Some(played) = self.play_all(stage, &players, &each(seeds, 2))? else {
            return self.happened(&Event::Stop(Reason::Time));
        };
        self.happened(&Event::Challenge(Challenge {
            challenge: number,
            generation,
            pairs: played.len() / 2,
            gain: mean(&of_pairs(&played, |a, b| b.log_score() - a.log_score())),
            won: mean(&of_pairs(&played, |a, b| objective.of(b) - objective.of(a))) > 0.0,
        }))
    }

    /// Has the best play against the result so far at the gate, to the verdict.
    fn look(&mut self, number: u32) -> Result<()> {
        let Run { config, state, .. } = &*self.run;
        let (cases, generation) = (config.cases, state.best());
        let passed = state.passed();
        let (against, before) = passed.map_or((0, 0), |look| (look.look, look.generation));
        let stage = Stage::Look(number);
        let seeds = self.run.seeds(stage, config.most_pairs);
        let players = [before, generation].map(|of| self.run.player(of));
        let mut gate = Gate::new(number, config.objective);
        let (mut pairs, mut first) = (Vec::new(), None);
        self.play(stage, &players, &each(seeds, 2), |played| {
            let Some(a) = first.take() else {
                first = Some(played.points);
                return false;
            };
            let (b, seed) = (played.points, seeds.first() + pairs.len() as u64);
            let kind = kind(seed, &cases);
            pairs.push(Pair { kind, a, b });
            gate.test.add(a, b).is_some()
        })?;
        let last = seeds.first() + (pairs.len() as u64 - 1);
        self.run.table = Some(Table::new(gate.test.unit(), &pairs));
        let (low, high) = gate.test.interval();
        let change = gate.test.estimate();
        self.happened(&Event::Look(Look {
            look: number,
            generation,
            against,
            seeds: SeedRange::new(seeds.first(), last).expect("a gate sees pairs"),
            better: gate.passed(),
            percent: change.unwrap_or_default(),
            interval: (low, high),
            verdict: gate.told(&match against {
                0 => "the start".into(),
                look => format!("the result of judgement {look}"),
            }),
        }))
    }
}

/// A number of each two games that follow each other.
fn of_pairs(games: &[Played], number: impl Fn(&Played, &Played) -> f64) -> Vec<f64> {
    let pairs = games.chunks_exact(2);
    pairs.map(|pair| number(&pair[0], &pair[1])).collect()
}

/// The mean of some numbers.
pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
