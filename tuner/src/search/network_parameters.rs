//! The network parameters that a search fits: all except the means of the features and the weights of the
//! first layer. All parameters are integers.
//!
//! `tuner learn` fits a network to rank the states of a layer, but the purpose of the network is a high
//! score. A search can therefore fit some parameters by playing games: the linear part, the output layer, the
//! biases and the scales of the features.
//!
//! The step of a parameter is measured. A change in the parameter changes the values of a layer's states by
//! different amounts. The step is the change that gives these amounts a standard deviation of one match.

use super::axis::{Axis, ValueKind};
use crate::learn::quantised::{MAX_BIAS, MAX_OUTPUT_WEIGHT};
use anyhow::Result;
use columns_bot::observe::states::{ObservedState, RolloutConfig, StateObserver, play_observed};
use columns_bot::{learned::networks::Network, search::Player};
use columns_cli::pool::Pool;
use columns_core::network::VALUE_SCALE;
use columns_core::{beam::Budget, rules::case::Case, simd::Portable};
use columns_generator::{Spec, generate};
use std::sync::atomic::AtomicBool;
use std::{collections::BTreeMap, iter, ops::ControlFlow};

/// Replaces each fitted parameter: the linear part, the scales of the features, the output layer and the
/// biases. The function `new_value` returns the new value of a parameter, which is then rounded and clamped
/// to the parameter's range.
fn replace_parameters(network: &mut Network, mut new_value: impl FnMut(Axis) -> f64) {
    let mut replace = |name: String, start: f64, [min, max]: [f64; 2]| {
        let parameter = Axis {
            name,
            start,
            min,
            max,
            step: 0.0,
            kind: ValueKind::Real,
        };
        new_value(parameter).round().clamp(min, max)
    };
    let [weights, biases] = [MAX_OUTPUT_WEIGHT, MAX_BIAS].map(|max| [-max, max]);
    for (i, x) in network.linear_weights.iter_mut().flatten().enumerate() {
        *x = replace(format!("linear {i}"), (*x).into(), weights) as i16;
    }
    for (i, x) in network.feature_factors.iter_mut().flatten().enumerate() {
        *x = replace(format!("scale {i}"), (*x).into(), [0.0, i16::MAX.into()]) as i16;
    }
    for (i, x) in network.output_weights.iter_mut().enumerate() {
        *x = replace(format!("output {i}"), (*x).into(), weights) as i16;
    }
    for (i, x) in network.hidden_biases.iter_mut().enumerate() {
        *x = replace(format!("bias {i}"), (*x).into(), biases) as i32;
    }
}

/// Lists the fitted parameters of a network, with the range of values that the network can hold. A name
/// consists of a part of the network and an index, such as `linear 0`. The steps are 0: see
/// [`measure_steps`].
pub fn fitted_parameters(network: &Network) -> Vec<Axis> {
    let mut parameters = Vec::new();
    replace_parameters(&mut network.clone(), |parameter| {
        parameters.push(parameter.clone());
        parameter.start
    });
    parameters
}

/// Returns a copy of the network with other values for some parameters, rounded and clamped to their ranges.
/// The keys of `values` are the names in [`fitted_parameters`].
pub fn with_parameter_values(network: &Network, values: &BTreeMap<&str, f64>) -> Box<Network> {
    let mut changed = Box::new(network.clone());
    replace_parameters(&mut changed, |parameter| {
        let value = values.get(&*parameter.name);
        value.copied().unwrap_or(parameter.start)
    });
    changed
}

/// Returns copies of the network. The first copy is unchanged; each other copy has one of the
/// [`fitted_parameters`] changed by its [`probe`].
fn probed_copies(network: &Network) -> Vec<Box<Network>> {
    let changed =
        |one: Axis| with_parameter_values(network, &[(&*one.name, one.start + probe(&one))].into());
    let changed = fitted_parameters(network).into_iter().map(changed);
    iter::once(Box::new(network.clone()))
        .chain(changed)
        .collect()
}

/// The number of cases that [`measure_steps`] plays.
pub const MEASURED_CASES: usize = 32;

/// Plays [`MEASURED_CASES`] cases with beams of this width, to measure the steps of a network's parameters.
/// Calls `on_case_done` after each case. Returns the parameters that have an effect, each with its step;
/// `None` if `stop` was set before the last case.
///
/// # Errors
/// Returns an error if a thread cannot be started.
pub fn measure_steps(
    network: &Network,
    player: Player,
    width: usize,
    case_spec: &Spec,
    pool: &Pool,
    stop: &AtomicBool,
    on_case_done: impl Fn(),
) -> Result<Option<Vec<Axis>>> {
    let networks = probed_copies(network);
    let measure = |index: usize| {
        let case = generate(1 + index as u64, case_spec);
        ParameterEffects::new(&networks, player, width, &case)
    };
    let mut effects = Vec::new();
    let played = pool.map_ordered(MEASURED_CASES, stop, measure, |_, game_effects| {
        effects.push(game_effects);
        on_case_done();
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((played == MEASURED_CASES).then(|| ParameterEffects::steps(&effects, network)))
}

/// The effects of a network's parameters, measured in one game.
///
/// The effect of a parameter on a state is the change in the state's value when the parameter is changed by
/// its [`probe`]. The spread is the standard deviation of these effects within a layer.
#[derive(Debug, Clone)]
struct ParameterEffects<'a> {
    networks: &'a [Box<Network>],
    /// For each parameter, the sum over layers of the variance of its effects, in matches squared.
    variances: Vec<f64>,
    /// The number of layers measured so far.
    layers: usize,
}

impl<'a> ParameterEffects<'a> {
    /// Measures the layers of a game with the networks of [`probed_copies`].
    fn new(networks: &'a [Box<Network>], player: Player, width: usize, case: &Case) -> Self {
        let mut effects = Self {
            networks,
            variances: vec![0.0; networks.len() - 1],
            layers: 0,
        };
        play_observed(case, player, Budget::Width(width), &mut effects);
        effects
    }

    /// Returns the parameters of a network that have an effect in these games, each with its step.
    fn steps(games: &[Self], network: &Network) -> Vec<Axis> {
        let layers: usize = games.iter().map(|game| game.layers).sum();
        let step = |(index, parameter): (usize, Axis)| {
            let variances = games.iter().map(|game| game.variances[index]);
            let spread = (variances.sum::<f64>() / layers as f64).sqrt();
            let step = probe(&parameter).abs() / spread;
            (spread > MIN_SPREAD).then_some(Axis { step, ..parameter })
        };
        let parameters = fitted_parameters(network).into_iter().enumerate();
        parameters.filter_map(step).collect()
    }
}

/// The spread, in matches, that rounding by itself can cause. A search fits only parameters with a larger
/// spread.
const MIN_SPREAD: f64 = 0.02;

/// The number of layers from one measured layer to the next.
const LAYERS_PER_MEASUREMENT: usize = 16;

/// Returns the probe of a parameter: the change that measures its effect. For a scale, the size of the change
/// is a quarter of the value, but at least 1. For any other parameter, it is 2000. This function recognises
/// scales by their minimum of 0, which no other parameter has.
///
/// The change is large compared with the rounding of a value, and points towards 0, so that the parameter
/// stays within its range.
fn probe(parameter: &Axis) -> f64 {
    let size = match parameter.min {
        0.0 => (parameter.start / 4.0).round().max(1.0),
        _ => 2000.0,
    };
    -size.copysign(parameter.start)
}

impl StateObserver for ParameterEffects<'_> {
    fn on_evaluated(
        &mut self,
        layer: usize,
        states: Vec<ObservedState>,
        _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        if layer % LAYERS_PER_MEASUREMENT != LAYERS_PER_MEASUREMENT - 1 {
            return;
        }
        self.layers += 1;
        let value = |network: &Network, state: &ObservedState| {
            network.compute_value(Portable, &state.features)
        };
        let before = states.iter().map(|state| value(&self.networks[0], state));
        let before: Vec<i32> = before.collect();
        let changed = self.variances.iter_mut().zip(&self.networks[1..]);
        for (variance, changed) in changed {
            let after = states.iter().map(|state| value(changed, state));
            let changes = after.zip(&before);
            let changes = changes.map(|(a, b)| f64::from(a - b) / f64::from(VALUE_SCALE));
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
    use columns_bot::learned::features::FEATURE_COUNT;
    use columns_bot::learned::networks;
    use columns_core::network::HIDDEN_UNITS;

    #[test]
    fn all_parameters_but_the_first_layer_can_change() {
        let network = networks::built_in_networks().unwrap().any_colours;
        assert_eq!(*with_parameter_values(network, &BTreeMap::new()), *network);
        let start: BTreeMap<String, f64> = fitted_parameters(network)
            .into_iter()
            .map(|parameter| (parameter.name, parameter.start))
            .collect();
        assert_eq!(start.len(), 2 * (FEATURE_COUNT + HIDDEN_UNITS));
        let last = format!("bias {}", HIDDEN_UNITS - 1);
        let other = [
            ("linear 0", start["linear 0"] + 1.0),
            ("scale 0", start["scale 0"] * 1.5),
            ("output 0", 1e9),
            (&last, start[&last] - 2.4),
        ];
        let changed = with_parameter_values(network, &other.into());
        assert_eq!(
            changed.linear_weights[0][0],
            network.linear_weights[0][0] + 1
        );
        assert_eq!(changed.feature_means, network.feature_means);
        assert_eq!(
            f64::from(changed.feature_factors[0][0]),
            (f64::from(network.feature_factors[0][0]) * 1.5).round()
        );
        assert_eq!(f64::from(changed.output_weights[0]), MAX_OUTPUT_WEIGHT);
        assert_eq!(
            changed.hidden_biases[HIDDEN_UNITS - 1],
            network.hidden_biases[HIDDEN_UNITS - 1] - 2
        );
        assert_eq!(changed.hidden_weights, network.hidden_weights);
        assert!(Network::parse(&changed.to_text()).as_deref() == Some(&*changed));
        // Every parameter can have its largest value.
        let all = fitted_parameters(network);
        let named = all.iter().map(|one| (one.name.as_str(), one.max));
        let most = fitted_parameters(&with_parameter_values(network, &named.collect()));
        assert!(most.iter().all(|one| one.start == one.max));
    }

    #[test]
    fn features_that_are_equal_over_a_layer_have_no_effect() {
        let networks = networks::built_in_networks().unwrap();
        let weights = Weights::default();
        let player = Player {
            weights: &weights,
            networks: Some(networks),
        };
        let columns = ["abc", "cab", "ddb", "bca", "dac"].repeat(10).join("\n");
        let case: Case = format!("7 14\n50\n{columns}\n").parse().unwrap();
        let copies = probed_copies(networks.any_colours);
        let effects = ParameterEffects::new(&copies, player, 20, &case);
        let measured = ParameterEffects::steps(&[effects.clone(), effects], networks.any_colours);
        // Width, height and the number of colours are the same for all states of a layer.
        let first = ["linear 0", "linear 1", "linear 2"];
        assert!(!measured.iter().any(|one| first.contains(&&*one.name)));
        assert!(measured.len() > fitted_parameters(networks.any_colours).len() / 2);
        assert!(
            measured
                .iter()
                .all(|one| one.step > 0.0 && one.step.is_finite())
        );
    }
}
