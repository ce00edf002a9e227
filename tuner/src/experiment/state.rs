//! How far a run has come, and what comes next: both follow from its configuration and the events
//! so far. Three events of a ledger, and what they change:
//!
//! ```json
//! {"crc":"…","game":{"player":0,"seed":7,"played":{…}}}      one more game of generation 1
//! {"crc":"…","generation":{"generation":1,"slope":[…],…}}    the search moves along the slope
//! {"crc":"…","challenge":{"challenge":1,"won":true,…}}       the average is the best from now on
//! ```
//!
//! From time to time the average of the search plays against the best so far, which at first is the
//! start: a challenge, on seeds of its own. The average is the best from then on if it scores more.
//! So the result is chosen by games that had no part in finding it, and a search that goes astray
//! late does no harm. The search stops when it has found nothing better for long, or when its games
//! or its time are used up. The best then plays against the start on held-out seeds, at the gate
//! ([`gate`](crate::stats::gate)). What has passed is the result, and the best of a run that was
//! extended has to pass against it; if nothing passes, the start is the result.

use super::config::{Config, Limits};
use super::event::{Challenge, Draw, Event, Generation, Look, Reason, Recovery, Stage};
use crate::game::{Losses, Played};
use crate::search::{space::Space, Search};
use crate::{contestant::Contestant, executor::Game};
use anyhow::Result;
use columns_stats::Estimate;

/// The number of generations that [`State::recent`] takes the mean of.
pub const RECENT: usize = 20;

/// The number of seeds of each generation that the start and the average play as well.
const WATCHED: u32 = 4;

/// The number of games before the first challenge. Each later challenge comes when the number of
/// games is one and a half times that at the challenge before.
const FIRST_CHALLENGE: u64 = 2000;

/// A challenge plays one pair of games for this many games of the run, and at least
/// [`FEWEST_PAIRS`].
const GAMES_A_PAIR: u64 = 80;
/// See [`GAMES_A_PAIR`].
const FEWEST_PAIRS: u64 = 50;

/// The search stops after this number of generations and [`PATIENT`] times the number that the best
/// needed.
const PATIENCE: u32 = 120;
/// See [`PATIENCE`].
const PATIENT: u32 = 3;

/// A start of a rehearsal loses at least this much of the score, in percent.
pub const LOSS: f64 = 12.0;

/// What comes next in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Games.
    Play(Stage),
    /// The search stops.
    Stop(Reason),
    /// Nothing: the run has ended.
    End,
}

/// A run so far: its configuration, and what its events have made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// All that decides the outcome.
    pub config: Config,
    /// The space that is searched; a rehearsal moves its start.
    pub space: Space,
    /// The search after the last generation.
    pub search: Search,
    /// The starts that were drawn for a rehearsal; the last one is that of the fit.
    pub draws: Vec<Draw>,
    /// The generations.
    pub generations: Vec<Generation>,
    /// The challenges, each with the games of the run when it had ended.
    pub challenges: Vec<(Challenge, u64)>,
    /// The judgements.
    pub looks: Vec<Look>,
    /// What a rehearsal has recovered.
    pub recovery: Option<Recovery>,
    /// Games of generations and challenges.
    pub games: u64,
    /// The same after each generation.
    pub games_after: Vec<u64>,
    /// What the run may spend.
    pub limits: Limits,
    /// Whether the user has extended the search.
    pub extended: bool,
    /// Why the search has stopped, if it has.
    pub stopped: Option<Reason>,
    /// The lost games of a program, over all stages.
    pub losses: Losses,
    /// Seconds that all processes have worked on the run, if its time is limited.
    pub seconds: f64,
    /// The games of the stage that has not ended.
    pending: Vec<(Game, Played)>,
    /// The games of the last judgement.
    pub(super) judged: Vec<(Game, Played)>,
}

impl State {
    /// Before the first event.
    ///
    /// # Errors
    /// If this build does not have the space of the run.
    pub fn new(config: Config) -> Result<Self> {
        let space = config.space()?;
        Ok(Self {
            search: Search::new(space.axes().len()),
            limits: config.limits,
            config,
            space,
            draws: Vec::new(),
            generations: Vec::new(),
            challenges: Vec::new(),
            looks: Vec::new(),
            recovery: None,
            games: 0,
            games_after: Vec::new(),
            extended: false,
            stopped: None,
            losses: Losses::default(),
            seconds: 0.0,
            pending: Vec::new(),
            judged: Vec::new(),
        })
    }

    /// Takes the next event.
    pub fn apply(&mut self, event: Event) {
        match event {
            Event::Game {
                player,
                seed,
                played,
            } => {
                self.losses.add(seed, &played);
                self.pending.push((Game { player, seed }, played));
                return;
            }
            Event::Worked(seconds) => {
                self.seconds = seconds;
                return;
            }
            Event::Extend(limits) => return self.extend(limits),
            Event::Draw(draw) => {
                self.space = self.space.from(&draw.values);
                self.draws.push(draw);
            }
            Event::Generation(generation) => {
                let pace = &self.config.pace;
                self.search.follow(pace, &self.space, &generation.slope);
                self.games += generation_games(&self.config);
                self.games_after.push(self.games);
                self.generations.push(generation);
            }
            Event::Challenge(challenge) => {
                self.games += 2 * challenge.pairs as u64;
                self.challenges.push((challenge, self.games));
            }
            Event::Stop(reason) => self.stopped = Some(reason),
            Event::Look(look) => {
                let same = self.looks.len() as u32 == look.look;
                if same {
                    self.looks.pop();
                } else {
                    self.judged.clear();
                }
                self.judged.append(&mut self.pending);
                self.looks.push(look);
            }
            Event::Recovery(recovery) => self.recovery = Some(recovery),
        }
        // The games of a stage that time has ended do not count.
        self.pending.clear();
    }

    fn extend(&mut self, limits: Limits) {
        let search = |limits: Limits| (limits.games, limits.seconds);
        if search(limits) != search(self.limits) {
            self.extended = true;
            self.stopped = None;
        }
        self.limits = limits;
    }

    /// The games of a stage that have been played. A judgement that continues has those before.
    pub(super) fn played(&self, stage: Stage) -> Vec<(Game, Played)> {
        match stage {
            Stage::Look(number) if number == self.looks.len() as u32 => {
                [&self.judged[..], &self.pending[..]].concat()
            }
            _ => self.pending.clone(),
        }
    }

    /// What comes next; `time_is_up` if the time of the search is over.
    pub fn next(&self, time_is_up: bool) -> Next {
        let config = &self.config;
        let draw_is_bad = |draw: &Draw| draw.percent <= -LOSS;
        if config.rehearsal.is_some() && !self.draws.last().is_some_and(draw_is_bad) {
            return Next::Play(Stage::Draw(self.draws.len() as u32 + 1));
        }
        let generation = self.generations.len() as u32;
        let challenge = Next::Play(Stage::Challenge(self.challenges.len() as u32 + 1));
        if self.stopped.is_none() {
            let due = self.challenges.last().map_or(0, |(_, games)| games * 3 / 2);
            return match self.reason(time_is_up) {
                Some(reason) => Next::Stop(reason),
                None if self.games >= due.max(FIRST_CHALLENGE) => challenge,
                None => Next::Play(Stage::Generation(generation + 1)),
            };
        }
        if self.challenged() < generation {
            return challenge;
        }
        if let Some(look) = self.due_look() {
            return Next::Play(Stage::Look(look));
        }
        if config.rehearsal.is_some() && self.recovery.is_none() {
            return Next::Play(Stage::Recovery);
        }
        Next::End
    }

    /// The judgement that is due: of a best that was not judged yet, or one that more pairs may
    /// decide.
    fn due_look(&self) -> Option<u32> {
        let count = self.looks.len() as u32;
        let judged = self.looks.last().map_or(0, |look| look.generation);
        let continues = |look: &Look| look.open && look.seeds.count() < self.limits.pairs.into();
        if self.best() > judged {
            Some(count + 1)
        } else {
            self.looks.last().is_some_and(continues).then_some(count)
        }
    }

    /// Why the search should not continue, if so.
    fn reason(&self, time_is_up: bool) -> Option<Reason> {
        let last = 2 * self.challenge_pairs();
        if self.games + generation_games(&self.config) + last > self.limits.games {
            Some(Reason::Games)
        } else if time_is_up {
            Some(Reason::Time)
        } else if !self.extended
            && self.generations.len() as u32 >= PATIENCE + PATIENT * self.best()
        {
            Some(Reason::NothingBetter)
        } else {
            None
        }
    }

    /// Pairs of games of a challenge now.
    pub fn challenge_pairs(&self) -> u64 {
        (self.games / GAMES_A_PAIR).max(FEWEST_PAIRS)
    }

    /// The generation before the last challenge.
    fn challenged(&self) -> u32 {
        let last = self.challenges.last();
        last.map_or(0, |(challenge, _)| challenge.generation)
    }

    /// The generation whose average is the best so far; 0 for the start.
    pub fn best(&self) -> u32 {
        let mut challenges = self.challenges.iter().rev().map(|(challenge, _)| challenge);
        let won = challenges.find(|challenge| challenge.won);
        won.map_or(0, |challenge| challenge.generation)
    }

    /// The last look that was passed: what it judged is the result.
    pub fn passed(&self) -> Option<&Look> {
        self.looks.iter().rev().find(|look| look.better)
    }

    /// The average after a generation, a value for each axis; `None` for generation 0, the start.
    pub fn average(&self, generation: u32) -> Option<&[f64]> {
        let index = (generation as usize).checked_sub(1)?;
        let generation = self.generations.get(index)?;
        Some(&generation.average)
    }

    /// The player of the average after a generation, rounded as it is when it is the result; the
    /// start for generation 0.
    pub fn player(&self, generation: u32) -> Contestant {
        let values = self.space.rounded(self.average(generation));
        self.space.contestant(&values)
    }

    /// What the average of the search scored against the start in the last generations up to this
    /// one, in percent. `None` before the first generation.
    pub fn recent(&self, generation: usize) -> Option<Estimate> {
        let last = &self.generations[generation.saturating_sub(RECENT)..generation];
        let gains: Vec<f64> = last.iter().map(|generation| generation.gain).collect();
        let percent = |gain| self.config.objective.percent(gain);
        (!gains.is_empty()).then(|| Estimate::of(&gains).map(percent))
    }
}

/// An estimate in percent in words, such as `+1.20 % (+0.50 to +1.90 %)`.
pub fn told(estimate: &Estimate) -> String {
    let interval = estimate.interval.map_or(String::new(), |(low, high)| {
        format!(" ({low:+.2} to {high:+.2} %)")
    });
    format!("{:+.2} %{interval}", estimate.mean)
}

/// The seeds of a generation that the start and the average play as well.
pub fn watched(config: &Config) -> u32 {
    WATCHED.min(config.pace.pairs)
}

/// Games of a generation.
fn generation_games(config: &Config) -> u64 {
    2 * (u64::from(config.pace.pairs) + u64::from(watched(config)))
}

/// The fewest games that a search needs: those of a generation and of a challenge.
pub fn fewest_games(config: &Config) -> u64 {
    generation_games(config) + 2 * FEWEST_PAIRS
}
