//! The first and the last stage of a rehearsal, between which it searches as a fit does. The first stage
//! draws a bad start. The last stage measures the share of the loss that the search has recovered.

use super::event::{DrawnStart, Event, Recovery, Stage};
use super::run::ActiveRun;
use crate::search::{axis::Axis, random_stream};
use anyhow::{Context, Result, ensure};
use rand_xoshiro::rand_core::Rng;

/// The minimum and the maximum distance by which a draw moves a parameter, in steps.
const DRAW_DISTANCE: [f64; 2] = [3.0, 8.0];

/// The number of seeds on which a drawn start plays against the original player.
const DRAW_SEEDS: u64 = 200;

/// The number of held-out seeds on which a recovery is measured. If the limit on a judgement's pairs is
/// smaller, that limit applies, but at least two seeds are played.
const RECOVERY_SEEDS: u64 = 500;

/// The number of draws after which a rehearsal gives up.
const MAX_DRAWS: u32 = 1000;

const NO_SCORE: &str = "no game was finished that the rehearsal can measure";

const NO_TIME_LIMIT: &str = "a time limit is for the search only";

impl ActiveRun<'_> {
    /// Draws a start: moves each parameter up or down by 3 to 8 steps, or by as many as its range allows. The
    /// start plays against the original player, and is drawn again if it loses too little.
    pub(super) fn draw(&mut self, number: u32) -> Result<Event> {
        ensure!(
            number <= MAX_DRAWS,
            "no start was found that loses {:.0} %: expected parameters that matter more",
            super::state::MIN_DRAW_LOSS_PERCENT
        );
        let config = &self.run.state.config;
        let space = config.build_space()?;
        let (rehearsal, draw) = (config.rehearsal.unwrap_or(0), u64::from(number - 1));
        let mut random = random_stream([config.settings.seed, rehearsal.into(), draw]);
        let axes = space.axes().iter();
        let point: Vec<f64> = axes.map(|axis| moved(axis, &mut random)).collect();
        let values = space.values(&point);
        let (objective, players) = (
            config.objective,
            [space.start_player(), space.player(&values)],
        );
        let pairs = self.play_seeds(Stage::Draw(number), &players, DRAW_SEEDS)?;
        let pairs = pairs.context(NO_TIME_LIMIT)?;
        let estimate = objective.estimate(1, &pairs);
        let percent_change = estimate.context(NO_SCORE)?.mean;
        Ok(Event::Draw(DrawnStart {
            values,
            percent_change,
        }))
    }

    /// Measures the recovery: the original player, the start and the result play the same held-out
    /// seeds.
    pub(super) fn measure_recovery(&mut self) -> Result<Event> {
        let state = &self.run.state;
        let objective = state.config.objective;
        let count = RECOVERY_SEEDS.min(state.limits.max_pairs).max(2);
        let result = state
            .passed_judgement()
            .map_or(0, |judgement| judgement.generation);
        let original = state.config.build_space()?.start_player();
        let players = [original, state.player(0), state.player(result)];
        let points = self.play_seeds(Stage::Recovery, &players, count)?;
        let points = points.context(NO_TIME_LIMIT)?;
        let against = |player: usize| {
            let pairs = points.iter().map(|all| [all[0], all[player]]);
            let pairs: Vec<_> = pairs.collect();
            objective.estimate(1, &pairs).context(NO_SCORE)
        };
        let result = against(2)?;
        Ok(Event::Recovery(Recovery {
            seeds: self.run.seeds(Stage::Recovery, count),
            start_percent_change: against(1)?.mean,
            result_percent_change: result.mean,
            interval: result.interval,
        }))
    }
}

/// Draws the coordinate of a moved start, and clamps it to the range. If the opposite coordinate, also
/// clamped, is farther from 0, returns that one instead.
fn moved(axis: &Axis, random: &mut impl Rng) -> f64 {
    let number = random.next_u64();
    let share = (number >> 11) as f64 / (1_u64 << 53) as f64;
    let far = DRAW_DISTANCE[0] + (DRAW_DISTANCE[1] - DRAW_DISTANCE[0]) * share;
    let far = if number & 1 == 0 { far } else { -far };
    let [wanted, opposite] = [far, -far].map(|far| axis.clamp(far));
    if wanted.abs() >= opposite.abs() {
        wanted
    } else {
        opposite
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot_player::BotPlayer;
    use crate::search::space::axes_of_weights;

    #[test]
    fn a_start_is_three_to_eight_steps_away() {
        let axes = axes_of_weights(&[], &BotPlayer::default()).unwrap();
        for draw in 0..200 {
            let mut random = random_stream([1, 2, draw]);
            for axis in &axes {
                let far = moved(axis, &mut random).abs();
                assert!((3.0 - 1e-9..=8.0).contains(&far), "{} {far}", axis.name);
            }
        }
    }
}
