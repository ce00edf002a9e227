//! The fit: generations of games until the budget is spent, then the validation.

use crate::fit::outcome::Outcome;
use crate::fit::record::{By, Generation, Record};
use crate::fit::run::{self, Run};
use crate::games::batch::{Batch, Game, Players, Timed};
use crate::games::clock;
use crate::games::play::Played;
use anyhow::Result;
use columns_bot::weights::Weights;
use columns_bot::weights_file;
use columns_generator::seeds::SeedRange;
use columns_judge::stats::Estimate;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// How many generations [`recent`] looks back.
pub const RECENT: usize = 20;

/// What a run works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A generation, the first being 1.
    Generation(u32),
    /// The games on the held-out seeds.
    Validation,
}

/// Somebody who watches a fit.
pub trait Watch {
    /// A stage has begun; of its games so many were played by an earlier process.
    fn begin(&mut self, stage: Stage, games: usize, played: usize);
    /// A game has ended.
    fn game(&mut self);
    /// A generation has ended. `recent` is what the last ones say about the mean, see [`recent`].
    fn generation(&mut self, generation: &Generation, recent: &Estimate);
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

/// How a fit ended.
#[derive(Debug)]
pub enum Ended {
    /// With its budget.
    Finished(Box<Outcome>),
    /// It was stopped in this stage.
    Stopped(Stage),
}

/// Where the time of a stage went, as far as it was played by one process: a line of
/// `timings.jsonl`.
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

/// The mean of [`Generation::gain`] over the last generations: what the mean of the
/// distribution is worth against the start, as a difference of log score. `None` before the
/// first generation.
pub fn recent(generations: &[Generation]) -> Option<Estimate> {
    let last = &generations[generations.len().saturating_sub(RECENT)..];
    let gains: Vec<f64> = last.iter().map(|generation| generation.gain).collect();
    (!gains.is_empty()).then(|| Estimate::of(&gains))
}

/// Goes on with a run until its end or until the players stop.
///
/// # Errors
/// One line: a file of the run that cannot be written or is not as this run would have written
/// it, or why games cannot be played.
pub fn fit(run: Run, players: &mut dyn Players, watch: &mut dyn Watch) -> Result<(Ended, Effort)> {
    let (wall, process) = (Instant::now(), clock::process_seconds());
    let generations = run
        .history
        .iter()
        .filter_map(|record| match record {
            Record::Generation(generation) => Some(generation.clone()),
            _ => None,
        })
        .collect();
    let mut fit = Fit {
        run,
        players,
        watch,
        generations,
        effort: Effort::default(),
    };
    if fit.run.history.is_empty() {
        let begin = Record::Begin {
            run: fit.run.identity,
        };
        fit.run.journal.record(&begin)?;
    }
    let ended = fit.run()?;
    let effort = Effort {
        wall_s: wall.elapsed().as_secs_f64(),
        process_s: clock::process_seconds() - process,
        ..fit.effort
    };
    Ok((ended, effort))
}

struct Fit<'a> {
    run: Run,
    players: &'a mut dyn Players,
    watch: &'a mut dyn Watch,
    /// All so far.
    generations: Vec<Generation>,
    /// Games and their seconds.
    effort: Effort,
}

impl Fit<'_> {
    fn run(&mut self) -> Result<Ended> {
        while self.run.generation < self.run.config.generations {
            if !self.generation()? {
                return Ok(Ended::Stopped(Stage::Generation(self.run.generation + 1)));
            }
        }
        self.validate()
    }

    /// Plays a generation; false if it was stopped in it.
    fn generation(&mut self) -> Result<bool> {
        let config = &self.run.config;
        let (number, objective) = (self.run.generation + 1, config.objective);
        let seeds = config.block(number);
        let space = &self.run.space;
        let mut weights = vec![space.start().clone(), space.weights(self.run.cma.mean())];
        let candidates = self.run.cma.ask();
        weights.extend(candidates.iter().map(|point| space.weights(point)));
        let Some(played) = self.play(Stage::Generation(number), &weights, seeds)? else {
            return Ok(false);
        };

        let mut blocks = played.chunks_exact(seeds.count() as usize);
        let (Some(start), Some(mean)) = (blocks.next(), blocks.next()) else {
            unreachable!("start and mean have played");
        };
        let scores: Vec<f64> = blocks.map(|games| objective.of(games, start)).collect();
        let losses: Vec<f64> = scores.iter().map(|score| -score).collect();
        self.run.cma.tell(&candidates, &losses);

        let gains = mean.iter().zip(start);
        let gains = gains.map(|(mean, start)| mean.log_score() - start.log_score());
        let cma = &self.run.cma;
        let axes = self.run.space.axes().iter();
        let generation = Generation {
            generation: number,
            seeds,
            start: objective.of(start, start),
            mean: objective.of(mean, start),
            candidates: [
                scores.iter().sum::<f64>() / scores.len() as f64,
                scores.iter().copied().fold(f64::INFINITY, f64::min),
                scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ],
            gain: gains.sum::<f64>() / start.len() as f64,
            values: self.run.space.values(cma.mean()),
            deviations: axes
                .zip(cma.deviations())
                .map(|(axis, deviation)| deviation * axis.step)
                .collect(),
            sigma: cma.sigma(),
            rates: cma.rates().into(),
        };
        self.run
            .journal
            .record(&Record::Generation(generation.clone()))?;
        self.run.generation = number;
        self.run.save()?;
        self.generations.push(generation);
        if let (Some(last), Some(recent)) = (self.generations.last(), recent(&self.generations)) {
            self.watch.generation(last, &recent);
        }
        Ok(true)
    }

    /// Plays start and mean on the held-out seeds and writes the outcome.
    fn validate(&mut self) -> Result<Ended> {
        let config = &self.run.config;
        let fitted = self.run.space.rounded(self.run.cma.mean());
        let weights = [self.run.space.start().clone(), fitted.clone()];
        let Some(played) = self.play(Stage::Validation, &weights, config.held_out)? else {
            return Ok(Ended::Stopped(Stage::Validation));
        };
        self.run.journal.sync()?;
        let (start, mean) = played.split_at(played.len() / 2);
        let outcome = Outcome::new(&self.run.config, &fitted, start, mean);
        self.run
            .write(run::WEIGHTS, &weights_file::format(&fitted))?;
        self.run.write(run::RESULT, &run::to_json(&outcome)?)?;
        Ok(Ended::Finished(Box::new(outcome)))
    }

    /// Plays the seeds with each of the weights; the results in this order, or `None` if it was
    /// stopped before it had all of them.
    fn play(
        &mut self,
        stage: Stage,
        weights: &[Weights],
        seeds: SeedRange,
    ) -> Result<Option<Vec<Played>>> {
        let games: Vec<Game> = (0..weights.len())
            .flat_map(|weights| seeds.into_iter().map(move |seed| Game { weights, seed }))
            .collect();
        let journal = &mut self.run.journal;
        let mut played = Vec::with_capacity(games.len());
        // What an earlier process has played.
        while let (Some(game), Some(record)) = (games.get(played.len()), journal.ahead()) {
            let before = match record {
                Record::Game { played, .. } | Record::HeldOut { played, .. } => *played,
                // The journal then says what it has instead.
                _ => Played::default(),
            };
            journal.record(&record_of(stage, *game, before))?;
            played.push(before);
        }

        let rest = &games[played.len()..];
        self.watch.begin(stage, games.len(), played.len());
        let (wall, process) = (Instant::now(), clock::process_seconds());
        let mut games_s = 0.0;
        let batch = Batch {
            spec: &self.run.config.cases,
            nodes: self.run.config.nodes,
            weights,
            games: rest,
        };
        let watch = &mut *self.watch;
        let mut done = |index: usize, timed: Timed| {
            journal.record(&record_of(stage, rest[index], timed.played))?;
            played.push(timed.played);
            games_s += timed.seconds;
            watch.game();
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
            self.run.append_timing(&timing)?;
        }
        ended?;
        Ok((played.len() == games.len()).then_some(played))
    }
}

/// The line of a game.
fn record_of(stage: Stage, game: Game, played: Played) -> Record {
    let by = match game.weights {
        0 => By::Start,
        1 => By::Mean,
        n => By::Candidate(n as u32 - 2),
    };
    let seed = game.seed;
    match stage {
        Stage::Generation(generation) => Record::Game {
            generation,
            by,
            seed,
            played,
        },
        Stage::Validation => Record::HeldOut { by, seed, played },
    }
}
