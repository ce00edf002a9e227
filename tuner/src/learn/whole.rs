//! Quantisation: converts a model to the integers that the games compute with.

use super::model::{Model, OUT};
use columns_core::network::{largest, Mlp, HIDDEN, OUTPUT, UNIT, WEIGHT};

/// The maximum factor by which the weights into a unit are stretched. A larger factor would make
/// the weights out of the unit too coarse.
const LARGEST_STRETCH: f64 = 16.0;

/// Rounds a value, and clamps it to the range that a network's text can hold in this number of
/// characters.
pub(crate) fn whole(value: f64, characters: usize) -> f64 {
    let most = f64::from(largest(characters));
    value.round().clamp(-most, most)
}

/// Converts a model to integers.
///
/// # Panics
/// If the number of features is not `2 * PAIRS`, or if the model has more than [`HIDDEN`] units.
pub fn network<const PAIRS: usize>(model: &Model) -> Box<Mlp<PAIRS>> {
    let features = 2 * PAIRS;
    let hidden = model.hidden;
    assert!(model.features == features && hidden <= HIDDEN);
    let mut network = Box::new(Mlp::ZERO);
    for i in 0..features {
        network.mean[i / 2][i % 2] = model.mean[i] as i16;
        let scale = f64::from(model.scale[i]) * UNIT * 256.0;
        network.scale[i / 2][i % 2] = scale.round().min(32_767.0) as i16;
        let weight = f64::from(model.parameters[model.linear() + i] * OUT);
        network.linear[i / 2][i % 2] = whole(weight * WEIGHT, 2) as i16;
    }
    for unit in 0..hidden {
        // Stretching the weights into a unit and shrinking the weights out of it changes nothing,
        // but makes better use of the range of a weight.
        let weights = (0..features).map(|i| model.parameters[i * hidden + unit].abs());
        let most = f64::from(weights.fold(0.0, f32::max));
        let stretch = (f64::from(largest(1)) / (most * WEIGHT)).min(LARGEST_STRETCH);
        for i in 0..features {
            let weight = f64::from(model.parameters[i * hidden + unit]);
            network.first[i / 2][unit][i % 2] = whole(weight * stretch * WEIGHT, 1) as i16;
        }
        let bias = f64::from(model.parameters[model.bias() + unit]);
        network.bias[unit] = whole(bias * stretch * UNIT * WEIGHT, 3) as i32;
        let weight = f64::from(model.parameters[model.output() + unit] * OUT);
        network.output[unit] = whole(weight / stretch * OUTPUT, 2) as i16;
    }
    network
}
