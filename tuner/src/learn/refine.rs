//! Refining a network by playing: an evolution strategy on all but the weights of its first layer.
//!
//! A network is fitted to rank the states of a layer, but its purpose is a high score. Here its
//! linear part, output layer, biases and the scales of its features change at random, all at once;
//! a case is played with the change and with its opposite, and the difference of the two scores
//! tells how far to move in that direction. Hundreds of such pairs make a step. (Mirrored sampling
//! and a plain step along the estimated gradient, as in Salimans et al., "Evolution Strategies as a
//! Scalable Alternative to Reinforcement Learning", 2017, arXiv:1703.03864; the result is the mean
//! of the centres so far, the later ones counting more, as in Shamir and Zhang, "Stochastic
//! Gradient Descent for Non-smooth Optimization", ICML 2013.)

use super::whole::whole;
use crate::normal;
use columns_bot::learned::features::FEATURES;
use columns_bot::learned::networks::Network;
use columns_bot::observe::watch::{play_watched, RolloutConfig, Seen, Watch};
use columns_bot::search::Player;
use columns_core::beam::Budget;
use columns_core::network::{HIDDEN, SCALE};
use columns_core::rules::case::Case;
use columns_core::simd::Portable;
use serde::{Deserialize, Serialize};

/// Numbers of a network that are refined.
pub const COUNT: usize = 2 * FEATURES + 2 * HIDDEN;

/// The numbers that are refined: the linear part, the scales of the features, the output layer, the
/// biases.
pub fn numbers(network: &Network) -> Vec<f64> {
    let linear = network.linear.iter().flatten().map(|&x| f64::from(x));
    let scale = network.scale.iter().flatten().map(|&x| f64::from(x));
    let output = network.output.iter().map(|&x| f64::from(x));
    let bias = network.bias.iter().map(|&x| f64::from(x));
    linear.chain(scale).chain(output).chain(bias).collect()
}

/// A network with other [`numbers`], as near to them as its text can hold.
///
/// # Panics
/// If there are not [`COUNT`] numbers.
pub fn with(network: &Network, numbers: &[f64]) -> Box<Network> {
    assert_eq!(numbers.len(), COUNT);
    let mut changed = Box::new(network.clone());
    let (linear, others) = numbers.split_at(FEATURES);
    let (scale, hidden) = others.split_at(FEATURES);
    let (output, bias) = hidden.split_at(HIDDEN);
    for (to, &number) in changed.linear.iter_mut().flatten().zip(linear) {
        *to = whole(number, 2) as i16;
    }
    for (to, &number) in changed.scale.iter_mut().flatten().zip(scale) {
        *to = whole(number, 3).clamp(0.0, f64::from(i16::MAX)) as i16;
    }
    for (to, &number) in changed.output.iter_mut().zip(output) {
        *to = whole(number, 2) as i16;
    }
    for (to, &number) in changed.bias.iter_mut().zip(bias) {
        *to = whole(number, 3) as i32;
    }
    changed
}

/// How much the values of the states of one layer spread when a number is changed by its probe.
#[derive(Debug, Clone)]
pub struct Spread {
    /// For each number the variance of the values, in matches, added up over layers.
    variances: Vec<f64>,
    /// The number of these layers.
    layers: usize,
}

impl Spread {
    /// Measures the layers of a game.
    pub fn of(network: &Network, player: Player, width: usize, case: &Case) -> Self {
        let mut look = Look::new(network);
        play_watched(case, player, Budget::Width(width), &mut look);
        look.spread
    }

    /// The change of each number of a network that makes the values of some games spread by `noise`
    /// matches (a standard deviation); 0 if no change does.
    pub fn units(games: &[Self], network: &Network, noise: f64) -> Vec<f64> {
        let layers: usize = games.iter().map(|game| game.layers).sum();
        let unit = |(number, probe): (usize, f64)| {
            let variances = games.iter().map(|game| game.variances[number]);
            let spread = (variances.sum::<f64>() / layers as f64).sqrt();
            if spread > LEAST {
                noise * probe.abs() / spread
            } else {
                0.0
            }
        };
        let probes = probes(&numbers(network));
        probes.into_iter().enumerate().map(unit).collect()
    }
}

/// The effect of a probe, in matches, up to which it counts as none: values are rounded.
const LEAST: f64 = 0.02;

/// The number of layers from one that is looked at to the next.
const EVERY: usize = 16;

/// The change of each number that shows its effect: large against the rounding of a value; for a
/// scale a share of it. It goes towards 0, so that the number stays within its range.
fn probes(start: &[f64]) -> Vec<f64> {
    let probe = |(index, &number): (usize, &f64)| {
        let size = match index {
            FEATURES..SCALES => (number / 4.0).round().max(1.0),
            _ => 2000.0,
        };
        -size.copysign(number)
    };
    start.iter().enumerate().map(probe).collect()
}

/// Where the scales end.
const SCALES: usize = 2 * FEATURES;

struct Look<'a> {
    network: &'a Network,
    /// The network with one number changed.
    changed: Vec<Box<Network>>,
    spread: Spread,
}

impl<'a> Look<'a> {
    fn new(network: &'a Network) -> Self {
        let start = numbers(network);
        let probes = probes(&start);
        let changed = (0..COUNT).map(|number| {
            let mut numbers = start.clone();
            numbers[number] += probes[number];
            with(network, &numbers)
        });
        Self {
            network,
            changed: changed.collect(),
            spread: Spread {
                variances: vec![0.0; COUNT],
                layers: 0,
            },
        }
    }
}

impl Watch for Look<'_> {
    fn evaluated(
        &mut self,
        layer: usize,
        states: Vec<Seen>,
        _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        if layer % EVERY != EVERY - 1 {
            return;
        }
        self.spread.layers += 1;
        let value = |network: &Network, state: &Seen| network.value(Portable, &state.features);
        let before: Vec<i32> = states.iter().map(|s| value(self.network, s)).collect();
        let changed = self.spread.variances.iter_mut().zip(&self.changed);
        for (variance, changed) in changed {
            let after = states.iter().map(|state| value(changed, state));
            let changes = after
                .zip(&before)
                .map(|(after, before)| f64::from(after - before) / f64::from(SCALE));
            let changes: Vec<f64> = changes.collect();
            let count = changes.len() as f64;
            let mean = changes.iter().sum::<f64>() / count;
            *variance += changes.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        }
    }
}

/// The settings of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Pairs of games a generation.
    pub pairs: usize,
    /// The length of a step divided by that of the estimated gradient of the log score.
    pub rate: f64,
    /// The seed of the random changes.
    pub seed: u64,
}

/// The most that a difference of two log scores counts.
const FAR: f64 = 0.4;

/// How much more the later centres count: the greater, the fewer of the early ones are in the mean.
const LATER: f64 = 3.0;

/// The search between two generations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// Generations so far.
    pub generation: u32,
    /// The centre: where the search is.
    centre: Vec<f64>,
    /// The average of the centres: the result.
    mean: Vec<f64>,
}

/// The result of a generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The length of the estimated gradient.
    pub gradient: f64,
    /// Its mean length if the network did not change the scores at all.
    pub chance: f64,
    /// The distance of the centre from the start.
    pub moved: f64,
}

impl Search {
    /// A search for `count` numbers, at its start.
    pub fn new(count: usize) -> Self {
        Self {
            generation: 0,
            centre: vec![0.0; count],
            mean: vec![0.0; count],
        }
    }

    /// The result so far, as changes from the start.
    pub fn result(&self) -> &[f64] {
        &self.mean
    }

    /// The change that a pair of the present generation tries: standard normal numbers, the same on
    /// every machine. Their stream belongs to seed, generation and pair together: if it belonged to
    /// the sum of the three, a search with seed 2 would be that with seed 1, one pair further on.
    fn change(&self, settings: &Settings, pair: usize) -> Vec<f64> {
        let mut random = normal::stream([settings.seed, self.generation.into(), pair as u64]);
        self.centre
            .iter()
            .map(|_| normal::draw(&mut random))
            .collect()
    }

    /// The two points that a pair of the present generation plays.
    pub fn pair(&self, settings: &Settings, pair: usize) -> [Vec<f64>; 2] {
        let change = self.change(settings, pair);
        [1.0, -1.0].map(|sign| {
            let both = self.centre.iter().zip(&change);
            both.map(|(centre, change)| centre + sign * change)
                .collect()
        })
    }

    /// Moves the centre by the results of the present generation: for each pair the log score of
    /// its first point less that of its second.
    ///
    /// # Panics
    /// If there are not as many differences as pairs.
    pub fn step(&mut self, settings: &Settings, differences: &[f64]) -> Step {
        assert_eq!(differences.len(), settings.pairs);
        let pairs = differences.len() as f64;
        let mut gradient = vec![0.0; self.centre.len()];
        let mut squares = 0.0;
        for (pair, difference) in differences.iter().enumerate() {
            let half = difference.clamp(-FAR, FAR) / 2.0;
            squares += half * half;
            for (sum, change) in gradient.iter_mut().zip(self.change(settings, pair)) {
                *sum += half * change / pairs;
            }
        }
        self.generation += 1;
        let share = (LATER + 1.0) / (f64::from(self.generation) + LATER);
        for i in 0..gradient.len() {
            self.centre[i] += settings.rate * gradient[i];
            self.mean[i] += share * (self.centre[i] - self.mean[i]);
        }
        let length = |numbers: &[f64]| numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        Step {
            gradient: length(&gradient),
            chance: (squares * gradient.len() as f64).sqrt() / pairs,
            moved: length(&self.centre),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_bot::eval::weights::Weights;
    use columns_bot::learned::networks;
    use columns_core::network::largest;
    use rand_xoshiro::rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::HashSet;

    const SETTINGS: Settings = Settings {
        pairs: 200,
        rate: 20.0,
        seed: 7,
    };

    #[test]
    fn the_numbers_of_a_network_are_its_last_layer() {
        let network = networks::in_use().unwrap().any;
        let start = numbers(network);
        assert_eq!(start.len(), COUNT);
        assert_eq!(*with(network, &start), *network);
        let mut other = start.clone();
        other[0] += 1.0;
        other[FEATURES] *= 1.5;
        other[SCALES] = 1e9;
        other[COUNT - 1] -= 2.4;
        let changed = with(network, &other);
        assert_eq!(changed.linear[0][0], network.linear[0][0] + 1);
        assert_eq!(changed.mean, network.mean);
        assert_eq!(
            f64::from(changed.scale[0][0]),
            (f64::from(network.scale[0][0]) * 1.5).round()
        );
        assert_eq!(i32::from(changed.output[0]), largest(2));
        assert_eq!(changed.bias[HIDDEN - 1], network.bias[HIDDEN - 1] - 2);
        assert_eq!(changed.first, network.first);
        assert!(Network::parse(&changed.text()).as_deref() == Some(&*changed));
    }

    #[test]
    fn what_is_the_same_for_a_layer_does_not_spread_its_values() {
        let networks = networks::in_use().unwrap();
        let weights = Weights::default();
        let player = Player {
            weights: &weights,
            network: Some(networks),
        };
        let columns = ["abc", "cab", "ddb", "bca", "dac"].repeat(10).join("\n");
        let case: Case = format!("7 14\n50\n{columns}\n").parse().unwrap();
        let spread = Spread::of(networks.any, player, 20, &case);
        let units = Spread::units(&[spread.clone(), spread], networks.any, 0.5);
        // Width, height and the number of colours first.
        assert_eq!(units[..3], [0.0; 3]);
        assert!(units.iter().filter(|&&unit| unit > 0.0).count() > COUNT / 2);
        assert!(units.iter().all(|unit| unit.is_finite()));
    }

    #[test]
    fn every_pair_of_every_seed_tries_a_change_of_its_own() {
        let mut seen = HashSet::new();
        for seed in [0, 1, 2, 3, u64::MAX] {
            let mut search = Search::new(1);
            let settings = Settings { seed, ..SETTINGS };
            for generation in 0..20 {
                search.generation = generation;
                seen.extend((0..50).map(|pair| search.change(&settings, pair)[0].to_bits()));
            }
        }
        assert_eq!(seen.len(), 5 * 20 * 50);
    }

    #[test]
    fn it_finds_the_top_of_a_hill_in_the_fog() {
        // A change of 1 along each of 40 axes costs 2 % in all; scores vary by 8 %.
        let top: Vec<f64> = (0..40).map(|i| f64::from(i % 5) - 2.0).collect();
        let height = |point: &[f64]| {
            let off = point.iter().zip(&top).map(|(x, top)| (x - top).powi(2));
            -0.0005 * off.sum::<f64>()
        };
        let mut search = Search::new(top.len());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut last = None;
        for _ in 0..100 {
            let mut differences = Vec::new();
            for pair in 0..SETTINGS.pairs {
                let [a, b] = search.pair(&SETTINGS, pair);
                differences.push(height(&a) - height(&b) + 0.08 * normal::draw(&mut random));
            }
            last = Some(search.step(&SETTINGS, &differences));
        }
        assert_eq!(search.generation, 100);
        let (before, after) = (height(&vec![0.0; 40]), height(search.result()));
        assert!(before < -0.03 && after > -0.005, "{before} {after}");
        // Little but noise is left.
        let step = last.unwrap();
        assert!(
            (0.5..1.5).contains(&(step.gradient / step.chance)),
            "{step:?}"
        );
        assert!((5.0..15.0).contains(&step.moved), "{step:?}");
    }
}
