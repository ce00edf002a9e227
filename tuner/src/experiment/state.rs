//! The state of a run after some of its stages, computed from the games.
//!
//! From time to time the average of the search challenges the best player so far, at first the start, on
//! separate seeds. If the average scores more, it becomes the best player. The games that choose the best
//! player are therefore not the games that guide the search, so a search that goes astray late does no harm.
//! The search stops when it has found nothing better for a long time, or at its limit on games or time. The
//! best player then plays against the start on held-out seeds, at the gate ([`gate`](columns_stats::gate)).
//! If it passes, it is the result; otherwise, the result is the start. In an extended run, a later player
//! must pass against the current result to replace it.

use super::config::RunConfig;
use super::stage::{Challenge, Generation, Judgement, StopReason};
use crate::game_result::FailedGames;
use crate::player::Player;
use crate::record::{RunHeader, RunLimits};
use crate::search::{Search, space::Space};
use anyhow::Result;
use columns_cases::digest::Digest;
use columns_stats::{Candidate, Estimate, gate::DEFAULT_MAX_PAIRS};

/// The number of generations over which [`RunState::estimate_recent_change`] averages.
pub const RECENT_GENERATIONS: usize = 20;

/// The distance between the first seeds of consecutive judgements, or of consecutive challenges. It is also
/// the maximum number of pairs of a judgement or a challenge.
pub(super) const SEED_STRIDE: u64 = 1_000_000;

/// The maximum number of a generation's seeds that the starting player and the averaged player also play.
const MONITORED_SEEDS: u32 = 4;

/// The number of games after which the first challenge is due. Each later challenge is due when the search
/// has played 1.5 times as many games as at the end of the previous challenge. When the search has stopped, a
/// last challenge is due, unless no generation has followed the previous challenge.
const FIRST_CHALLENGE_GAMES: u64 = 2000;

/// The number of search games per pair of a challenge: after 8000 games, a challenge has 100 pairs.
const GAMES_PER_CHALLENGE_PAIR: u64 = 80;
/// The minimum number of pairs of games in a challenge.
const MIN_CHALLENGE_PAIRS: u64 = 50;

/// The search stops after this number of generations plus [`PATIENCE_FACTOR`] times the generation of the
/// best player so far, unless the user has extended the search.
const PATIENCE: u32 = 120;
/// The number of further generations for each generation up to the best player so far: see [`PATIENCE`].
const PATIENCE_FACTOR: u32 = 3;

/// The configuration of a run, and the results of its stages so far.
#[derive(Debug, Clone)]
pub struct RunState {
    /// The configuration in the ledger's header. [`limits`](Self::limits) may have been raised since.
    pub config: RunConfig,
    /// Determines the seeds of the run: see [`RunConfig::compute_identity`].
    pub identity: Digest,
    /// The parameters that the search fits, and its start: see [`RunConfig::build_space`].
    pub space: Space,
    /// The search after the last generation.
    pub search: Search,
    /// The finished generations. The first has number 1.
    pub generations: Vec<Generation>,
    /// The challenges, each with the value of `search_game_count` at its end.
    pub challenges: Vec<(Challenge, u64)>,
    /// The judgements so far. When more pairs continue a judgement, the new entry replaces the old one.
    pub judgements: Vec<Judgement>,
    /// The games of the last judgement, and its tests; `None` before the first judgement.
    pub(super) judged_candidate: Option<Candidate>,
    /// Number of games of all generations and challenges so far.
    pub search_game_count: u64,
    /// The value of `search_game_count` at the end of each generation.
    pub cumulative_game_counts: Vec<u64>,
    /// The limits in force.
    pub limits: RunLimits,
    /// True if the user has extended the search, which then no longer stops for lack of progress.
    pub(super) is_extended: bool,
    /// The reason why the search has stopped; `None` while it continues.
    pub stop_reason: Option<StopReason>,
    /// True if the run needs no more games.
    pub has_ended: bool,
    /// The failed games of a program, over all stages.
    pub failed_games: FailedGames,
}

impl RunState {
    /// Creates the state before the first stage.
    ///
    /// # Errors
    /// Returns an error if [`RunConfig::build_space`] or [`RunConfig::compute_identity`] fails.
    pub fn new(config: RunConfig) -> Result<Self> {
        let space = config.build_space()?;
        Ok(Self {
            search: Search::new(space.axes().len()),
            identity: config.compute_identity()?,
            limits: config.limits(),
            config,
            space,
            generations: Vec::new(),
            challenges: Vec::new(),
            judgements: Vec::new(),
            judged_candidate: None,
            search_game_count: 0,
            cumulative_game_counts: Vec::new(),
            is_extended: false,
            stop_reason: None,
            has_ended: false,
            failed_games: FailedGames::default(),
        })
    }

    /// True if the search has played enough games since the previous challenge to play the next one.
    pub(super) fn is_challenge_due(&self) -> bool {
        let games = self.challenges.last().map_or(0, |(_, games)| *games);
        self.search_game_count >= FIRST_CHALLENGE_GAMES.max(games * 3 / 2)
    }

    /// True if generations have followed the last challenge.
    pub(super) fn is_unchallenged(&self) -> bool {
        let challenged = self.challenges.last();
        let challenged = challenged.map_or(0, |(challenge, _)| challenge.generation);
        challenged < self.generations.len() as u32
    }

    /// Returns the number of the judgement to play next: a new judgement if the best has not been judged, or
    /// the last judgement if it is open and below the limit on pairs. Returns `None` if no judgement is due.
    pub(super) fn due_judgement(&self) -> Option<u32> {
        let count = self.judgements.len() as u32;
        let judged = self.judgements.last().map_or(0, |last| last.generation);
        let max_pairs = self.max_pairs().into();
        let continues = |last: &Judgement| last.is_open && last.seeds.count() < max_pairs;
        if self.best_generation() > judged {
            Some(count + 1)
        } else {
            self.judgements
                .last()
                .is_some_and(continues)
                .then_some(count)
        }
    }

    /// Returns the limit on the pairs of a judgement.
    pub fn max_pairs(&self) -> u64 {
        self.limits.max_pairs.unwrap_or(DEFAULT_MAX_PAIRS)
    }

    /// Returns the reason to stop the search; `None` if it should continue.
    pub(super) fn find_stop_reason(&self, is_time_up: bool) -> Option<StopReason> {
        let needed = self.games_after_next_generation(self.search_game_count);
        if self.limits.max_games.is_some_and(|max| needed > max) {
            Some(StopReason::GameLimit)
        } else if is_time_up {
            Some(StopReason::TimeLimit)
        } else if !self.is_extended
            && self.generations.len() as u32 >= PATIENCE + PATIENCE_FACTOR * self.best_generation()
        {
            Some(StopReason::NothingBetter)
        } else {
            None
        }
    }

    /// Returns the total number of games if the search plays another generation and a challenge after `count`
    /// games. Assumes that the challenge is as large as one after `count` games, so the total may be slightly
    /// too low. The next generation begins only if the limit on games allows this total.
    fn games_after_next_generation(&self, count: u64) -> u64 {
        count + generation_game_count(&self.config) + 2 * challenge_pair_count(count)
    }

    /// Returns the smallest limit on games that lets a stopped search play another generation.
    pub fn min_extended_games(&self) -> u64 {
        let last = 2 * self.challenge_pair_count();
        let last = if self.is_unchallenged() { last } else { 0 };
        self.games_after_next_generation(self.search_game_count + last)
    }

    /// Returns the number of pairs of games in a challenge that begins now: at most a million, so that no two
    /// challenges share a seed.
    pub fn challenge_pair_count(&self) -> u64 {
        challenge_pair_count(self.search_game_count)
    }

    /// Returns the generation whose average is the best so far; 0 for the start.
    pub fn best_generation(&self) -> u32 {
        let mut challenges = self.challenges.iter().rev().map(|(challenge, _)| challenge);
        let won = challenges.find(|challenge| challenge.is_won);
        won.map_or(0, |challenge| challenge.generation)
    }

    /// Returns the last judgement whose player passed the gate; that player is the result.
    pub fn last_passing_judgement(&self) -> Option<&Judgement> {
        self.judgements
            .iter()
            .rev()
            .find(|judgement| judgement.passes(&self.limits))
    }

    /// Returns the average after a generation, one value for each axis; `None` for generation 0, the start.
    pub fn average(&self, generation: u32) -> Option<&[f64]> {
        let index = (generation as usize).checked_sub(1)?;
        let generation = self.generations.get(index)?;
        Some(&generation.average)
    }

    /// Returns the player whose values are the average after a generation, rounded as in a result. Generation
    /// 0 is the start.
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
            .flat_map(|generation| &generation.monitored_points);
        let pairs: Vec<_> = pairs.copied().collect();
        self.config.objective.estimate(1, &pairs)
    }
}

/// Returns the number of pairs of games in a challenge after this number of games.
fn challenge_pair_count(game_count: u64) -> u64 {
    (game_count / GAMES_PER_CHALLENGE_PAIR).clamp(MIN_CHALLENGE_PAIRS, SEED_STRIDE)
}

/// Returns the number of a generation's seeds that the starting player and the averaged player also play.
pub fn monitored_seed_count(config: &RunConfig) -> u32 {
    MONITORED_SEEDS.min(config.settings.pairs_per_generation)
}

/// Returns the number of games in a generation: those of its mirrored pairs, and those that the starting
/// player and the averaged player play on the monitored seeds.
pub(crate) fn generation_game_count(config: &RunConfig) -> u64 {
    2 * (u64::from(config.settings.pairs_per_generation) + u64::from(monitored_seed_count(config)))
}

/// Returns the minimum number of games of a search: a generation and a challenge.
pub fn min_game_count(config: &RunConfig) -> u64 {
    generation_game_count(config) + 2 * MIN_CHALLENGE_PAIRS
}
