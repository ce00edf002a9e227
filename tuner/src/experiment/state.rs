//! How far a run has come, and what comes next: both follow from its configuration and the events
//! so far.
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
use crate::units::Objective;
use columns_stats::Estimate;

/// The number of generations that [`recent`] takes the mean of.
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

/// The events of a run so far, but for the games of a stage that has not ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// The starts that were drawn for a rehearsal; the last one is that of the fit.
    pub draws: Vec<Draw>,
    /// The generations.
    pub generations: Vec<Generation>,
    /// The challenges, each with the games of the run when it had ended.
    pub challenges: Vec<(Challenge, u64)>,
    /// The looks.
    pub looks: Vec<Look>,
    /// What a rehearsal has recovered.
    pub recovery: Option<Recovery>,
    /// Games of generations and challenges.
    pub games: u64,
    /// The same after each generation.
    pub games_after: Vec<u64>,
    /// The limits of the search.
    pub limits: Limits,
    /// Whether the user has extended the run.
    pub extended: bool,
    /// Why the search has stopped, if it has.
    pub stopped: Option<Reason>,
}

impl State {
    /// Before the first event.
    pub fn new(config: &Config) -> Self {
        Self {
            limits: config.limits,
            ..Self::default()
        }
    }

    /// Takes the next event.
    pub fn apply(&mut self, config: &Config, event: &Event) {
        match event {
            // It counts when its stage has ended.
            Event::Game { .. } => {}
            Event::Draw(draw) => self.draws.push(draw.clone()),
            Event::Generation(generation) => {
                self.games += generation_games(config);
                self.games_after.push(self.games);
                self.generations.push(generation.clone());
            }
            Event::Challenge(challenge) => {
                self.games += 2 * challenge.pairs as u64;
                self.challenges.push((challenge.clone(), self.games));
            }
            Event::Stop(reason) => self.stopped = Some(*reason),
            Event::Look(look) => self.looks.push(look.clone()),
            Event::Recovery(recovery) => self.recovery = Some(*recovery),
            Event::Extend(limits) => {
                self.limits = *limits;
                self.extended = true;
                self.stopped = None;
            }
        }
    }

    /// What comes next; `time_is_up` if the time of the search is over.
    pub fn next(&self, config: &Config, time_is_up: bool) -> Next {
        let draw_is_bad = |draw: &Draw| draw.percent <= -LOSS;
        if config.rehearsal.is_some() && !self.draws.last().is_some_and(draw_is_bad) {
            return Next::Play(Stage::Draw(self.draws.len() as u32 + 1));
        }
        let generation = self.generations.len() as u32;
        let challenge = Next::Play(Stage::Challenge(self.challenges.len() as u32 + 1));
        if self.stopped.is_none() {
            let due = self.challenges.last().map_or(0, |(_, games)| games * 3 / 2);
            return match self.reason(config, time_is_up) {
                Some(reason) => Next::Stop(reason),
                None if self.games >= due.max(FIRST_CHALLENGE) => challenge,
                None => Next::Play(Stage::Generation(generation + 1)),
            };
        }
        if self.challenged() < generation {
            return challenge;
        }
        if self.best() > self.looks.last().map_or(0, |look| look.generation) {
            return Next::Play(Stage::Look(self.looks.len() as u32 + 1));
        }
        if config.rehearsal.is_some() && self.recovery.is_none() {
            return Next::Play(Stage::Recovery);
        }
        Next::End
    }

    /// Why the search should not go on, if so.
    fn reason(&self, config: &Config, time_is_up: bool) -> Option<Reason> {
        let last = 2 * self.challenge_pairs();
        if self.games + generation_games(config) + last > self.limits.games {
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
}

/// The mean of [`Generation::gain`] over the last of some generations: what the average of the
/// search scores against the start, in percent. `None` before the first generation.
pub fn recent(generations: &[Generation]) -> Option<Estimate> {
    let last = &generations[generations.len().saturating_sub(RECENT)..];
    let gains: Vec<f64> = last.iter().map(|generation| generation.gain).collect();
    let percent = |gain| Objective::Log.percent(gain);
    (!gains.is_empty()).then(|| Estimate::of(&gains).map(percent))
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
pub fn generation_games(config: &Config) -> u64 {
    2 * (u64::from(config.pace.pairs) + u64::from(watched(config)))
}
