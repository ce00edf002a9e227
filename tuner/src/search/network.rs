//! The numbers of a network that a search fits: all but the means of its features and the weights
//! of its first layer.
//!
//! `tuner learn` fits a network to rank the states of a layer, but the purpose of the network is a
//! high score. So a search can fit its linear part, output layer, biases and the scales of its
//! features by playing games. The step of each number is measured: it is the change whose effects
//! on the values of one layer's states have a standard deviation of one match.

use super::axis::{Axis, Kind};
use columns_bot::observe::watch::{RolloutConfig, Seen, Watch, play_watched};
use columns_bot::{learned::networks::Network, search::Player};
use columns_core::network::SCALE;
use columns_core::{beam::Budget, rules::case::Case, simd::Portable};
use columns_learn::whole::{MAX_BIAS, MAX_WEIGHT};
use std::{collections::HashMap, iter};

/// Replaces each fitted number: the linear part, the scales of the features, the output layer and the
/// biases. `value` receives the axis of a number, such as `linear 0`, with a step of 0, and returns
/// the new value, which is then rounded and clamped to the range of the axis.
fn change(network: &mut Network, mut value: impl FnMut(Axis) -> f64) {
    let mut number = |name: String, start: f64, [lowest, highest]: [f64; 2]| {
        let axis = Axis {
            name,
            start,
            lowest,
            highest,
            step: 0.0,
            kind: Kind::Real,
        };
        value(axis).round().clamp(lowest, highest)
    };
    let [weights, biases] = [MAX_WEIGHT, MAX_BIAS].map(|most| [-most, most]);
    for (i, x) in network.linear.iter_mut().flatten().enumerate() {
        *x = number(format!("linear {i}"), (*x).into(), weights) as i16;
    }
    for (i, x) in network.scale.iter_mut().flatten().enumerate() {
        *x = number(format!("scale {i}"), (*x).into(), [0.0, i16::MAX.into()]) as i16;
    }
    for (i, x) in network.output.iter_mut().enumerate() {
        *x = number(format!("output {i}"), (*x).into(), weights) as i16;
    }
    for (i, x) in network.bias.iter_mut().enumerate() {
        *x = number(format!("bias {i}"), (*x).into(), biases) as i32;
    }
}

/// Returns the fitted numbers of a network. Their steps are 0 until [`Spread`] has measured them.
pub fn axes(network: &Network) -> Vec<Axis> {
    let mut axes = Vec::new();
    change(&mut network.clone(), |axis| {
        axes.push(axis.clone());
        axis.start
    });
    axes
}

/// Returns a network in which some numbers have other values. The keys of `values` are names of
/// [`axes`].
pub(super) fn with(network: &Network, values: &HashMap<&str, f64>) -> Box<Network> {
    let mut changed = Box::new(network.clone());
    change(&mut changed, |axis| {
        let value = values.get(&*axis.name);
        value.copied().unwrap_or(axis.start)
    });
    changed
}

/// Returns the network unchanged, then a copy for each of its [`axes`] with that number changed by a
/// probe.
pub fn probed(network: &Network) -> Vec<Box<Network>> {
    let changed = |axis: Axis| with(network, &[(&*axis.name, axis.start + probe(&axis))].into());
    let changed = axes(network).into_iter().map(changed);
    iter::once(Box::new(network.clone()))
        .chain(changed)
        .collect()
}

/// The effects of the numbers of a network, measured in one game. The effect of a number on a state
/// is the change of the state's value when the number is changed by its probe. The spread is the
/// standard deviation of these effects within a layer.
#[derive(Debug, Clone)]
pub struct Spread<'a> {
    networks: &'a [Box<Network>],
    /// For each number, the sum over layers of the variance of its effects, in matches squared.
    variances: Vec<f64>,
    /// The number of layers measured so far.
    layers: usize,
}

impl<'a> Spread<'a> {
    /// Measures the layers of a game with the [`probed`] networks.
    pub fn of(networks: &'a [Box<Network>], player: Player, width: usize, case: &Case) -> Self {
        let mut spread = Self {
            networks,
            variances: vec![0.0; networks.len() - 1],
            layers: 0,
        };
        play_watched(case, player, Budget::Width(width), &mut spread);
        spread
    }

    /// Returns the numbers of a network that have an effect in these games, with their steps. A step is
    /// the change whose effects on the values have a standard deviation of one match.
    pub fn axes(games: &[Self], network: &Network) -> Vec<Axis> {
        let layers: usize = games.iter().map(|game| game.layers).sum();
        let axis = |(number, axis): (usize, Axis)| {
            let variances = games.iter().map(|game| game.variances[number]);
            let spread = (variances.sum::<f64>() / layers as f64).sqrt();
            let step = probe(&axis).abs() / spread;
            (spread > LEAST).then_some(Axis { step, ..axis })
        };
        axes(network)
            .into_iter()
            .enumerate()
            .filter_map(axis)
            .collect()
    }
}

/// The spread, in matches, that rounding alone can cause. A number of the network is fitted only if
/// its spread is larger.
const LEAST: f64 = 0.02;

/// The number of layers from one measured layer to the next.
const EVERY: usize = 16;

/// Returns the change of a number by which its effect is measured: a quarter of a scale, but at
/// least 1, and 2000 for any other number. Such a change is large compared with the rounding of a
/// value. Only scales have a lowest value of 0. The change points towards 0, so that the number
/// stays within its range.
fn probe(axis: &Axis) -> f64 {
    let size = match axis.lowest {
        0.0 => (axis.start / 4.0).round().max(1.0),
        _ => 2000.0,
    };
    -size.copysign(axis.start)
}

impl Watch for Spread<'_> {
    fn evaluated(
        &mut self,
        layer: usize,
        states: Vec<Seen>,
        _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        if layer % EVERY != EVERY - 1 {
            return;
        }
        self.layers += 1;
        let value = |network: &Network, state: &Seen| network.value(Portable, &state.features);
        let before = states.iter().map(|state| value(&self.networks[0], state));
        let before: Vec<i32> = before.collect();
        let changed = self.variances.iter_mut().zip(&self.networks[1..]);
        for (variance, changed) in changed {
            let after = states.iter().map(|state| value(changed, state));
            let changes = after.zip(&before);
            let changes = changes.map(|(a, b)| f64::from(a - b) / f64::from(SCALE));
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
    use columns_bot::learned::features::FEATURES;
    use columns_bot::learned::networks;
    use columns_core::network::HIDDEN;

    #[test]
    fn all_numbers_but_the_first_layer_can_change() {
        let network = networks::in_use().unwrap().any;
        assert_eq!(*with(network, &HashMap::new()), *network);
        let start: HashMap<String, f64> = axes(network)
            .into_iter()
            .map(|axis| (axis.name, axis.start))
            .collect();
        assert_eq!(start.len(), 2 * (FEATURES + HIDDEN));
        let last = format!("bias {}", HIDDEN - 1);
        let other = [
            ("linear 0", start["linear 0"] + 1.0),
            ("scale 0", start["scale 0"] * 1.5),
            ("output 0", 1e9),
            (&last, start[&last] - 2.4),
        ];
        let changed = with(network, &other.into());
        assert_eq!(changed.linear[0][0], network.linear[0][0] + 1);
        assert_eq!(changed.mean, network.mean);
        assert_eq!(
            f64::from(changed.scale[0][0]),
            (f64::from(network.scale[0][0]) * 1.5).round()
        );
        assert_eq!(f64::from(changed.output[0]), MAX_WEIGHT);
        assert_eq!(changed.bias[HIDDEN - 1], network.bias[HIDDEN - 1] - 2);
        assert_eq!(changed.first, network.first);
        assert!(Network::parse(&changed.text()).as_deref() == Some(&*changed));
        // Every number can have its highest value.
        let axes = axes(network);
        let named = axes.iter().map(|axis| (axis.name.as_str(), axis.highest));
        let most = super::axes(&with(network, &named.collect()));
        assert!(most.iter().all(|axis| axis.start == axis.highest));
    }

    #[test]
    fn features_that_are_equal_over_a_layer_have_no_effect() {
        let networks = networks::in_use().unwrap();
        let weights = Weights::default();
        let player = Player {
            weights: &weights,
            network: Some(networks),
        };
        let columns = ["abc", "cab", "ddb", "bca", "dac"].repeat(10).join("\n");
        let case: Case = format!("7 14\n50\n{columns}\n").parse().unwrap();
        let probed = probed(networks.any);
        let spread = Spread::of(&probed, player, 20, &case);
        let measured = Spread::axes(&[spread.clone(), spread], networks.any);
        // Width, height and the number of colours are the same for all states of a layer.
        let first = ["linear 0", "linear 1", "linear 2"];
        assert!(!measured.iter().any(|axis| first.contains(&&*axis.name)));
        assert!(measured.len() > axes(networks.any).len() / 2);
        assert!(
            measured
                .iter()
                .all(|axis| axis.step > 0.0 && axis.step.is_finite())
        );
    }
}
