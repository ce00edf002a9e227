//! A rehearsal: two stages around a search. Before it a start is drawn that is known to be bad; after
//! it is measured how much of that loss was recovered.

use super::change::estimate;
use super::event::{Draw, Event, Recovery, Stage};
use super::run::Work;
use crate::{normal, search::axis::Axis};
use anyhow::{ensure, Context, Result};
use rand_xoshiro::rand_core::Rng;

/// How far a parameter is moved at least and at most, in its steps.
const MOVED: [f64; 2] = [3.0, 8.0];

/// The seeds on which a start is played against the weights as they were.
const SEEN: u64 = 200;

/// The held-out seeds on which a recovery is measured, unless a judgement may play fewer.
const MEASURED: u64 = 500;

/// The most draws of a start.
const MOST_DRAWS: u32 = 1000;

const UNLIMITED: &str = "a time limit is for the search only";

impl Work<'_> {
    /// Draws a start: each parameter of the space is moved by 3 to 8 steps inside its range, one way
    /// or the other. From then on the search starts there, unless it loses too little.
    pub(super) fn draw(&mut self, number: u32) -> Result<Event> {
        ensure!(
            number <= MOST_DRAWS,
            "no start was found that loses {:.0} %: expected parameters that matter more",
            super::state::LOSS
        );
        let config = &self.run.state.config;
        let space = config.space()?;
        let (rehearsal, draw) = (config.rehearsal.unwrap_or(0), u64::from(number - 1));
        let mut random = normal::stream([config.pace.seed, rehearsal.into(), draw]);
        let axes = space.axes().iter();
        let point: Vec<f64> = axes.map(|axis| moved(axis, &mut random)).collect();
        let values = space.values(&point);
        let (objective, players) = (config.objective, [space.start(), space.contestant(&values)]);
        let pairs = self.points(Stage::Draw(number), &players, SEEN)?;
        let (percent, _) = estimate(objective, &pairs.context(UNLIMITED)?);
        Ok(Event::Draw(Draw { values, percent }))
    }

    /// Measures what was recovered.
    pub(super) fn recovery(&mut self) -> Result<Event> {
        let state = &self.run.state;
        let (objective, count) = (
            state.config.objective,
            MEASURED.min(state.limits.pairs).max(2),
        );
        let result = state.passed().map_or(0, |look| look.generation);
        let original = state.config.space()?.start();
        let players = [original, state.player(0), state.player(result)];
        let points = self.points(Stage::Recovery, &players, count)?;
        let points = points.context(UNLIMITED)?;
        let against = |player: usize| -> Vec<[u64; 2]> {
            points.iter().map(|all| [all[0], all[player]]).collect()
        };
        let (result, interval) = estimate(objective, &against(2));
        Ok(Event::Recovery(Recovery {
            seeds: self.run.seeds(Stage::Recovery, count),
            start: estimate(objective, &against(1)).0,
            result,
            interval,
        }))
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
