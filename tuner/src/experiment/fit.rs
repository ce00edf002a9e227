//! The course of a fit, from its first game to the verdict.
//!
//! ```text
//! until the search has reached a limit:
//!     propose players, play a generation, move along the gradient
//!     from time to time: challenge the best so far
//! challenge the best so far, judge the best; with raised limits, continue the search
//! ```
//!
//! The fit is a function of its [`Games`], so it resumes by replaying its record. A stage keeps the limits
//! that were in force when it began, except the time limit: a raised time limit takes effect within a stage.

use super::stage::{Challenge, Generation, Judgement, Stage, StopReason};
use super::state::{RunState, monitored_seed_count};
use crate::executor::{Game, list_games};
use crate::game_result::{GameResult, generate_pair};
use crate::games::{GameRequest, Games};
use crate::player::Player;
use crate::record::Record;
use anyhow::Result;
use columns_cases::seeds::SeedRange;
use columns_stats::{Verdict, gate};

/// Receives the progress of a run while this process plays its games.
pub trait ProgressListener {
    /// Called when a stage of at most `game_count` games begins or resumes. Earlier processes have already
    /// played `recorded_count` of these games.
    fn on_stage_begin(&mut self, _stage: Stage, _game_count: usize, _recorded_count: usize) {}
    /// Called after each game that this process plays.
    fn on_game(&mut self) {}
    /// Called after each stage, and when the search has stopped. `stage` is the stage that has ended. It is
    /// `None` if the search has stopped, either between two stages or at its time limit within a stage.
    fn on_stage_end(&mut self, _state: &RunState, _record: &Record, _stage: Option<Stage>) {}
}

/// Ignores all progress.
impl ProgressListener for () {}

/// A fit in progress: its state, its games, and its progress listener.
pub(super) struct Fit<'f, 'a> {
    pub(super) state: &'f mut RunState,
    pub(super) games: &'f mut Games<'a>,
    pub(super) listener: &'f mut dyn ProgressListener,
}

impl Fit<'_, '_> {
    /// Plays until the run needs no more games.
    ///
    /// # Errors
    /// Returns an error if games cannot be played. The state is then the state after the last complete stage.
    /// After the error [`EndOfRecord`](crate::games::EndOfRecord), the position of the record matches this
    /// state, so the caller may continue with other [`Games`] of the same record.
    pub(super) fn run(&mut self) -> Result<()> {
        self.state.has_ended = false;
        loop {
            self.search()?;
            if self.state.is_unchallenged() {
                self.play_challenge(false)?;
            } else if let Some(number) = self.state.due_judgement() {
                self.play_judgement(number)?;
            } else {
                self.state.has_ended = true;
                return Ok(());
            }
        }
    }

    /// Plays generations and challenges until there is a reason to stop the search.
    fn search(&mut self) -> Result<()> {
        loop {
            self.update_limits()?;
            if self.state.stop_reason.is_some() {
                return Ok(());
            }
            let is_time_up = self.games.record.is_time_up();
            let mut reason = self.state.find_stop_reason(is_time_up);
            if reason.is_none() {
                let is_in_time = if self.state.is_challenge_due() {
                    self.play_challenge(true)?
                } else {
                    self.play_generation()?
                };
                reason = (!is_in_time).then_some(StopReason::TimeLimit);
            }
            if reason.is_some() {
                self.state.stop_reason = reason;
                if self.games.is_live() && !self.games.record.is_time_up() {
                    self.games.record.record_clock()?;
                }
                self.report(None)?;
            }
        }
    }

    /// Applies the limits that are in force at this position of the record. If the limits of the search have
    /// been raised, a stopped search continues.
    fn update_limits(&mut self) -> Result<()> {
        self.games.record.skip_to_game();
        let is_live = self.games.is_live();
        let record = &mut *self.games.record;
        if record.take_extension() && self.state.stop_reason.take().is_some() && is_live {
            record.restart_clock();
        }
        if is_live && self.state.stop_reason.is_none() {
            record.check_clock()?;
        }
        self.state.limits = *record.limits();
        self.state.is_extended = record.is_extended();
        Ok(())
    }

    /// Reports the end of a stage, or of the search if `stage` is `None`. Does nothing while the run replays
    /// the games of earlier processes.
    fn report(&mut self, stage: Option<Stage>) -> Result<()> {
        if self.games.is_live() {
            self.games.record.sync()?;
            let (state, record) = (&*self.state, &*self.games.record);
            self.listener.on_stage_end(state, record, stage);
        }
        Ok(())
    }

    /// Plays the games of a stage until the stage needs no more games. Returns the results; `None` if the
    /// search reached its time limit first. `players` is called only if games must be played.
    fn play(
        &mut self,
        stage: Stage,
        games: &[Game],
        players: &dyn Fn(&RunState) -> Vec<Player>,
        is_timed: bool,
        is_enough: &mut dyn FnMut(&GameResult) -> bool,
    ) -> Result<Option<Vec<GameResult>>> {
        let (state, listener) = (&*self.state, &mut *self.listener);
        // The replay has passed all complete stages, so the games left in the record belong to this stage,
        // which needs more.
        if self.games.executor.is_some() {
            listener.on_stage_begin(stage, games.len(), self.games.record.count_games_left());
        }
        let mut results = Vec::new();
        let request = GameRequest {
            progress: &format!("in {stage}"),
            games,
            players: &|| players(state),
            is_timed,
        };
        let is_complete = self.games.play(&request, &mut |played| {
            if played.is_new {
                listener.on_game();
            }
            results.push(played.result);
            Ok(is_enough(&played.result))
        })?;
        for (game, result) in games.iter().zip(&results) {
            self.state.failed_games.add(game.seed, result);
        }
        Ok(is_complete.then_some(results))
    }

    /// Plays a generation, and moves the search along its gradient. Returns false if the search has reached
    /// its time limit.
    fn play_generation(&mut self) -> Result<bool> {
        let state = &*self.state;
        let number = state.generations.len() as u32 + 1;
        let (stage, settings) = (Stage::Generation(number), state.config.settings);
        let seeds = state.seeds(stage, settings.pairs_per_generation.into());
        let pair_games = (1_usize..).zip(seeds).flat_map(|(pair, seed)| {
            let game = |side| Game {
                player: 2 * pair + side,
                seed,
            };
            [game(0), game(1)]
        });
        let monitored = state.seeds(stage, monitored_seed_count(&state.config).into());
        let games: Vec<Game> = pair_games.chain(list_games(monitored, 2)).collect();
        let results = self.play(stage, &games, &generation_players, true, &mut |_| false)?;
        let Some(results) = results else {
            return Ok(false);
        };
        self.state.add_generation(number, &results);
        self.report(Some(stage))?;
        Ok(true)
    }

    /// Plays a challenge: the averaged player against the best player so far. Returns false if the search has
    /// reached its time limit.
    fn play_challenge(&mut self, is_timed: bool) -> Result<bool> {
        let state = &*self.state;
        let number = state.challenges.len() as u32 + 1;
        let (stage, objective) = (Stage::Challenge(number), state.config.objective);
        let games = list_games(state.seeds(stage, state.challenge_pair_count()), 2);
        let players = |state: &RunState| {
            let average = state.generations.len() as u32;
            vec![state.player(state.best_generation()), state.player(average)]
        };
        let results = self.play(stage, &games, &players, is_timed, &mut |_| false)?;
        let Some(results) = results else {
            return Ok(false);
        };
        let pairs = points::<2>(&results);
        let change = objective.mean_change(&pairs);
        let estimate = objective.estimate(1, &pairs);
        let challenge = Challenge {
            number,
            generation: self.state.generations.len() as u32,
            pair_count: pairs.len(),
            percent_change: estimate.map(|estimate| estimate.mean),
            clipped_percent_change: objective.percent_from_change(change),
            is_won: change > 0.0,
        };
        self.state.search_game_count += results.len() as u64;
        let count = self.state.search_game_count;
        self.state.challenges.push((challenge, count));
        self.report(Some(stage))?;
        Ok(true)
    }

    /// Plays or continues a judgement, until the gate decides or the limit on pairs is reached. The best
    /// player so far plays against the current result, which is the start until a player passes the gate.
    fn play_judgement(&mut self, number: u32) -> Result<()> {
        let state = &*self.state;
        let (stage, objective) = (Stage::Judgement(number), state.config.objective);
        let open_judgement = state.judgements.get(number as usize - 1);
        let (mut candidate, opponent) =
            if let (Some(judgement), Some(candidate)) = (open_judgement, &state.judged_candidate) {
                (candidate.clone(), judgement.opponent_judgement)
            } else {
                let passed = state.last_passing_judgement();
                let opponent = passed.map_or(0, |passed| passed.number);
                (gate::new_candidate(number, objective), opponent)
            };
        let all_seeds = state.seeds(stage, state.max_pairs());
        let first = all_seeds.first() + candidate.pairs().len() as u64;
        let seeds = SeedRange::new(first, all_seeds.last()).expect("a judgement below its limit");
        let opponent_generation = state.judgements[..opponent as usize].last();
        let opponent_generation = opponent_generation.map_or(0, |judgement| judgement.generation);
        let players = |state: &RunState| {
            vec![
                state.player(opponent_generation),
                state.player(state.best_generation()),
            ]
        };
        let (case_spec, mut seed, mut a) = (state.config.case_spec, first.., None);
        let mut is_enough = |result: &GameResult| {
            let Some(a) = a.take() else {
                a = Some(*result);
                return false;
            };
            let seed = seed.next().expect("a seed for each pair");
            candidate.add_pair(generate_pair(seed, &case_spec, [&a, result]));
            !candidate.plays_next_case()
        };
        let games = list_games(seeds, 2);
        self.play(stage, &games, &players, false, &mut is_enough)?;
        let last = all_seeds.first() + (candidate.pairs().len() as u64 - 1);
        let opponent_text = match opponent {
            0 => "the start".into(),
            number => format!("the result of judgement {number}"),
        };
        self.state.judgements.truncate(number as usize - 1);
        self.state.judgements.push(Judgement {
            number,
            generation: self.state.best_generation(),
            opponent_judgement: opponent,
            seeds: SeedRange::new(all_seeds.first(), last).expect("a gate receives pairs"),
            is_better: candidate.verdict() == Some(Verdict::Better),
            failed_games: candidate.failed_games(),
            is_open: candidate.plays_next_case(),
            percent_change: candidate.percent_change(),
            interval: candidate.interval(),
            verdict_text: gate::verdict_text(&candidate, number, &opponent_text),
        });
        self.state.judged_candidate = Some(candidate);
        self.report(Some(stage))
    }
}

/// Returns the players of the next generation: the starting player, the averaged player, and two players for
/// each pair of opposite changes to the centre.
fn generation_players(state: &RunState) -> Vec<Player> {
    let (space, settings) = (&state.space, state.config.settings);
    let average = state.average(state.generations.len() as u32);
    let average = average.map_or_else(|| space.start_player(), |at| space.player(at));
    let mut players = vec![space.start_player(), average];
    for pair in 0..settings.pairs_per_generation {
        let points = state.search.mirrored_points(&settings, space, pair);
        players.extend(points.map(|point| space.player(&space.values(&point))));
    }
    players
}

impl RunState {
    /// Adds the generation with these games: moves the search along the gradient estimated from them.
    fn add_generation(&mut self, number: u32, results: &[GameResult]) {
        let (settings, objective) = (self.config.settings, self.config.objective);
        let (pairs, monitored) = results.split_at(2 * settings.pairs_per_generation as usize);
        let pairs = pairs.chunks_exact(2);
        let effective = pairs.clone().filter(|pair| pair[0] != pair[1]).count() as u32;
        let change = |pair: &[GameResult]| {
            objective.change([pair[1].scored_points(), pair[0].scored_points()])
        };
        let differences: Vec<f64> = pairs.map(change).collect();
        let gradient = self
            .search
            .estimate_gradient(&settings, &self.space, &differences);
        self.search
            .apply_gradient(&settings, &self.space, &gradient);
        let width: u64 = results.iter().map(|game| game.mean_beam_width).sum();
        self.generations.push(Generation {
            number,
            monitored_points: points(monitored),
            effective_pair_count: effective,
            mean_beam_width: width / results.len() as u64,
            average: self.space.values(&self.search.average),
        });
        self.search_game_count += results.len() as u64;
        self.cumulative_game_counts.push(self.search_game_count);
    }
}

/// Returns the points of games in groups of `COUNT`; `None` for a failed game.
fn points<const COUNT: usize>(games: &[GameResult]) -> Vec<[Option<u64>; COUNT]> {
    let groups = games.chunks_exact(COUNT);
    let points = groups.map(|games| std::array::from_fn(|index| games[index].scored_points()));
    points.collect()
}
