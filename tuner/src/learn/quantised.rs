//! Quantisation: rounds a model to the integer network of the bot.

use crate::learn::model::{Model, OUTPUT_SCALE};
use columns_bot::learned::{features::FEATURE_COUNT, networks::Network};
use columns_core::network::{FEATURE_SCALE, HIDDEN_UNITS, OUTPUT_WEIGHT_SCALE, WEIGHT_SCALE};

/// The maximum factor by which quantisation multiplies the input weights of a unit. A larger factor would
/// make the unit's output weight too coarse.
const MAX_STRETCH: f64 = 16.0;

/// The maximum absolute value of an integer weight of the first layer.
const MAX_FIRST_LAYER_WEIGHT: f64 = 46.0;
/// The maximum absolute value of an integer weight of the output layer or the linear part.
pub const MAX_OUTPUT_WEIGHT: f64 = 4324.0;
/// The maximum absolute value of the integer bias of a hidden unit.
pub const MAX_BIAS: f64 = 402_178.0;

/// Rounds a value, and clamps it to plus or minus `max`.
fn round_clamped(value: f64, max: f64) -> f64 {
    value.round().clamp(-max, max)
}

/// Converts a model to the bot's integer network. Clamps the parameters to their ranges. If the model has
/// fewer units than the network, the parameters of the other units are 0.
///
/// # Panics
/// Panics if the number of features is not [`FEATURE_COUNT`], or if the model has more than [`HIDDEN_UNITS`]
/// units.
pub fn quantise(model: &Model) -> Box<Network> {
    let features = FEATURE_COUNT;
    let hidden = model.hidden_units;
    assert!(model.feature_count == features && hidden <= HIDDEN_UNITS);
    let mut network = Box::new(Network::ZERO);
    for i in 0..features {
        network.feature_means[i / 2][i % 2] = model.feature_means[i] as i16;
        let scale = f64::from(model.feature_scales[i]) * FEATURE_SCALE * 256.0;
        network.feature_factors[i / 2][i % 2] = scale.round().min(32_767.0) as i16;
        let weight = f64::from(model.parameters[model.linear_start() + i] * OUTPUT_SCALE);
        network.linear_weights[i / 2][i % 2] =
            round_clamped(weight * WEIGHT_SCALE, MAX_OUTPUT_WEIGHT) as i16;
    }
    for unit in 0..hidden {
        // Multiply the input weights and the bias of a unit by a factor, and divide its output weight by the
        // same factor. The output of the network stays the same, but the integers use more of their range.
        let weights = (0..features).map(|i| model.parameters[i * hidden + unit].abs());
        let max_weight = f64::from(weights.fold(0.0, f32::max));
        let stretch = (MAX_FIRST_LAYER_WEIGHT / (max_weight * WEIGHT_SCALE)).min(MAX_STRETCH);
        for i in 0..features {
            let weight = f64::from(model.parameters[i * hidden + unit]);
            network.hidden_weights[i / 2][unit][i % 2] =
                round_clamped(weight * stretch * WEIGHT_SCALE, MAX_FIRST_LAYER_WEIGHT) as i16;
        }
        let bias = f64::from(model.parameters[model.bias_start() + unit]);
        network.hidden_biases[unit] =
            round_clamped(bias * stretch * FEATURE_SCALE * WEIGHT_SCALE, MAX_BIAS) as i32;
        let weight = f64::from(model.parameters[model.output_start() + unit] * OUTPUT_SCALE);
        network.output_weights[unit] =
            round_clamped(weight / stretch * OUTPUT_WEIGHT_SCALE, MAX_OUTPUT_WEIGHT) as i16;
    }
    network
}
