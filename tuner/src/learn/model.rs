//! The small network in floating point: a hidden layer of rectified linear units beside a linear
//! part, on standardised features.

use crate::learn::dataset::Group;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The maximum distance of a standardised feature from its mean, in standard deviations.
pub const FEATURE_CLAMP: f32 = 6.25;

/// The maximum scale of a feature. The scale is the inverse of the feature's standard deviation. The
/// quantised network stores a scale in a 16-bit integer.
const MAX_SCALE: f64 = 1.99;

/// The value of a model output of 1, in matches.
pub const OUTPUT_SCALE: f32 = 20.0;

/// The network in floating point. All parameters that training changes are in a single list, so that the
/// optimiser can treat them alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Number of features of a state, the inputs of the network.
    pub feature_count: usize,
    /// Number of units of the hidden layer, between the features and the output.
    pub hidden_units: usize,
    /// Mean of each feature over the training states, rounded to an integer.
    pub feature_means: Vec<f32>,
    /// Inverse standard deviation of each feature, at most `MAX_SCALE`; 0 for a constant feature.
    pub feature_scales: Vec<f32>,
    /// The parameters that training changes, in this order: the first layer (a row for each feature), its
    /// biases, the output layer, the linear part, and the logarithm of the temperature. The temperature is in
    /// units of [`OUTPUT_SCALE`].
    pub parameters: Vec<f32>,
}

/// The forward pass of one state through the network.
#[derive(Debug, Clone)]
pub struct ForwardPass {
    /// The hand-set value plus the output of the model, in matches, relative to the hand-set value of
    /// the group's first state.
    pub value: f32,
    input: Vec<f32>,
    hidden: Vec<f32>,
}

impl Model {
    /// Creates a model whose output is 0, since its output layer and its linear part are 0. The features are
    /// standardised by their means and standard deviations over `groups`.
    pub fn new(feature_count: usize, hidden_units: usize, seed: u64, groups: &[&Group]) -> Self {
        let states = || {
            groups
                .iter()
                .flat_map(|group| group.features.chunks_exact(feature_count))
        };
        let count = states().count() as f64;
        let means = |value_of: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
            let mut sums = vec![0.0; feature_count];
            for state in states() {
                for (i, &feature) in state.iter().enumerate() {
                    sums[i] += value_of(i, feature.into());
                }
            }
            sums.iter().map(|sum| sum / count).collect()
        };
        let mean: Vec<f64> = means(&|_, feature| feature)
            .iter()
            .map(|mean| mean.round())
            .collect();
        let variance = means(&|i, feature| (feature - mean[i]).powi(2));
        let scale = variance.iter().map(|&variance| {
            let scale = (1.0 / variance.sqrt()).min(MAX_SCALE);
            if variance < 1e-6 { 0.0 } else { scale as f32 }
        });
        let mut model = Self {
            feature_count,
            hidden_units,
            feature_scales: scale.collect(),
            feature_means: mean.iter().map(|&mean| mean as f32).collect(),
            parameters: Vec::new(),
        };
        model.parameters = vec![0.0; model.parameter_count()];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let max_weight = (1.5 / feature_count as f32).sqrt();
        let first_layer = ..model.bias_start();
        for weight in &mut model.parameters[first_layer] {
            *weight = random.random_range(-max_weight..max_weight);
        }
        model
    }

    /// Returns the index of the first bias in the list of parameters.
    pub fn bias_start(&self) -> usize {
        self.feature_count * self.hidden_units
    }

    /// Returns the index of the first parameter of the output layer.
    pub fn output_start(&self) -> usize {
        self.bias_start() + self.hidden_units
    }

    /// Returns the index of the first parameter of the linear part.
    pub fn linear_start(&self) -> usize {
        self.output_start() + self.hidden_units
    }

    /// Returns the number of parameters, including the temperature.
    pub fn parameter_count(&self) -> usize {
        self.linear_start() + self.feature_count + 1
    }

    /// True if weight decay applies to the parameter with this index. The biases and the temperature do not
    /// decay.
    pub fn has_weight_decay(&self, parameter: usize) -> bool {
        let biases = self.bias_start()..self.output_start();
        parameter + 1 < self.parameter_count() && !biases.contains(&parameter)
    }

    /// Returns the temperature of the softmax, in matches.
    pub fn temperature(&self) -> f32 {
        self.parameters[self.parameter_count() - 1].exp() * OUTPUT_SCALE
    }

    /// Computes the value of each state of a group: see [`ForwardPass::value`].
    pub fn values(&self, group: &Group) -> Vec<f32> {
        self.forward(group).iter().map(|pass| pass.value).collect()
    }

    /// Passes the states of a group through the network.
    pub fn forward(&self, group: &Group) -> Vec<ForwardPass> {
        let states = group.features.chunks_exact(self.feature_count);
        let both = states.zip(group.relative_hand_set_values());
        both.map(|(state, base)| self.forward_state(state, base))
            .collect()
    }

    fn forward_state(&self, state: &[i16], base: f32) -> ForwardPass {
        let standardise = |(i, &feature): (usize, &i16)| {
            ((f32::from(feature) - self.feature_means[i]) * self.feature_scales[i])
                .clamp(-FEATURE_CLAMP, FEATURE_CLAMP)
        };
        let input: Vec<f32> = state.iter().enumerate().map(standardise).collect();
        let mut hidden = self.parameters[self.bias_start()..self.output_start()].to_vec();
        for (&input, row) in input
            .iter()
            .zip(self.parameters.chunks_exact(self.hidden_units))
        {
            for (sum, &weight) in hidden.iter_mut().zip(row) {
                *sum += input * weight;
            }
        }
        for sum in &mut hidden {
            *sum = sum.max(0.0);
        }
        let value = dot(&hidden, &self.parameters[self.output_start()..])
            + dot(&input, &self.parameters[self.linear_start()..]);
        ForwardPass {
            value: base + value * OUTPUT_SCALE,
            input,
            hidden,
        }
    }

    /// Adds to `gradient` the derivative of a state's value with respect to the parameters, times `factor`.
    pub fn backward(&self, pass: &ForwardPass, factor: f32, gradient: &mut [f32]) {
        let factor = factor * OUTPUT_SCALE;
        let output = &self.parameters[self.output_start()..];
        let units = pass.hidden.iter().zip(output);
        let hidden_gradient: Vec<f32> = units
            .map(|(&unit, weight)| if unit > 0.0 { factor * weight } else { 0.0 })
            .collect();
        add_scaled(&mut gradient[self.bias_start()..], 1.0, &hidden_gradient);
        add_scaled(&mut gradient[self.output_start()..], factor, &pass.hidden);
        add_scaled(&mut gradient[self.linear_start()..], factor, &pass.input);
        for (row, &input) in gradient
            .chunks_exact_mut(self.hidden_units)
            .zip(&pass.input)
        {
            add_scaled(row, input, &hidden_gradient);
        }
    }
}

/// Returns the dot product of `a` and the beginning of `b`.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor` times each element of `numbers` to the element of `sums` at the same index.
fn add_scaled(sums: &mut [f32], factor: f32, numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += factor * number;
    }
}
