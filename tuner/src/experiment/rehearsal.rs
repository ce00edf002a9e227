//! A rehearsal: two stages around a search. Before it a start is drawn that is known to be bad; after
//! it is measured how much of that loss was recovered.

use super::event::{Draw, Event, Recovery, Stage};
use super::run::{mean, Work};
use crate::units::Objective;
use crate::{contestant::Contestant, executor::each, game::Played, normal, search::space::Axis};
use anyhow::{ensure, Context, Result};
use rand_xoshiro::rand_core::Rng;

/// How far a parameter is moved at least and at most, in its steps.
const MOVED: [f64; 2] = [3.0, 8.0];

/// The seeds on which a start is played against the weights as they were.
const SEEN: u64 = 200;

/// The most draws of a start.
const MOST_DRAWS: u32 = 1000;

impl Work<'_> {
    /// Draws a start: each parameter of the space is moved by 3 to 8 steps inside its range, one way
    /// or the other. From then on the search starts there, unless it loses too little.
    pub(super) fn draw(&mut self, number: u32) -> Result<()> {
        ensure!(
            number <= MOST_DRAWS,
            "no start was found that loses {:.0} %: expected parameters that matter more",
            super::state::LOSS
        );
        let config = &self.run.config;
        let space = config.space()?;
        let rehearsal = config.rehearsal.map_or(0, |rehearsal| rehearsal.number);
        let draw = u64::from(number - 1);
        let mut random = normal::stream([config.pace.seed, rehearsal.into(), draw]);
        let axes = space.axes().iter();
        let point: Vec<f64> = axes.map(|axis| moved(axis, &mut random)).collect();
        let values = space.values(&point);
        let players = [space.start(), space.contestant(&values)];
        let games = self.play_each(Stage::Draw(number), &players, SEEN)?;
        let (percent, _) = self.gain(&games, players.len(), 1);
        self.run.space = space.from(&values);
        self.happened(&Event::Draw(Draw { values, percent }))
    }

    /// Measures what was recovered.
    pub(super) fn recovery(&mut self) -> Result<()> {
        let config = &self.run.config;
        let held_out = config.rehearsal.map_or(1, |rehearsal| rehearsal.held_out);
        let result = self.run.state.passed().map_or(0, |look| look.generation);
        let players = [
            config.space()?.start(),
            self.run.player(0),
            self.run.player(result),
        ];
        let games = self.play_each(Stage::Recovery, &players, held_out)?;
        let (start, _) = self.gain(&games, players.len(), 1);
        let (result, interval) = self.gain(&games, players.len(), 2);
        self.happened(&Event::Recovery(Recovery {
            seeds: self.run.seeds(Stage::Recovery, held_out),
            start,
            result,
            interval,
        }))
    }

    /// The games of each player on each seed of a stage, seed by seed.
    fn play_each(
        &mut self,
        stage: Stage,
        players: &[Contestant],
        count: u64,
    ) -> Result<Vec<Played>> {
        let games = each(self.run.seeds(stage, count), players.len());
        let played = self.play_all(stage, players, &games)?;
        played.context("expected a time limit for the search only")
    }

    /// How much better a player did than the first of so many players on the same cases, in percent
    /// of the score, and a 95 % interval for that.
    fn gain(&self, games: &[Played], players: usize, player: usize) -> (f64, (f64, f64)) {
        let objective = self.run.config.objective;
        let scale = match objective {
            Objective::Log => 1.0,
            Objective::Sum => {
                let first = games.iter().step_by(players);
                mean(&first.map(|game| game.points as f64).collect::<Vec<_>>())
            }
        };
        let pairs = games.chunks_exact(players);
        let gains = pairs.map(|all| (objective.of(&all[player]) - objective.of(&all[0])) / scale);
        let gains: Vec<f64> = gains.collect();
        let (mean, count) = (mean(&gains), gains.len() as f64);
        let squares: f64 = gains.iter().map(|gain| (gain - mean) * (gain - mean)).sum();
        // Normal: the same to the bit on every machine, and there are hundreds of pairs.
        let half = 1.96 * libm::sqrt(squares / (count - 1.0) / count);
        let percent = |change| objective.percent(change);
        (percent(mean), (percent(mean - half), percent(mean + half)))
    }
}

/// A coordinate at the distance from 0 by which a start is moved. Where the range ends before, it
/// is on the other side of 0, or nearer.
fn moved(axis: &Axis, random: &mut impl Rng) -> f64 {
    let drawn = random.next_u64();
    let share = (drawn >> 11) as f64 / (1_u64 << 53) as f64;
    let far = MOVED[0] + (MOVED[1] - MOVED[0]) * share;
    let far = if drawn & 1 == 0 { far } else { -far };
    let inside = [far, -far].map(|far| axis.inside(far));
    if inside[0].abs() >= inside[1].abs() {
        inside[0]
    } else {
        inside[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Player;
    use crate::search::space::of_names;

    #[test]
    fn a_start_is_three_to_eight_steps_away() {
        let axes = of_names(&[], &Player::default()).unwrap();
        for draw in 0..200 {
            let mut random = normal::stream([1, 2, draw]);
            for axis in &axes {
                let far = moved(axis, &mut random).abs();
                assert!((3.0 - 1e-9..=8.0).contains(&far), "{} {far}", axis.name);
            }
        }
    }
}
