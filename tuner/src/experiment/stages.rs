//! The course of a run: plays the stage that [`RunState::next_step`](super::state::RunState::next_step)
//! names, until the run has ended. A stage consists of the games of a generation, a challenge or a judgement,
//! and ends with an event.

use super::event::{Challenge, Event, Generation, Judgement, Stage, StopReason};
use super::folder;
use super::run::{ActiveRun, Listener, Run, points};
use super::state::{NextStep, watched_seed_count};
use crate::executor::{Executor, Game, list_games};
use crate::game_result::{GameResult, make_pair};
use crate::player::Player;
use anyhow::Result;
use columns_cases::seeds::SeedRange;
use columns_stats::{Verdict, gate};

impl Run {
    /// Works until the run has ended, and writes its outcome into the folder.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or if games cannot be played. The error is
    /// [`Interrupted`](columns_cli::command::Interrupted) if the executor was stopped.
    pub fn execute(
        &mut self,
        executor: &mut dyn Executor,
        listener: &mut dyn Listener,
    ) -> Result<()> {
        let mut work = ActiveRun {
            run: self,
            executor,
            listener,
        };
        let ended = work.run_stages();
        if self.games_played > 0 {
            self.record_seconds()?;
        }
        ended?;
        self.ledger.sync()?;
        folder::write_outcome(&self.folder, &self.state)
    }
}

impl ActiveRun<'_> {
    fn run_stages(&mut self) -> Result<()> {
        loop {
            let time_is_up = self.run.seconds_left() == Some(0.0);
            let (stage, event) = match self.run.state.next_step(time_is_up) {
                NextStep::End => return Ok(()),
                NextStep::Stop(reason) => (None, Event::Stop(reason)),
                NextStep::Play(stage) => (Some(stage), self.stage(stage)?),
            };
            // At the time limit, a stage ends without a result.
            let stage = stage.filter(|_| !matches!(event, Event::Stop(_)));
            self.run.record(event)?;
            self.run.record_seconds()?;
            self.run.ledger.sync()?;
            self.listener.on_event(self.run, stage);
        }
    }

    fn stage(&mut self, stage: Stage) -> Result<Event> {
        match stage {
            Stage::Generation(number) => self.generation(number),
            Stage::Challenge(number) => self.challenge(number),
            Stage::Judgement(number) => self.judgement(number),
        }
    }

    /// Plays a generation. Returns its result, or [`Event::Stop`] if the search has reached its
    /// time limit.
    fn generation(&mut self, number: u32) -> Result<Event> {
        let (players, games) = self.mirrored(number);
        let played = self.play(Stage::Generation(number), &players, &games, |_| false)?;
        let Some(played) = played else {
            return Ok(Event::Stop(StopReason::TimeLimit));
        };
        let state = &self.run.state;
        let (settings, objective) = (state.config.settings, state.config.objective);
        let (pairs, watched) = played.split_at(2 * settings.pairs_per_generation as usize);
        let pairs = pairs.chunks_exact(2);
        let effective = pairs.clone().filter(|pair| pair[0] != pair[1]).count() as u32;
        let gain = |pair: &[GameResult]| {
            objective.change([pair[1].scored_points(), pair[0].scored_points()])
        };
        let differences: Vec<f64> = pairs.map(gain).collect();
        let gradient = state
            .search
            .estimate_gradient(&settings, &state.space, &differences);
        let mut search = state.search.clone();
        search.apply_gradient(&settings, &state.space, &gradient);
        let width: u64 = played.iter().map(|game| game.mean_beam_width).sum();
        Ok(Event::Generation(Generation {
            number,
            watched_points: points(watched),
            effective_pair_count: effective,
            rounded_parameters: if effective < settings.pairs_per_generation.div_ceil(10) {
                state
                    .search
                    .parameters_rounded_alike(&settings, &state.space)
            } else {
                Vec::new()
            },
            mean_beam_width: width / played.len() as u64,
            gradient,
            centre: state.space.values(&search.centre),
            average: state.space.values(&search.average),
        }))
    }

    /// Returns the players and the games of a generation: pairs of opposite changes to the centre, then the
    /// start and the average on some of these seeds.
    fn mirrored(&self, number: u32) -> (Vec<Player>, Vec<Game>) {
        let (run, state) = (&self.run, &self.run.state);
        let (settings, stage) = (state.config.settings, Stage::Generation(number));
        let average = state.average(number - 1);
        let average =
            average.map_or_else(|| state.space.start_player(), |at| state.space.player(at));
        let mut players = vec![state.space.start_player(), average];
        let mut games = Vec::new();
        for (pair, seed) in (0..settings.pairs_per_generation)
            .zip(run.seeds(stage, settings.pairs_per_generation.into()))
        {
            for point in state.search.mirrored_points(&settings, &state.space, pair) {
                let player = players.len();
                players.push(state.space.player(&state.space.values(&point)));
                games.push(Game { player, seed });
            }
        }
        games.extend(list_games(
            run.seeds(stage, watched_seed_count(&state.config).into()),
            2,
        ));
        (players, games)
    }

    /// Plays a challenge: the average against the best so far. Returns its result, or [`Event::Stop`] if the
    /// search has reached its time limit.
    fn challenge(&mut self, number: u32) -> Result<Event> {
        let state = &self.run.state;
        let (objective, count) = (state.config.objective, state.challenge_pair_count());
        let generation = state.generations.len() as u32;
        let players = [state.best_generation(), generation].map(|of| state.player(of));
        let Some(pairs) = self.play_seeds(Stage::Challenge(number), &players, count)? else {
            return Ok(Event::Stop(StopReason::TimeLimit));
        };
        let change = objective.mean_change(&pairs);
        let estimate = objective.estimate(1, &pairs);
        Ok(Event::Challenge(Challenge {
            number,
            generation,
            pair_count: pairs.len(),
            percent_change: estimate.map(|estimate| estimate.mean),
            clipped_percent_change: objective.percent_from_change(change),
            is_won: change > 0.0,
        }))
    }

    /// Plays a judgement: the best so far against the earlier result or the start, until the gate decides or
    /// the limit on pairs is reached.
    fn judgement(&mut self, number: u32) -> Result<Event> {
        let state = &self.run.state;
        let generation = state.best_generation();
        let passed = state.passed_judgement();
        let (opponent_judgement, before) =
            passed.map_or((0, 0), |passed| (passed.number, passed.generation));
        let players = [before, generation].map(|of| state.player(of));
        let stage = Stage::Judgement(number);
        let seeds = self.run.seeds(stage, state.limits.max_pairs);
        let case_spec = state.config.case_spec;
        let (mut candidate, mut first) =
            (gate::new_candidate(number, state.config.objective), None);
        let mut seed = seeds.first()..;
        self.play(stage, &players, &list_games(seeds, 2), |played| {
            let Some(a) = first.take() else {
                first = Some(*played);
                return false;
            };
            let seed = seed.next().expect("a seed for each pair");
            candidate.add_pair(make_pair(seed, &case_spec, [&a, played]));
            !candidate.is_open()
        })?;
        let last = seeds.first() + (candidate.pairs().len() as u64 - 1);
        let other = match opponent_judgement {
            0 => "the start".into(),
            number => format!("the result of judgement {number}"),
        };
        Ok(Event::Judgement(Judgement {
            number,
            generation,
            opponent_judgement,
            seeds: SeedRange::new(seeds.first(), last).expect("a gate receives pairs"),
            is_better: candidate.verdict() == Some(Verdict::Better),
            is_open: candidate.is_open(),
            percent_change: candidate.percent_change(),
            interval: candidate.interval(),
            verdict_text: gate::verdict_text(&candidate, number, &other),
        }))
    }
}
