//! The search: random changes in mirrored pairs, and steps along the gradient that they estimate.
//!
//! The search moves a centre through the space of the parameters. A generation plays many cases, each of them
//! twice: with a random change to all parameters of the centre, and with the opposite change. The difference
//! between the two results is the weight of a step along that change (mirrored sampling: T. Salimans et al.,
//! *Evolution Strategies as a Scalable Alternative to Reinforcement Learning*, 2017, arXiv:1703.03864). The
//! optimiser Adam moves the centre, so that parameters with weak and with strong effects move at about the
//! same speed (D. P. Kingma, J. Ba, *Adam: A Method for Stochastic Optimization*, ICLR 2015,
//! arXiv:1412.6980). The steps shrink with a power of the number of generations so far, so the search need
//! not know the total number of generations in advance.
//!
//! The result is not the centre, which keeps moving, but the average of all centres. Later centres weigh more
//! (O. Shamir, T. Zhang, *Stochastic Gradient Descent for Non-smooth Optimization*, ICML 2013).
//!
//! Coordinates are in steps of the fitted parameters ([`space`]), relative to the start. For a network, these
//! steps are measured ([`network_parameters`]). The same differences produce bit-identical coordinates on
//! every machine.

pub mod axis;
pub mod network_parameters;
mod normal;
pub mod space;

use columns_cases::digest::Digest;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use space::Space;

/// The settings of a search, which the user may choose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// Number of pairs of games in a generation, at least 2.
    pub pairs_per_generation: u32,
    /// Standard deviation of a change, in steps of the parameters.
    pub noise: f64,
    /// Maximum move of a parameter in the first generation, in steps.
    pub learning_rate: f64,
    /// Seed of the random changes. As part of the configuration, it also affects the seeds of the cases.
    pub seed: u64,
}

/// The state of a search between two generations.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Number of generations so far.
    pub generation_count: u32,
    /// The centre, around which the next generation plays.
    pub centre: Vec<f64>,
    /// The average of the centres, the result so far.
    pub average: Vec<f64>,
    /// Adam's running mean of the gradient, one number for each parameter.
    first_moment: Vec<f64>,
    /// Adam's running mean of the squared gradient, one number for each parameter.
    second_moment: Vec<f64>,
}

/// Adam's decay rates β₁ and β₂: the shares that the two moments keep from one generation to the next.
const ADAM_BETAS: [f64; 2] = [0.9, 0.98];

/// The scale of the decay of the steps, in generations. After g generations, the steps are
/// multiplied by (1 + g / `DECAY_GENERATIONS`) to the power of −[`DECAY_EXPONENT`].
const DECAY_GENERATIONS: f64 = 30.0;
/// The exponent of the decay of the steps: see [`DECAY_GENERATIONS`].
const DECAY_EXPONENT: f64 = 0.75;

/// The exponent of the weights in the average. The centre after generation g has a weight of about
/// g to this power, so early centres fade.
const AVERAGING_EXPONENT: f64 = 3.0;

/// The maximum absolute difference, as a multiple of the root mean square of a generation's differences.
/// Larger differences are clipped to this value: the differences have heavy tails, and a few games would
/// otherwise make up most of the noise.
const CLIP_RMS: f64 = 1.5;

/// Returns the random stream that three numbers determine, such as a seed, a generation and a pair. Streams
/// with different numbers are independent.
pub(crate) fn random_stream(numbers: [u64; 3]) -> Xoshiro256PlusPlus {
    let bytes = numbers.map(u64::to_le_bytes).concat();
    Xoshiro256PlusPlus::seed_from_u64(Digest::new(&bytes).to_u64())
}

impl Search {
    /// Creates a search at the origin of a space of `count` dimensions, where each parameter has its start
    /// value.
    pub fn new(count: usize) -> Self {
        Self {
            generation_count: 0,
            centre: vec![0.0; count],
            average: vec![0.0; count],
            first_moment: vec![0.0; count],
            second_moment: vec![0.0; count],
        }
    }

    /// Returns the two points of a pair of the next generation: the centre with a random change, and with the
    /// opposite change. Both are clamped to the space.
    pub fn mirrored_points(
        &self,
        settings: &SearchSettings,
        space: &Space,
        pair: u32,
    ) -> [Vec<f64>; 2] {
        let mut random = random_stream([settings.seed, self.generation_count.into(), pair.into()]);
        let draw = |_| settings.noise * normal::draw(&mut random);
        let change: Vec<f64> = self.centre.iter().map(draw).collect();
        [1.0, -1.0].map(|sign| {
            let both = self.centre.iter().zip(&change);
            space.clamp(both.map(|(x, change)| x + sign * change))
        })
    }

    /// Estimates the change in the value of a game for one step of each parameter. `differences` holds the
    /// results of the next generation: for each pair, the value of its first point minus the value of its
    /// second point, in any unit. The differences are clipped, so all estimates are too small by about the
    /// same factor. Adam cancels this factor.
    ///
    /// # Panics
    /// Panics if the number of differences is not the number of pairs.
    pub fn estimate_gradient(
        &self,
        settings: &SearchSettings,
        space: &Space,
        differences: &[f64],
    ) -> Vec<f64> {
        assert_eq!(differences.len(), settings.pairs_per_generation as usize);
        let count = differences.len() as f64;
        let squares: f64 = differences.iter().map(|x| x * x).sum();
        let limit = CLIP_RMS * libm::sqrt(squares / count);
        let mut gradient = vec![0.0; self.centre.len()];
        for (pair, difference) in (0..settings.pairs_per_generation).zip(differences) {
            let [plus, minus] = self.mirrored_points(settings, space, pair);
            let height = difference.clamp(-limit, limit) / count;
            for (i, gradient) in gradient.iter_mut().enumerate() {
                // Use the points, not the drawn change: clamping to the range may have shortened the change.
                *gradient +=
                    height * (plus[i] - minus[i]) / (4.0 * settings.noise * settings.noise);
            }
        }
        gradient
    }

    /// Moves the centre along the [`gradient`](Self::estimate_gradient) of the next generation, and updates
    /// the average.
    pub fn apply_gradient(&mut self, settings: &SearchSettings, space: &Space, gradient: &[f64]) {
        let generation = f64::from(self.generation_count);
        self.generation_count += 1;
        let learning_rate = settings.learning_rate
            * libm::pow(1.0 + generation / DECAY_GENERATIONS, -DECAY_EXPONENT);
        // Adam's bias correction: the running means begin at 0.
        let [first_correction, second_correction] =
            ADAM_BETAS.map(|beta| 1.0 - libm::pow(beta, generation + 1.0));
        let share = (AVERAGING_EXPONENT + 1.0) / (generation + 1.0 + AVERAGING_EXPONENT);
        for (i, gradient) in gradient.iter().enumerate().take(self.centre.len()) {
            self.first_moment[i] += (1.0 - ADAM_BETAS[0]) * (gradient - self.first_moment[i]);
            self.second_moment[i] +=
                (1.0 - ADAM_BETAS[1]) * (gradient * gradient - self.second_moment[i]);
            let size = libm::sqrt(self.second_moment[i] / second_correction);
            if size > 0.0 {
                self.centre[i] += learning_rate * self.first_moment[i] / first_correction / size;
            }
        }
        self.centre = space.clamp(self.centre.iter().copied());
        for (average, centre) in self.average.iter_mut().zip(&self.centre) {
            *average += share * (centre - *average);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot_player::BotPlayer;
    use crate::player::Player;

    const SETTINGS: SearchSettings = SearchSettings {
        pairs_per_generation: 80,
        noise: 1.5,
        learning_rate: 0.5,
        seed: 7,
    };

    fn space() -> Space {
        let player = BotPlayer::default();
        let axes = space::axes_of_weights(&[], &player).unwrap();
        let start = Player::Bot { player, work_us: 1 };
        Space::new(space::Target::Weights, &axes, &start).unwrap()
    }

    /// Moves a search along the gradient estimated from the differences of a generation. Returns the
    /// gradient.
    fn step(
        search: &mut Search,
        settings: &SearchSettings,
        space: &Space,
        differences: &[f64],
    ) -> Vec<f64> {
        let gradient = search.estimate_gradient(settings, space, differences);
        search.apply_gradient(settings, space, &gradient);
        gradient
    }

    /// Computes the differences of a generation in a landscape with its peak at `top` and with noise of
    /// standard deviation `noise`.
    fn differences(search: &Search, space: &Space, top: &[f64], noise: f64) -> Vec<f64> {
        let mut random = random_stream([1, 2, search.generation_count.into()]);
        let mut height = |point: &[f64]| {
            let off = point.iter().zip(top).map(|(x, top)| (x - top).powi(2));
            -0.001 * off.sum::<f64>() + noise * normal::draw(&mut random)
        };
        (0..SETTINGS.pairs_per_generation)
            .map(|pair| {
                let [plus, minus] = search.mirrored_points(&SETTINGS, space, pair);
                height(&plus) - height(&minus)
            })
            .collect()
    }

    #[test]
    fn the_search_climbs_to_the_top_and_stays_there() {
        let space = space();
        let count = space.axes().len();
        let top = space.clamp((0..count).map(|i| if i % 2 == 0 { 6.0 } else { -4.0 }));
        let distance = |point: &[f64]| {
            let off = point.iter().zip(&top).map(|(x, top)| (x - top).powi(2));
            off.sum::<f64>()
        };
        let mut search = Search::new(count);
        let mut shares = Vec::new();
        for generation in 1..=400 {
            let differences = differences(&search, &space, &top, 0.15);
            step(&mut search, &SETTINGS, &space, &differences);
            if generation % 100 == 0 {
                shares.push(distance(&search.average) / distance(&vec![0.0; count]));
            }
        }
        assert!(shares[0] < 0.1 && shares[3] < 0.02, "{shares:?}");
        assert!(shares.is_sorted_by(|a, b| *b < 1.2 * a), "{shares:?}");
    }

    #[test]
    fn the_gradient_is_that_of_the_landscape() {
        let space = space();
        let count = space.axes().len();
        let mut top = vec![0.0; count];
        // At the start, the value of a game rises by 0.002 per step towards the top.
        top[3] = 1.0;
        let (pairs_per_generation, noise) = (4000, 0.01);
        let settings = SearchSettings {
            pairs_per_generation,
            noise,
            ..SETTINGS
        };
        let mut search = Search::new(count);
        let height = |point: &[f64]| -0.001 * (point[3] - top[3]).powi(2);
        let differences: Vec<f64> = (0..settings.pairs_per_generation)
            .map(|pair| {
                let [plus, minus] = search.mirrored_points(&settings, &space, pair);
                height(&plus) - height(&minus)
            })
            .collect();
        let gradient = step(&mut search, &settings, &space, &differences);
        // Clipping makes all estimates about an eighth smaller if the differences are normally distributed.
        assert!((0.0016..0.0019).contains(&gradient[3]), "{gradient:?}");
        let mut others = (0..count).filter(|&i| i != 3);
        assert!(others.all(|i| gradient[i].abs() < 0.0003), "{gradient:?}");
        assert!(search.centre[3] > 0.4);
    }

    #[test]
    fn points_stay_inside_and_each_seed_gives_its_own_search() {
        let space = space();
        let search = Search::new(space.axes().len());
        let noise = 1000.0;
        let wide = SearchSettings { noise, ..SETTINGS };
        for pair in 0..SETTINGS.pairs_per_generation {
            for point in search.mirrored_points(&wide, &space, pair) {
                assert_eq!(point, space.clamp(point.iter().copied()));
            }
        }
        let all: Vec<Vec<f64>> = [(7, 0), (7, 1), (8, 0), (8, 1), (6, 1)]
            .map(|(seed, pair)| {
                search.mirrored_points(&SearchSettings { seed, ..SETTINGS }, &space, pair)[0]
                    .clone()
            })
            .into();
        for (i, point) in all.iter().enumerate() {
            assert!(!all[..i].contains(point));
        }
    }

    #[test]
    fn equal_results_do_not_move_the_search() {
        let space = space();
        let mut search = Search::new(space.axes().len());
        let gradient = step(&mut search, &SETTINGS, &space, &[0.0; 80]);
        assert!(gradient.iter().chain(&search.average).all(|&x| x == 0.0));
    }
}
