//! The numbers of a network that are refined by playing: all but the weights of its first layer.
//!
//! A network is fitted to rank the states of a layer, but its purpose is a high score. Here its
//! linear part, output layer, biases and the scales of its features are the space of a search. The
//! step of each number is measured: it is the change that makes the values of the states of one
//! layer spread by one match.

use super::space::Axis;
use crate::learn::whole::whole;
use columns_bot::learned::features::FEATURES;
use columns_bot::learned::networks::Network;
use columns_bot::observe::watch::{play_watched, RolloutConfig, Seen, Watch};
use columns_bot::search::Player;
use columns_core::beam::Budget;
use columns_core::network::{largest, HIDDEN, SCALE};
use columns_core::rules::case::Case;
use columns_core::simd::Portable;

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

/// The parts of a network and where their numbers begin and end among the [`numbers`], with the
/// number of characters that hold one of them.
const PARTS: [(&str, usize, usize, usize); 4] = [
    ("linear", 0, FEATURES, 2),
    ("scale", FEATURES, SCALES, 3),
    ("output", SCALES, SCALES + HIDDEN, 2),
    ("bias", SCALES + HIDDEN, COUNT, 3),
];

/// The numbers of a network as axes, such as `linear 0`, with steps of 0.
pub(super) fn axes(network: &Network) -> impl Iterator<Item = Axis> {
    let numbers = numbers(network);
    PARTS
        .into_iter()
        .flat_map(move |(part, first, end, characters)| {
            let most = match part {
                "scale" => f64::from(i16::MAX),
                _ => f64::from(largest(characters)),
            };
            let axis = |(index, &start): (usize, &f64)| Axis {
                name: format!("{part} {index}"),
                start,
                lowest: if part == "scale" { 0.0 } else { -most },
                highest: most,
                step: 0.0,
            };
            let axes: Vec<Axis> = numbers[first..end].iter().enumerate().map(axis).collect();
            axes
        })
}

/// A network with other values of some numbers, given by the names of their [`axes`].
///
/// # Panics
/// If a network has no number of such a name.
pub(super) fn with_named(network: &Network, values: &[(&str, f64)]) -> Box<Network> {
    let mut numbers = numbers(network);
    for &(name, value) in values {
        let place = name.split_once(' ').and_then(|(part, index)| {
            let (_, first, end, _) = PARTS.into_iter().find(|(known, ..)| *known == part)?;
            numbers[first..end].get_mut(index.parse::<usize>().ok()?)
        });
        *place.expect("an axis of this network") = value;
    }
    with(network, &numbers)
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

    /// The change of each number of a network that makes the values of some games spread by one match
    /// (a standard deviation); 0 if no change does.
    pub fn steps(games: &[Self], network: &Network) -> Vec<f64> {
        let layers: usize = games.iter().map(|game| game.layers).sum();
        let step = |(number, probe): (usize, f64)| {
            let variances = games.iter().map(|game| game.variances[number]);
            let spread = (variances.sum::<f64>() / layers as f64).sqrt();
            if spread > LEAST {
                probe.abs() / spread
            } else {
                0.0
            }
        };
        let probes = probes(&numbers(network));
        probes.into_iter().enumerate().map(step).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use columns_bot::eval::weights::Weights;
    use columns_bot::learned::networks;
    use columns_core::network::largest;

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
    fn every_number_has_an_axis() {
        let network = networks::in_use().unwrap().any;
        let all: Vec<Axis> = axes(network).collect();
        let starts: Vec<f64> = all.iter().map(|axis| axis.start).collect();
        assert_eq!(starts, numbers(network));
        let named: Vec<(&str, f64)> = all.iter().map(|a| (a.name.as_str(), a.highest)).collect();
        let most: Vec<f64> = all.iter().map(|axis| axis.highest).collect();
        assert_eq!(numbers(&with_named(network, &named)), most);
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
        let units = Spread::steps(&[spread.clone(), spread], networks.any);
        // Width, height and the number of colours first.
        assert_eq!(units[..3], [0.0; 3]);
        assert!(units.iter().filter(|&&unit| unit > 0.0).count() > COUNT / 2);
        assert!(units.iter().all(|unit| unit.is_finite()));
    }
}
