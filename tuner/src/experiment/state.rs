//! The state of a run. Its configuration and its events determine the state. The state determines the next
//! step, unless the time limit ends the search. Three events of a ledger, and their effects:
//!
//! ```json
//! {"crc":"…","game":{"player":0,"seed":7,"played":{…}}}      one more game of generation 1
//! {"crc":"…","generation":{"generation":1,"gradient":[…],…}}    the search moves along the gradient
//! {"crc":"…","challenge":{"challenge":1,"won":true,…}}       the average becomes the best
//! ```
//!
//! From time to time the average of the search challenges the best so far on separate seeds. The first best
//! is the start. The average becomes the best if it scores more. So the games that choose the best did not
//! guide the search, and a search that goes astray late does no harm. The search stops when it has found
//! nothing better for a long time, or at its limit on games or time. The best then plays against the start on
//! held-out seeds, at the gate ([`gate`](columns_stats::gate)). A best that passes is the result; in an
//! extended run, a later best must pass against that result. If nothing passes, the start is the result.

use super::config::{RunConfig, RunLimits};
use super::event::{Challenge, Event, Generation, Judgement, Stage, StopReason};
use crate::game_result::FailedGames;
use crate::search::{Search, space::Space};
use crate::{executor::GameRecord, player::Player};
use anyhow::Result;
use columns_stats::Estimate;

/// The number of generations over which [`RunState::estimate_recent_change`] averages.
pub const RECENT_GENERATIONS: usize = 20;

/// The distance between the first seeds of consecutive judgements, or of consecutive challenges. It is also
/// the maximum number of pairs of a judgement or a challenge.
pub(super) const SEED_STRIDE: u64 = 1_000_000;

/// The maximum number of seeds of each generation that the start and the average also play.
const WATCHED_SEEDS: u32 = 4;

/// The number of games from which the first challenge is due. Each later challenge is due when the search has
/// 1.5 times as many games as after the previous challenge. When the search has stopped, a last challenge is
/// due, unless no generation has followed the previous one.
const FIRST_CHALLENGE_GAMES: u64 = 2000;

/// The size of a challenge: one pair of games for this number of games that the search has played.
const GAMES_PER_CHALLENGE_PAIR: u64 = 80;
/// The minimum number of pairs of games of a challenge.
const MIN_CHALLENGE_PAIRS: u64 = 50;

/// The search stops after this number of generations plus [`PATIENCE_FACTOR`] times the generation of the
/// best so far, unless the user has extended the search.
const PATIENCE: u32 = 120;
/// The number of further generations for each generation up to the best so far: see [`PATIENCE`].
const PATIENCE_FACTOR: u32 = 3;

/// The next step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// Play the games of this stage.
    Play(Stage),
    /// Stop the search for this reason.
    Stop(StopReason),
    /// Nothing: the run has ended.
    End,
}

/// The configuration of a run, and the effects of its events so far.
#[derive(Debug, Clone, PartialEq)]
pub struct RunState {
    /// The configuration with which the run began.
    pub config: RunConfig,
    /// The space of the search.
    pub space: Space,
    /// The search after the last generation.
    pub search: Search,
    /// The generations that have ended, from number 1.
    pub generations: Vec<Generation>,
    /// The challenges, each with the value of `search_game_count` at its end.
    pub challenges: Vec<(Challenge, u64)>,
    /// The judgements so far. When more pairs continue a judgement, the new entry replaces the old one.
    pub judgements: Vec<Judgement>,
    /// Number of games of all generations and challenges so far.
    pub search_game_count: u64,
    /// The value of `search_game_count` at the end of each generation.
    pub search_game_counts: Vec<u64>,
    /// The limits, with all extensions.
    pub limits: RunLimits,
    /// True if the user has extended the search.
    pub is_extended: bool,
    /// Why the search has stopped; `None` while it continues.
    pub stop_reason: Option<StopReason>,
    /// The failed games of a program, over all stages.
    pub failed_games: FailedGames,
    /// Seconds that all processes together have worked on the run, as last recorded. Recorded only if
    /// the run has a time limit.
    pub seconds_worked: f64,
    /// The games so far of the stage in progress.
    pending: Vec<GameRecord>,
    /// The games of the last judgement.
    pub(super) judged_games: Vec<GameRecord>,
}

impl RunState {
    /// Creates the state before the first event.
    ///
    /// # Errors
    /// Returns an error if [`RunConfig::build_space`] fails.
    pub fn new(config: RunConfig) -> Result<Self> {
        let space = config.build_space()?;
        Ok(Self {
            search: Search::new(space.axes().len()),
            limits: config.limits,
            config,
            space,
            generations: Vec::new(),
            challenges: Vec::new(),
            judgements: Vec::new(),
            search_game_count: 0,
            search_game_counts: Vec::new(),
            is_extended: false,
            stop_reason: None,
            failed_games: FailedGames::default(),
            seconds_worked: 0.0,
            pending: Vec::new(),
            judged_games: Vec::new(),
        })
    }

    /// Applies the next event of the ledger.
    pub fn apply(&mut self, event: Event) {
        match event {
            Event::Game(record) => {
                self.failed_games.add(record.seed, &record.result);
                self.pending.push(record);
                return;
            }
            Event::WorkingTime(seconds) => {
                self.seconds_worked = seconds;
                return;
            }
            Event::Extend(limits) => return self.extend(limits),
            Event::Generation(generation) => {
                let settings = &self.config.settings;
                self.search
                    .apply_gradient(settings, &self.space, &generation.gradient);
                self.search_game_count += generation_game_count(&self.config);
                self.search_game_counts.push(self.search_game_count);
                self.generations.push(generation);
            }
            Event::Challenge(challenge) => {
                self.search_game_count += 2 * challenge.pair_count as u64;
                self.challenges.push((challenge, self.search_game_count));
            }
            Event::Stop(reason) => self.stop_reason = Some(reason),
            Event::Judgement(judgement) => {
                if self.is_last_judgement(judgement.number) {
                    self.judgements.pop();
                } else {
                    self.judged_games.clear();
                }
                self.judged_games.append(&mut self.pending);
                self.judgements.push(judgement);
            }
        }
        // The stage has ended. If the time limit has ended it, its games do not count.
        self.pending.clear();
    }

    fn extend(&mut self, limits: RunLimits) {
        let search = |limits: RunLimits| (limits.max_games, limits.max_seconds);
        if search(limits) != search(self.limits) {
            self.is_extended = true;
            self.stop_reason = None;
        }
        self.limits = limits;
    }

    /// True if this is the number of the last judgement so far. More pairs may continue that judgement.
    fn is_last_judgement(&self, number: u32) -> bool {
        self.judgements.len() as u32 == number
    }

    /// Returns the games of a stage so far. A continued judgement includes its earlier games.
    pub(super) fn stage_games(&self, stage: Stage) -> Vec<GameRecord> {
        match stage {
            Stage::Judgement(number) if self.is_last_judgement(number) => {
                [&self.judged_games[..], &self.pending[..]].concat()
            }
            _ => self.pending.clone(),
        }
    }

    /// Returns the number of games of the search and the judgements, with those of the stage in
    /// progress.
    pub fn total_game_count(&self) -> u64 {
        let judged = self
            .judgements
            .iter()
            .map(|judgement| 2 * judgement.seeds.count() as u64);
        self.search_game_count + judged.sum::<u64>() + self.pending.len() as u64
    }

    /// Returns the next step. `time_is_up` is true if the time limit of the search has been
    /// reached.
    pub fn next_step(&self, time_is_up: bool) -> NextStep {
        let generation = self.generations.len() as u32;
        let challenge = NextStep::Play(Stage::Challenge(self.challenges.len() as u32 + 1));
        let (challenged, games) = self
            .challenges
            .last()
            .map_or((0, 0), |(challenge, games)| (challenge.generation, *games));
        if self.stop_reason.is_none() {
            return match self.reason(time_is_up) {
                Some(reason) => NextStep::Stop(reason),
                None if self.search_game_count >= FIRST_CHALLENGE_GAMES.max(games * 3 / 2) => {
                    challenge
                }
                None => NextStep::Play(Stage::Generation(generation + 1)),
            };
        }
        if challenged < generation {
            return challenge;
        }
        match self.due_judgement() {
            Some(number) => NextStep::Play(Stage::Judgement(number)),
            None => NextStep::End,
        }
    }

    /// Returns the number of the judgement to play next: a new judgement if the best has not been judged, or
    /// the last one if it is open and below the limit on pairs. `None` if no judgement is due.
    fn due_judgement(&self) -> Option<u32> {
        let count = self.judgements.len() as u32;
        let judged = self.judgements.last().map_or(0, |last| last.generation);
        let most = self.limits.max_pairs.into();
        let continues = |last: &Judgement| last.is_open && last.seeds.count() < most;
        if self.best_generation() > judged {
            Some(count + 1)
        } else {
            self.judgements
                .last()
                .is_some_and(continues)
                .then_some(count)
        }
    }

    /// Returns the reason to stop the search; `None` if it should continue.
    fn reason(&self, time_is_up: bool) -> Option<StopReason> {
        let last = 2 * self.challenge_pair_count();
        let games = self.search_game_count + generation_game_count(&self.config) + last;
        if self.limits.max_games.is_some_and(|most| games > most) {
            Some(StopReason::GameLimit)
        } else if time_is_up {
            Some(StopReason::TimeLimit)
        } else if !self.is_extended
            && self.generations.len() as u32 >= PATIENCE + PATIENCE_FACTOR * self.best_generation()
        {
            Some(StopReason::NothingBetter)
        } else {
            None
        }
    }

    /// Returns the number of pairs of games of a challenge that begins now: at most a million, so that no two
    /// challenges share a seed.
    pub fn challenge_pair_count(&self) -> u64 {
        let count = self.search_game_count / GAMES_PER_CHALLENGE_PAIR;
        count.clamp(MIN_CHALLENGE_PAIRS, SEED_STRIDE)
    }

    /// Returns the generation whose average is the best so far; 0 for the start.
    pub fn best_generation(&self) -> u32 {
        let mut challenges = self.challenges.iter().rev().map(|(challenge, _)| challenge);
        let won = challenges.find(|challenge| challenge.is_won);
        won.map_or(0, |challenge| challenge.generation)
    }

    /// Returns the last judgement whose player passed the gate; that player is the result.
    pub fn passed_judgement(&self) -> Option<&Judgement> {
        self.judgements
            .iter()
            .rev()
            .find(|judgement| judgement.is_better)
    }

    /// Returns the average after a generation, one value for each axis; `None` for generation 0, the start.
    pub fn average(&self, generation: u32) -> Option<&[f64]> {
        let index = (generation as usize).checked_sub(1)?;
        let generation = self.generations.get(index)?;
        Some(&generation.average)
    }

    /// Returns the player that the average after a generation describes, rounded as in a result. Generation 0
    /// is the start.
    pub fn player(&self, generation: u32) -> Player {
        let values = self.space.rounded_or_start(self.average(generation));
        self.space.player(&values)
    }

    /// Returns the mean width of the beams over all generations; `None` before the first one, and for a
    /// program.
    pub fn mean_beam_width(&self) -> Option<f64> {
        let sum: u64 = self.generations.iter().map(|one| one.mean_beam_width).sum();
        (sum > 0).then(|| sum as f64 / self.generations.len() as f64)
    }

    /// Estimates the change in the score in percent, from the start to the average of the search. The
    /// estimate covers the last [`RECENT_GENERATIONS`] generations up to `generation`. `None` if no pair of
    /// these games can be compared, or before the first generation.
    pub fn estimate_recent_change(&self, generation: usize) -> Option<Estimate> {
        let last = &self.generations[generation.saturating_sub(RECENT_GENERATIONS)..generation];
        let pairs = last
            .iter()
            .flat_map(|generation| &generation.watched_points);
        let pairs: Vec<_> = pairs.copied().collect();
        self.config.objective.estimate(1, &pairs)
    }
}

/// Returns the number of seeds of a generation that the start and the average also play.
pub fn watched_seed_count(config: &RunConfig) -> u32 {
    WATCHED_SEEDS.min(config.settings.pairs_per_generation)
}

/// Returns the number of games of a generation: those of its mirrored pairs, and those of the start and the
/// average on the watched seeds.
fn generation_game_count(config: &RunConfig) -> u64 {
    2 * (u64::from(config.settings.pairs_per_generation) + u64::from(watched_seed_count(config)))
}

/// Returns the minimum number of games of a search: a generation and a challenge.
pub fn min_game_count(config: &RunConfig) -> u64 {
    generation_game_count(config) + 2 * MIN_CHALLENGE_PAIRS
}
