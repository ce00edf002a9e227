//! The fit of a model to groups, and the quality of its ranking.
//!
//! In a group with rollout values, the error of a state is (hand-set value + model output) − rollout value.
//! The errors are centred on their mean over the group, and measured in units of [`OUTPUT_SCALE`]. The loss
//! of the group is the sum of their Huber losses: half the square of a small error, linear in a large error.
//!
//! The loss of a group without rollout values is the cross-entropy of its first state under a softmax of
//! (hand-set value + model output) / temperature. Mixing the softmax with the uniform distribution bounds the
//! loss of a group whose first state is ranked far too low.
//!
//! The optimiser is Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight
//! Decay Regularization", ICLR 2019). The outcome does not depend on the number of threads.

use crate::learn::dataset::Group;
use crate::learn::model::{Model, OUTPUT_SCALE};
use clap::Args;
use columns_bot::learned::{features::FEATURE_COUNT, networks::Network};
use columns_cli::options::{integer_between, number_between};
use columns_core::simd::Portable;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::fmt;

/// The settings of a fit, which the network file records.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct TrainingSettings {
    /// Number of passes over all groups
    #[arg(long, value_name = "N", default_value_t = 14,
        value_parser = number_between("times", 1, 1000_usize))]
    pub epochs: usize,
    /// Number of groups per step
    #[arg(long = "batch", value_name = "N", default_value_t = 64,
        value_parser = number_between("groups", 1, 1_usize << 16))]
    pub batch_size: usize,
    /// Weight decay per step, as a multiple of the learning rate
    #[arg(long = "decay", value_name = "X", default_value_t = 0.2,
        value_parser = number_between("a number", 0.0, 1.0_f32))]
    pub weight_decay: f32,
    /// Seed of the initial weights and of the order of the groups
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_between(0, u64::MAX))]
    pub seed: u64,
}

/// The base learning rate. Two factors scale it: a linear warm-up over [`WARM_UP_STEPS`] steps, and a cosine
/// decay from 1 to 0 over all steps.
const LEARNING_RATE: f32 = 0.003;
/// The number of steps over which the learning rate rises.
const WARM_UP_STEPS: f32 = 100.0;

/// Adam's decay rates β₁ and β₂: the shares that the running averages of the gradient and of its
/// square keep from one step to the next.
const ADAM_BETAS: [f32; 2] = [0.9, 0.999];

/// The weight of the uniform distribution that is mixed into the softmax of a group.
const UNIFORM_SHARE: f32 = 0.05;

/// The threshold of the Huber loss, in matches. The loss is quadratic up to this error, and linear
/// above it.
const HUBER_THRESHOLD: f32 = 40.0;

/// The maximum number of parts of a batch. It does not depend on the number of threads, so neither does the
/// rounding of the sums.
const MAX_PARTS: usize = 16;

impl TrainingSettings {
    /// Fits a model. After each epoch, `report` receives its number, its mean loss and the model.
    pub fn fit(
        &self,
        model: &mut Model,
        groups: &[&Group],
        mut report: impl FnMut(usize, f64, &Model),
    ) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut order = groups.to_vec();
        let steps = self.epochs * groups.len().div_ceil(self.batch_size);
        let (mut first_moment, mut second_moment) = (
            vec![0.0_f32; model.parameter_count()],
            vec![0.0_f32; model.parameter_count()],
        );
        let mut step = 0;
        for epoch in 1..=self.epochs {
            order.shuffle(&mut random);
            let mut total = 0.0;
            for batch in order.chunks(self.batch_size) {
                let (gradient, loss) = batch_gradient(model, batch);
                total += loss;
                step += 1;
                let warm_up = (step as f32 / WARM_UP_STEPS).min(1.0);
                let angle = std::f32::consts::PI * step as f32 / steps as f32;
                let learning_rate = LEARNING_RATE * warm_up * 0.5 * (1.0 + angle.cos());
                let [first_correction, second_correction] =
                    ADAM_BETAS.map(|beta| 1.0 - beta.powi(step));
                for (i, gradient) in gradient.into_iter().enumerate() {
                    first_moment[i] += (1.0 - ADAM_BETAS[0]) * (gradient - first_moment[i]);
                    second_moment[i] +=
                        (1.0 - ADAM_BETAS[1]) * (gradient * gradient - second_moment[i]);
                    let change = first_moment[i]
                        / first_correction
                        / ((second_moment[i] / second_correction).sqrt() + 1e-8);
                    let decay = if model.has_weight_decay(i) {
                        self.weight_decay
                    } else {
                        0.0
                    };
                    model.parameters[i] -= learning_rate * (change + decay * model.parameters[i]);
                }
            }
            report(epoch, total / groups.len() as f64, model);
        }
    }
}

/// Computes the mean gradient and the total loss of some groups.
fn batch_gradient(model: &Model, groups: &[&Group]) -> (Vec<f32>, f64) {
    let parts = groups
        .par_chunks(groups.len().div_ceil(MAX_PARTS))
        .map(|part| {
            let mut gradient = vec![0.0; model.parameter_count()];
            let losses = part
                .iter()
                .map(|group| add_gradient(model, group, &mut gradient));
            let loss: f64 = losses.sum();
            (gradient, loss)
        });
    let (mut gradient, mut total) = (vec![0.0; model.parameter_count()], 0.0);
    for (part, loss) in parts.collect::<Vec<_>>() {
        total += loss;
        for (sum, value) in gradient.iter_mut().zip(part) {
            *sum += value / groups.len() as f32;
        }
    }
    (gradient, total)
}

/// Computes the loss of a group, and adds its gradient to `gradient`.
fn add_gradient(model: &Model, group: &Group, gradient: &mut [f32]) -> f64 {
    let passes = model.forward(group);
    let values: Vec<f32> = passes.iter().map(|pass| pass.value).collect();
    if !group.rollout_values.is_empty() {
        let both = values.iter().zip(group.relative_rollout_values());
        let errors = centred(both.map(|(value, truth)| value - truth));
        let clamped: Vec<f32> = errors
            .iter()
            .map(|error| error.clamp(-HUBER_THRESHOLD, HUBER_THRESHOLD))
            .collect();
        for (pass, error) in passes.iter().zip(centred(clamped.iter().copied())) {
            model.backward(pass, error / OUTPUT_SCALE / OUTPUT_SCALE, gradient);
        }
        let both = errors.iter().zip(clamped);
        let losses = both.map(|(error, clamped)| clamped * (error - clamped / 2.0));
        return losses
            .map(|loss| f64::from(loss / OUTPUT_SCALE / OUTPUT_SCALE))
            .sum();
    }
    let temperature = model.temperature();
    let probabilities = softmax(&values, temperature);
    let mixed = mix_with_uniform(&probabilities);
    // d loss / d value of state i = (1 − `UNIFORM_SHARE`) p_0 / mixed × (p_i − [i = 0]) / temperature
    let weight = (1.0 - UNIFORM_SHARE) * probabilities[0] / mixed / temperature;
    let mut mean = 0.0;
    for (i, (pass, probability)) in passes.iter().zip(&probabilities).enumerate() {
        mean += probability * (values[i] - values[0]);
        let factor = weight * (probability - f32::from(u8::from(i == 0)));
        model.backward(pass, factor, gradient);
    }
    gradient[model.parameter_count() - 1] -= weight * mean;
    -f64::from(mixed.ln())
}

/// Subtracts the mean from each number.
fn centred(numbers: impl Iterator<Item = f32>) -> Vec<f32> {
    let numbers: Vec<f32> = numbers.collect();
    let mean = numbers.iter().sum::<f32>() / numbers.len() as f32;
    numbers.into_iter().map(|number| number - mean).collect()
}

/// Computes the softmax of the values of a group at a temperature: the probability of each state.
fn softmax(values: &[f32], temperature: f32) -> Vec<f32> {
    let max = values.iter().copied().fold(f32::MIN, f32::max);
    let exponentials = values.iter().map(|v| ((v - max) / temperature).exp());
    let exponentials: Vec<f32> = exponentials.collect();
    let sum: f32 = exponentials.iter().sum();
    exponentials.into_iter().map(|e| e / sum).collect()
}

/// Returns the probability of the first state after mixing the softmax with the uniform distribution.
fn mix_with_uniform(probabilities: &[f32]) -> f32 {
    (1.0 - UNIFORM_SHARE) * probabilities[0] + UNIFORM_SHARE / probabilities.len() as f32
}

/// The quality of the ranking of states within their groups. A metric is NaN if there are no groups that it
/// applies to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankingQuality {
    /// The mean loss of groups without rollout values, in nats.
    pub loss: f64,
    /// Among the groups without rollout values, the share in which the first state is ranked highest.
    pub top_1_accuracy: f64,
    /// The mean rank-biserial correlation in groups without rollout values: 2 p − 1, where p is the chance
    /// that the first state is ranked above another state of its group.
    pub rank_biserial: f64,
    /// The correlation of predicted values and rollout values, both centred on their group means.
    pub value_correlation: f64,
}

impl RankingQuality {
    /// Measures how well the values from `value_of` rank the states of groups.
    pub fn new(
        groups: &[&Group],
        temperature: f32,
        value_of: impl Fn(&Group) -> Vec<f32> + Sync,
    ) -> Self {
        let sums = groups.par_iter().map(|group| {
            let values = value_of(group);
            if group.rollout_values.is_empty() {
                let [loss, first, correlation] = ranking_metrics(&values, temperature);
                return [1.0, loss, first, correlation, 0.0, 0.0, 0.0];
            }
            let both = centred(values.into_iter());
            let both = both
                .into_iter()
                .zip(centred(group.relative_rollout_values()));
            both.fold([0.0; 7], |[a, b, c, d, xy, xx, yy], (x, y)| {
                let (x, y) = (f64::from(x), f64::from(y));
                [a, b, c, d, xy + x * y, xx + x * x, yy + y * y]
            })
        });
        let sums: Vec<[f64; 7]> = sums.collect();
        let total = |i: usize| sums.iter().map(|sums| sums[i]).sum::<f64>();
        Self {
            loss: total(1) / total(0),
            top_1_accuracy: total(2) / total(0),
            rank_biserial: total(3) / total(0),
            value_correlation: total(4) / (total(5) * total(6)).sqrt(),
        }
    }

    /// Measures how well the hand-set values plus the outputs of a model rank the states of groups.
    pub fn from_model(model: &Model, groups: &[&Group]) -> Self {
        Self::new(groups, model.temperature(), |group| model.values(group))
    }

    /// Measures how well the hand-set values plus the outputs of a network rank the states of groups.
    pub fn from_network(network: &Network, temperature: f32, groups: &[&Group]) -> Self {
        Self::new(groups, temperature, |group| {
            let states = group
                .features
                .chunks_exact(FEATURE_COUNT)
                .zip(group.relative_hand_set_values());
            let value =
                |(state, base)| base + network.compute_value(Portable, state) as f32 / 256.0;
            states.map(value).collect()
        })
    }

    /// Measures how well the hand-set values alone rank the states of groups. Tries several temperatures, and
    /// returns the best result.
    #[expect(clippy::missing_panics_doc, reason = "there are temperatures")]
    pub fn from_hand_set_values(groups: &[&Group]) -> Self {
        let at = |temperature| {
            Self::new(groups, temperature, |group| {
                group.relative_hand_set_values().collect()
            })
        };
        let all = [5.0, 10.0, 20.0, 40.0, 80.0].map(at).into_iter();
        // The loss, plus one minus the correlation with the rollout values. If one of the two terms is NaN,
        // only the other one counts.
        let total = |quality: &Self| -> f64 {
            let parts = [quality.loss, 1.0 - quality.value_correlation];
            parts.into_iter().filter(|part| !part.is_nan()).sum()
        };
        let best = all.min_by(|a, b| total(a).total_cmp(&total(b)));
        best.expect("there are temperatures")
    }
}

/// Computes three metrics of a group without rollout values: the loss; 1 if the first state is ranked
/// highest, otherwise 0; and the rank-biserial correlation.
fn ranking_metrics(values: &[f32], temperature: f32) -> [f64; 3] {
    let loss = -f64::from(mix_with_uniform(&softmax(values, temperature)).ln());
    let (one, others) = (values[0], &values[1..]);
    let below = others.iter().filter(|&&v| v < one).count();
    let above = others.iter().filter(|&&v| v > one).count();
    let first = f64::from(u8::from(below == others.len()));
    let correlation = (below as f64 - above as f64) / others.len() as f64;
    [loss, first, correlation]
}

impl fmt::Display for RankingQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (loss, first) = (self.loss, self.top_1_accuracy);
        if !loss.is_nan() {
            let correlation = self.rank_biserial;
            write!(
                f,
                "loss {loss:.4}, first {first:.3}, correlation {correlation:.3}"
            )?;
        }
        if !self.value_correlation.is_nan() {
            let then = if loss.is_nan() { "" } else { "; " };
            write!(f, "{then}with values {:.3}", self.value_correlation)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    /// Returns groups of six states with five features each. The first state of a group maximises
    /// 3a + |b|, where a and b are its first two features.
    fn groups(count: usize) -> Vec<Group> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let group = |_| {
            let mut states: Vec<[i16; 5]> = (0..6)
                .map(|_| std::array::from_fn(|_| random.random_range(-50..=50)))
                .collect();
            states.sort_by_key(|state| -(3 * state[0] + state[1].abs()));
            let mut group = Group::default();
            for state in states {
                group.push(random.random_range(-500..500), &state);
            }
            group
        };
        (0..count).map(group).collect()
    }

    const TRAINING: TrainingSettings = TrainingSettings {
        epochs: 20,
        batch_size: 16,
        weight_decay: 0.01,
        seed: 3,
    };

    #[test]
    fn the_gradient_is_the_derivative_of_the_loss() {
        let mut groups = groups(5);
        for (i, group) in groups.iter_mut().enumerate().take(2) {
            // The first group has large errors and the second one small errors, to test both parts of the
            // Huber loss.
            let spread = [256 * 200, 300][i];
            group.rollout_values = (0..6).map(|n| n * n * spread / 25).collect();
        }
        let all: Vec<&Group> = groups.iter().collect();
        let mut model = Model::new(5, 4, 1, &all);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        for parameter in &mut model.parameters {
            *parameter += random.random_range(-0.3..0.3);
        }
        let loss = |model: &Model, gradient: &mut [f32]| -> f64 {
            let each = groups.iter();
            each.map(|group| add_gradient(model, group, gradient)).sum()
        };
        let count = model.parameter_count();
        let mut gradient = vec![0.0; count];
        loss(&model, &mut gradient);
        for i in 0..count {
            let step = 1e-2;
            let loss_after = |by: f32| {
                let mut other = model.clone();
                other.parameters[i] += by;
                loss(&other, &mut vec![0.0; count])
            };
            let expected = (loss_after(step) - loss_after(-step)) / f64::from(2.0 * step);
            let actual = f64::from(gradient[i]);
            assert!(
                (actual - expected).abs() < 0.02 + 0.05 * expected.abs(),
                "parameter {i}: {actual} is not {expected}"
            );
        }
    }

    #[test]
    fn values_are_learned() {
        let mut groups = groups(600);
        for group in &mut groups {
            let states = group.features.chunks_exact(5).zip(&group.hand_set_values);
            let value = states.map(|(s, base)| base + 256 * i32::from(3 * s[0] + s[1].abs()) / 8);
            group.rollout_values = value.collect();
        }
        let groups: Vec<&Group> = groups.iter().collect();
        let (test, train) = groups.split_at(100);
        let mut model = Model::new(5, 4, 1, train);
        let before = RankingQuality::from_model(&model, test).value_correlation;
        TRAINING.fit(&mut model, train, |_, _, _| ());
        let after = RankingQuality::from_model(&model, test).value_correlation;
        assert!(before < 0.3 && after > 0.95, "{before} {after}");
    }

    #[test]
    fn a_ranking_is_learned_equally_on_any_number_of_threads() {
        let groups = groups(600);
        let groups: Vec<&Group> = groups.iter().collect();
        let (test, train) = groups.split_at(120);
        let start = Model::new(5, 4, 1, train);
        let fit = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let (mut model, mut epochs) = (start.clone(), 0);
            let mut fit = || TRAINING.fit(&mut model, train, |_, _, _| epochs += 1);
            pool.build().unwrap().install(&mut fit);
            assert_eq!(epochs, TRAINING.epochs);
            model
        };
        let model = fit(1);
        assert_eq!(model, fit(3));
        let (before, after) = (
            RankingQuality::from_model(&start, test),
            RankingQuality::from_model(&model, test),
        );
        assert!(
            before.top_1_accuracy < 0.35 && after.top_1_accuracy > 0.7,
            "{before} {after}"
        );
        assert!(after.rank_biserial > 0.8 && after.loss < before.loss - 0.5);
    }
}
