//! A rehearsal of a fit: it begins at starts that are known to be bad, and measures how much of
//! their loss a fit recovers.

use crate::games::batch::{Batch, Game, Players};
use crate::games::objective::Objective;
use crate::games::play::Played;
use crate::normal;
use crate::units::{LogRatio, Share, Unit};
use anyhow::{bail, Result};
use columns_bot::eval::weights::Weights;
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use columns_judge::stats::Estimate;
use rand_xoshiro::rand_core::RngCore;

use super::space::{Axis, Space};

/// How far a parameter is moved at least and at most, in its steps.
const MOVED: [f64; 2] = [3.0, 8.0];

/// A start loses at least this share of the score.
pub const LOSS: f64 = 0.12;

/// The most draws of a start.
const MOST_DRAWS: u64 = 1000;

/// The games by which a rehearsal measures.
pub struct Measure<'a> {
    /// What the cases are like.
    pub spec: &'a Spec,
    /// Microseconds of work a game.
    pub work: u64,
    /// What a fit makes large.
    pub objective: Objective,
}

impl Measure<'_> {
    /// Plays the seeds with each of some weights. `None` if it was stopped.
    ///
    /// # Errors
    /// Why games cannot be played.
    pub fn play(
        &self,
        players: &mut dyn Players,
        weights: &[Weights],
        seeds: SeedRange,
    ) -> Result<Option<Vec<Vec<Played>>>> {
        let each = 0..weights.len();
        let games: Vec<Game> = each
            .flat_map(|weights| seeds.into_iter().map(move |seed| Game { weights, seed }))
            .collect();
        let batch = Batch {
            spec: self.spec,
            work: self.work,
            weights,
            games: &games,
        };
        let mut played = Vec::with_capacity(games.len());
        players.play(&batch, &mut |_, timed| {
            played.push(timed.played);
            Ok(())
        })?;
        let count = seeds.count() as usize;
        let whole = played.len() == games.len();
        Ok(whole.then(|| played.chunks_exact(count).map(<[Played]>::to_vec).collect()))
    }

    /// How much better games are than others on the same cases, in percent of the score.
    pub fn gain(&self, games: &[Played], others: &[Played]) -> Estimate {
        match self.objective {
            Objective::Log => gain::<LogRatio>(games, others),
            Objective::Sum => gain::<Share>(games, others),
        }
    }
}

fn gain<U: Unit>(games: &[Played], others: &[Played]) -> Estimate {
    let usual = others.iter().map(|game| game.points as f64).sum::<f64>() / others.len() as f64;
    let pairs = games.iter().zip(others);
    let gains = pairs.map(|(game, other)| U::between(game.points, other.points, usual).number());
    Estimate::of(&gains.collect::<Vec<_>>()).map(|gain| U::new(gain).percent().0)
}

/// A start for a rehearsal: each parameter of the space is moved by 3 to 8 steps inside its range,
/// one way or the other, and the start loses at least [`LOSS`] against the middle of the space, on
/// the seeds. `None` if it was stopped.
///
/// # Errors
/// If no such start is found, or why games cannot be played.
pub fn start(
    space: &Space,
    number: [u64; 2],
    measure: &Measure,
    players: &mut dyn Players,
    seeds: SeedRange,
) -> Result<Option<Weights>> {
    for draw in 0..MOST_DRAWS {
        let mut random = normal::stream([number[0], number[1], draw]);
        let moved = space.axes().iter().map(|axis| moved(axis, &mut random));
        let weights = space.weights(&moved.collect::<Vec<_>>());
        let both = [space.start().clone(), weights.clone()];
        let Some(games) = measure.play(players, &both, seeds)? else {
            return Ok(None);
        };
        if measure.gain(&games[1], &games[0]).mean <= -100.0 * LOSS {
            return Ok(Some(weights));
        }
    }
    bail!(
        "no start was found that loses {:.0} %: expected parameters that matter more",
        100.0 * LOSS
    )
}

/// A coordinate at the distance from 0 by which a start is moved. Where the range ends before, it
/// is on the other side of 0, or nearer.
fn moved(axis: &Axis, random: &mut impl RngCore) -> f64 {
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

    #[test]
    fn a_start_is_three_to_eight_steps_away() {
        let space = Space::of_names(&[], &Weights::default()).unwrap();
        for draw in 0..200 {
            let mut random = normal::stream([1, 2, draw]);
            for axis in space.axes() {
                let far = moved(axis, &mut random).abs();
                assert!((3.0 - 1e-9..=8.0).contains(&far), "{} {far}", axis.name);
            }
        }
    }
}
