//! The fit: generations of games, challenges between them, and the judgement at the end.
//!
//! From time to time the average of the search plays against the best so far, which at first is the
//! start: a challenge, on seeds of its own. The average is the best from then on if it scores more.
//! So the result is chosen by games that had no part in finding it, and a search that goes astray
//! late does no harm. The search stops when it has found nothing better for long, or when its games
//! or its time are used up. The best then plays against the start on held-out seeds, at the gate
//! ([`gate`](crate::stats::gate)); if it does not pass, the start is the result.

use crate::fit::outcome::{Judged, Outcome};
use crate::fit::record::{Challenge, Generation, Reason, Record, Stage};
use crate::fit::run::{self, Run};
use crate::fit::stage::{Done, Effort, Games, Listener};
use crate::games::batch::{Game, Players};
use crate::games::clock;
use crate::games::objective::Objective;
use crate::games::play::Played;
use crate::stats::gate::Gate;
use crate::units::{LogRatio, Share, Unit};
use anyhow::Result;
use columns_bot::eval::weights::Weights;
use columns_bot::weights_file;
use columns_cli::json;
use columns_generator::seeds::SeedRange;
use columns_judge::stats::Estimate;
use std::time::Instant;

/// The number of generations that [`recent`] takes the mean of.
pub const RECENT: usize = 20;

/// The number of seeds of each generation that the start and the average play as well.
pub const WATCHED: u64 = 4;

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

/// Pairs of held-out games that are played at a time: enough to keep all processors busy, few
/// enough that little is played after the verdict.
const HELD_OUT: u64 = 100;

/// The limits of a process that works on a run.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most games of the run, held-out ones not counted.
    pub games: u64,
    /// When to stop.
    pub until: Option<Instant>,
    /// Whether to go on with a search that has stopped, up to these limits even if it finds nothing
    /// better.
    pub extend: bool,
}

/// How a fit ended.
#[derive(Debug)]
pub enum Ended {
    /// With its search stopped and its result judged.
    Finished(Box<Outcome>),
    /// It was interrupted in this stage.
    Stopped(Stage),
}

/// The mean of [`Generation::gain`] over the last generations: what the average of the search is
/// worth against the start, as a difference of log score. `None` before the first generation.
pub fn recent(generations: &[Generation]) -> Option<Estimate> {
    let last = &generations[generations.len().saturating_sub(RECENT)..];
    let gains: Vec<f64> = last.iter().map(|generation| generation.gain).collect();
    (!gains.is_empty()).then(|| Estimate::of(&gains))
}

/// Works on a run until its search stops or the players are stopped.
///
/// # Errors
/// One line: a file of the run that cannot be written or is not as this run would have written
/// it, or why games cannot be played.
pub fn fit(
    run: Run,
    limits: Limits,
    players: &mut dyn Players,
    listener: &mut dyn Listener,
) -> Result<(Ended, Effort)> {
    let (wall, process) = (Instant::now(), clock::process_seconds());
    let generations = run.history.iter().filter_map(|record| match record {
        Record::Generation(generation) => Some(generation.clone()),
        _ => None,
    });
    let mut fit = Fit {
        generations: generations.collect(),
        run,
        limits,
        games: Games::new(players, listener),
    };
    let ended = fit.run()?;
    let effort = Effort {
        wall_s: wall.elapsed().as_secs_f64(),
        process_s: clock::process_seconds() - process,
        ..fit.games.effort
    };
    Ok((ended, effort))
}

struct Fit<'a> {
    run: Run,
    limits: Limits,
    games: Games<'a>,
    /// All so far.
    generations: Vec<Generation>,
}

impl Fit<'_> {
    fn run(&mut self) -> Result<Ended> {
        if self.run.history.is_empty() {
            let begin = Record::Begin {
                run: self.run.identity,
            };
            self.run.journal.record(&begin)?;
        }
        // Whether a search that has stopped must still be continued.
        let mut owed = self.limits.extend;
        loop {
            // An earlier process may have continued it, or have been stopped in its judgement.
            let ahead = self.run.journal.ahead();
            let went_on = matches!(
                ahead,
                Some(Record::Game {
                    stage: Stage::Generation(_),
                    ..
                })
            );
            if self.run.progress.stopped.is_some()
                && (went_on || (owed && ahead.is_none() && self.reason().is_none()))
            {
                self.run.progress.stopped = None;
                owed = false;
            }
            if self.run.progress.stopped.is_none() {
                match self.search()? {
                    Ok(again) => owed = again && self.limits.extend,
                    Err(stage) => return Ok(Ended::Stopped(stage)),
                }
            }
            match self.finish()? {
                Err(stage) => return Ok(Ended::Stopped(stage)),
                Ok(outcome) if !(owed && self.reason().is_none()) => {
                    return Ok(Ended::Finished(Box::new(outcome)))
                }
                Ok(_) => {}
            }
        }
    }

    /// Goes on until there is a reason to stop. Returns whether it was an earlier process that
    /// stopped here.
    fn search(&mut self) -> Result<Done<bool>> {
        loop {
            let progress = &self.run.progress;
            let (reason, again) = match self.run.journal.ahead() {
                Some(Record::Stop { reason, .. }) => (Some(*reason), true),
                Some(_) => (None, true),
                None => (self.reason(), false),
            };
            if let Some(reason) = reason {
                self.run.journal.record(&Record::Stop {
                    generation: progress.search.generation,
                    reason,
                })?;
                self.run.progress.stopped = Some(reason);
                self.run.save()?;
                return Ok(Ok(again));
            }
            let due = (progress.challenged.1 * 3 / 2).max(FIRST_CHALLENGE);
            let done = if progress.games >= due {
                self.challenge()?
            } else {
                self.generation()?
            };
            if let Err(stage) = done {
                return Ok(Err(stage));
            }
        }
    }

    /// Why the search should not go on, if so.
    fn reason(&self) -> Option<Reason> {
        let progress = &self.run.progress;
        let generation = 2 * (u64::from(self.run.config.pace.pairs) + self.watched());
        let last = 2 * self.challenge_pairs();
        if progress.games + generation + last > self.limits.games {
            Some(Reason::Games)
        } else if self.limits.until.is_some_and(|end| Instant::now() >= end) {
            Some(Reason::Time)
        } else if !self.limits.extend
            && progress.search.generation >= PATIENCE + PATIENT * progress.best_generation
        {
            Some(Reason::NothingBetter)
        } else {
            None
        }
    }

    fn watched(&self) -> u64 {
        WATCHED.min(self.run.config.pace.pairs.into())
    }

    fn challenge_pairs(&self) -> u64 {
        (self.run.progress.games / GAMES_A_PAIR).max(FEWEST_PAIRS)
    }

    /// Plays a generation.
    fn generation(&mut self) -> Result<Done<()>> {
        let Run {
            config,
            space,
            progress,
            ..
        } = &self.run;
        let (pace, objective) = (config.pace, config.objective);
        let stage = Stage::Generation(progress.search.generation + 1);
        let seeds = self.run.seeds(stage, pace.pairs.into());
        let average = progress.search.average();
        let mut weights = vec![space.start().clone(), space.weights(average)];
        let mut games = Vec::new();
        for (pair, seed) in (0..pace.pairs).zip(seeds) {
            for point in progress.search.pair(&pace, space, pair) {
                let weights_of = weights.len();
                weights.push(space.weights(&point));
                games.push(Game {
                    weights: weights_of,
                    seed,
                });
            }
        }
        let watched = self.watched() as usize;
        for seed in seeds.into_iter().take(watched) {
            games.extend([0, 1].map(|weights| Game { weights, seed }));
        }
        let played = match self.games.play(&mut self.run, stage, &weights, &games)? {
            Ok(played) => played,
            Err(stage) => return Ok(Err(stage)),
        };

        let (pairs, watched) = played.split_at(2 * pace.pairs as usize);
        let differences: Vec<f64> = pairs
            .chunks_exact(2)
            .map(|pair| objective.of(&pair[0]) - objective.of(&pair[1]))
            .collect();
        let progress = &mut self.run.progress;
        let slope = progress.search.step(&pace, &self.run.space, &differences);
        progress.games += played.len() as u64;
        let mut gain = 0.0;
        for pair in watched.chunks_exact(2) {
            gain += pair[1].log_score() - pair[0].log_score();
            progress.start.0 += pair[0].points as f64;
            progress.start.1 += 1;
        }
        let width: u64 = played.iter().map(|game| game.width).sum();
        let generation = Generation {
            generation: progress.search.generation,
            gain: gain / (watched.len() / 2) as f64,
            width: width / played.len() as u64,
            slope,
            centre: self.run.space.values(progress.search.centre()),
            average: self.run.space.values(progress.search.average()),
        };
        let games = progress.games;
        self.run
            .journal
            .record(&Record::Generation(generation.clone()))?;
        self.run.save()?;
        self.generations.push(generation);
        if let (Some(last), Some(recent)) = (self.generations.last(), recent(&self.generations)) {
            self.games.listener.generation(last, games, &recent);
        }
        Ok(Ok(()))
    }

    /// Plays the average against the best so far.
    fn challenge(&mut self) -> Result<Done<()>> {
        let Run {
            config,
            space,
            progress,
            ..
        } = &self.run;
        let objective = config.objective;
        let number = progress.challenges + 1;
        let stage = Stage::Challenge(number);
        let seeds = self.run.seeds(stage, self.challenge_pairs());
        let average = progress.search.average().to_vec();
        // Rounded, as they are when they are the result.
        let weights = [space.rounded(&progress.best), space.rounded(&average)];
        let played = match self
            .games
            .play(&mut self.run, stage, &weights, &both(seeds))?
        {
            Ok(played) => played,
            Err(stage) => return Ok(Err(stage)),
        };
        let pairs = played.len() / 2;
        let mean = |of: &dyn Fn(&Played) -> f64| {
            let pairs = played.chunks_exact(2);
            pairs.map(|pair| of(&pair[1]) - of(&pair[0])).sum::<f64>() / (played.len() / 2) as f64
        };
        let gained = mean(&|game| objective.of(game));
        let progress = &mut self.run.progress;
        let challenge = Challenge {
            challenge: number,
            generation: progress.search.generation,
            pairs,
            gain: mean(&Played::log_score),
            won: gained > 0.0,
        };
        progress.games += played.len() as u64;
        progress.challenges = number;
        progress.challenged = (challenge.generation, progress.games);
        if challenge.won {
            progress.best = average;
            progress.best_generation = challenge.generation;
        }
        self.run
            .journal
            .record(&Record::Challenge(challenge.clone()))?;
        self.run.save()?;
        self.games.listener.challenge(&challenge);
        Ok(Ok(()))
    }

    /// Plays a last challenge, has the best judged, and writes the outcome.
    fn finish(&mut self) -> Result<Done<Outcome>> {
        let progress = &self.run.progress;
        if progress.challenged.0 < progress.search.generation {
            if let Err(stage) = self.challenge()? {
                return Ok(Err(stage));
            }
        }
        let progress = &self.run.progress;
        let result = self.run.folder().join(run::RESULT);
        if progress.judged == progress.best_generation && result.exists() {
            // What was judged is still the best.
            let outcome = Outcome::read(&result)?.after(&self.run);
            self.run.write(run::RESULT, &json::pretty(&outcome)?)?;
            return Ok(Ok(outcome));
        }
        let found = self.run.space.rounded(&progress.best);
        let judged = if progress.best_generation == 0 {
            None
        } else {
            let judged = match self.run.config.objective {
                Objective::Log => self.judge::<LogRatio>(&found)?,
                Objective::Sum => self.judge::<Share>(&found)?,
            };
            match judged {
                Ok(judged) => Some(judged),
                Err(stage) => return Ok(Err(stage)),
            }
        };
        let outcome = Outcome::new(&self.run, &found, judged);
        let weights = if outcome.is_better() {
            &found
        } else {
            self.run.space.start()
        };
        self.run.journal.sync()?;
        self.run
            .write(run::WEIGHTS, &weights_file::format(weights))?;
        self.run.write(run::RESULT, &json::pretty(&outcome)?)?;
        self.run.progress.judged = self.run.progress.best_generation;
        self.run.save()?;
        Ok(Ok(outcome))
    }

    /// Has the best play against the start at the gate.
    fn judge<U: Unit>(&mut self, found: &Weights) -> Result<Done<Judged>> {
        let progress = &self.run.progress;
        let look = progress.looks + 1;
        let stage = Stage::Look(look);
        let start_score = progress.start.0 / progress.start.1.max(1) as f64;
        let seeds = self.run.seeds(stage, self.run.config.most_pairs);
        let weights = [self.run.space.start().clone(), found.clone()];
        let mut gate = Gate::<U>::new(look);
        let mut played = Vec::new();
        while gate.verdict().is_none() && (gate.count() as u64) < self.run.config.most_pairs {
            let first = seeds.first() + played.len() as u64 / 2;
            let some = SeedRange::new(first, seeds.last().min(first + (HELD_OUT - 1)));
            let games = both(some.expect("seeds are left"));
            match self.games.play(&mut self.run, stage, &weights, &games)? {
                Ok(more) => {
                    for pair in more.chunks_exact(2) {
                        gate.add(U::between(pair[1].points, pair[0].points, start_score));
                    }
                    played.extend(more);
                }
                Err(stage) => return Ok(Err(stage)),
            }
        }
        self.run.progress.looks = look;
        Ok(Ok(Judged::new(&self.run.config, &gate, seeds, &played)))
    }
}

/// Two players on each of some seeds, one after the other.
fn both(seeds: SeedRange) -> Vec<Game> {
    let each = seeds.into_iter();
    each.flat_map(|seed| [0, 1].map(|weights| Game { weights, seed }))
        .collect()
}
