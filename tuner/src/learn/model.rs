//! The small network in real numbers: a hidden layer of rectified linear units beside a linear
//! part, on standardised features.

use super::dataset::Group;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The furthest that a standardised feature is from its mean, in standard deviations.
pub const CLAMP: f32 = 6.25;

/// The largest scale of a feature, the inverse of its standard deviation. So a scale can be a small
/// whole number.
const LARGEST_SCALE: f64 = 1.99;

/// The network. All its parameters are one list, so that an optimiser need not know their meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The number of features of a state.
    pub features: usize,
    /// The number of units of the hidden layer.
    pub hidden: usize,
    /// The mean of each feature.
    pub mean: Vec<f32>,
    /// The inverse of the standard deviation of each feature; 0 for a feature that does not vary.
    pub scale: Vec<f32>,
    /// The first layer (a row for each feature), its biases, the output layer, the linear part, the
    /// logarithm of the temperature.
    pub parameters: Vec<f32>,
}

/// Where the parts of [`Model::parameters`] begin.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The biases.
    pub bias: usize,
    /// The output layer.
    pub output: usize,
    /// The linear part.
    pub linear: usize,
    /// The logarithm of the temperature.
    pub temperature: usize,
    /// The number of parameters.
    pub count: usize,
}

/// The scale of the model's output, in units of the game.
pub const OUT: f32 = 20.0;

/// Buffers for one state that passes through the network.
#[derive(Debug, Clone)]
pub struct Pass {
    input: Vec<f32>,
    hidden: Vec<f32>,
}

impl Model {
    /// A model that says 0, with features standardised by some groups.
    pub fn new<'a>(
        features: usize,
        hidden: usize,
        seed: u64,
        groups: impl Iterator<Item = &'a Group>,
    ) -> Self {
        let mut sums = vec![(0.0_f64, 0.0_f64); features];
        let mut states = 0.0;
        for group in groups {
            for state in group.features.chunks_exact(features) {
                states += 1.0;
                for (sum, &feature) in sums.iter_mut().zip(state) {
                    sum.0 += f64::from(feature);
                    sum.1 += f64::from(feature).powi(2);
                }
            }
        }
        let mean: Vec<f64> = sums.iter().map(|sum| (sum.0 / states).round()).collect();
        let variance = |(sum, mean): (&(f64, f64), &f64)| {
            let raw = sum.0 / states;
            (sum.1 / states - raw * raw).max(0.0) + (raw - mean).powi(2)
        };
        let scale = sums.iter().zip(&mean).map(variance).map(|variance| {
            if variance < 1e-6 {
                0.0
            } else {
                (1.0 / variance.sqrt()).min(LARGEST_SCALE) as f32
            }
        });
        let mut model = Self {
            features,
            hidden,
            scale: scale.collect(),
            mean: mean.iter().map(|&mean| mean as f32).collect(),
            parameters: Vec::new(),
        };
        let layout = model.layout();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let spread = (1.5 / features as f32).sqrt();
        model.parameters = vec![0.0; layout.count];
        for weight in &mut model.parameters[..layout.bias] {
            *weight = random.random_range(-spread..spread);
        }
        model
    }

    /// Where the parts of the parameters begin.
    pub fn layout(&self) -> Layout {
        let bias = self.features * self.hidden;
        let output = bias + self.hidden;
        let linear = output + self.hidden;
        let temperature = linear + self.features;
        Layout {
            bias,
            output,
            linear,
            temperature,
            count: temperature + 1,
        }
    }

    /// The temperature of the softmax, in units of the game.
    pub fn temperature(&self) -> f32 {
        self.parameters[self.layout().temperature].exp() * OUT
    }

    /// Buffers for one state.
    pub fn pass(&self) -> Pass {
        Pass {
            input: vec![0.0; self.features],
            hidden: vec![0.0; self.hidden],
        }
    }

    /// The model's value of a state, in units of the game.
    pub fn value(&self, state: &[i16], pass: &mut Pass) -> f32 {
        let layout = self.layout();
        for (i, input) in pass.input.iter_mut().enumerate() {
            *input = ((f32::from(state[i]) - self.mean[i]) * self.scale[i]).clamp(-CLAMP, CLAMP);
        }
        let parameters = &self.parameters;
        pass.hidden
            .copy_from_slice(&parameters[layout.bias..layout.output]);
        let rows = parameters[..layout.bias].chunks_exact(self.hidden);
        for (&input, row) in pass.input.iter().zip(rows) {
            for (sum, &weight) in pass.hidden.iter_mut().zip(row) {
                *sum += input * weight;
            }
        }
        let mut value = 0.0;
        for (sum, &weight) in pass.hidden.iter_mut().zip(&parameters[layout.output..]) {
            *sum = sum.max(0.0);
            value += *sum * weight;
        }
        for (&input, &weight) in pass.input.iter().zip(&parameters[layout.linear..]) {
            value += input * weight;
        }
        value * OUT
    }

    /// Adds to `gradient` the derivative of the last state's value by the parameters, times `by`.
    pub fn learn(&self, pass: &mut Pass, by: f32, gradient: &mut [f32]) {
        let layout = self.layout();
        let by = by * OUT;
        for j in 0..self.hidden {
            gradient[layout.output + j] += by * pass.hidden[j];
            // From here on the hidden units hold the derivatives by their sums.
            pass.hidden[j] = if pass.hidden[j] > 0.0 {
                by * self.parameters[layout.output + j]
            } else {
                0.0
            };
            gradient[layout.bias + j] += pass.hidden[j];
        }
        for (i, &input) in pass.input.iter().enumerate() {
            gradient[layout.linear + i] += by * input;
            let row = &mut gradient[i * self.hidden..(i + 1) * self.hidden];
            for (sum, &change) in row.iter_mut().zip(&pass.hidden) {
                *sum += input * change;
            }
        }
    }
}
