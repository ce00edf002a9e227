//! Fitting a model to groups, and how well it ranks.
//!
//! A group with values is fitted by its errors: (base + model) less the values, both less their
//! mean over the group. Its loss is Huber's, in units of [`OUT`]: half the square of a small error,
//! linear in a large one. A group without values has the cross-entropy of its first state under a
//! softmax of (base + model) / temperature as its loss; a part of the probability is spread evenly,
//! so that a hopeless group does not count for too much.
//!
//! The optimiser is Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight
//! Decay Regularization", ICLR 2019). The outcome does not depend on the number of threads.

use super::dataset::Group;
use super::model::{Model, Pass, OUT};
use rand::seq::SliceRandom;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The settings of a fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// The number of times that every group is seen.
    pub epochs: usize,
    /// The number of groups in a step.
    pub batch: usize,
    /// The highest learning rate; it falls to 0 as a cosine.
    pub rate: f32,
    /// Weight decay.
    pub decay: f32,
    /// The share of the probability that is spread evenly.
    pub even: f32,
    /// The seed of the order of the groups.
    pub seed: u64,
}

/// How well a model ranks groups that have no values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// The mean loss, in nats a group.
    pub loss: f64,
    /// The share of groups whose first state is ranked highest.
    pub first: f64,
    /// The rank correlation of the value with being the first state: 2 p − 1, where p is the chance
    /// that the first state is ranked above another one.
    pub correlation: f64,
}

/// The error of a value, in units of the game, up to which its loss is quadratic.
const FAR: f32 = 40.0;

/// The number of parts into which groups are divided, whatever the number of threads.
const PARTS: usize = 16;

impl Training {
    /// Fits a model, and tells after each epoch.
    pub fn fit(
        &self,
        model: &mut Model,
        groups: &[&Group],
        mut tell: impl FnMut(usize, f64, &Model),
    ) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut order: Vec<usize> = (0..groups.len()).collect();
        let layout = model.layout();
        let count = layout.count;
        let steps = self.epochs * groups.len().div_ceil(self.batch);
        let (mut first, mut second) = (vec![0.0_f32; count], vec![0.0_f32; count]);
        let mut step = 0;
        for epoch in 1..=self.epochs {
            order.shuffle(&mut random);
            let mut total = 0.0;
            for batch in order.chunks(self.batch) {
                let size = batch.len().div_ceil(PARTS);
                let fixed: &Model = model;
                let parts: Vec<(Vec<f32>, f64)> = batch
                    .par_chunks(size)
                    .map(|part| {
                        let mut gradient = vec![0.0; count];
                        let mut passes = Vec::new();
                        let losses = part.iter().map(|&i| {
                            let even = self.even;
                            slope(fixed, groups[i], even, &mut passes, &mut gradient)
                        });
                        let loss = losses.sum();
                        (gradient, loss)
                    })
                    .collect();
                let mut gradient = vec![0.0; count];
                for (part, loss) in parts {
                    total += loss;
                    for (sum, value) in gradient.iter_mut().zip(part) {
                        *sum += value / batch.len() as f32;
                    }
                }
                step += 1;
                let progress = step as f32 / steps as f32;
                let warm = (step as f32 / 100.0).min(1.0);
                let rate = self.rate * warm * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
                let (b1, b2) = (0.9_f32, 0.999_f32);
                let (c1, c2) = (1.0 - b1.powi(step), 1.0 - b2.powi(step));
                for i in 0..count {
                    first[i] = b1 * first[i] + (1.0 - b1) * gradient[i];
                    second[i] = b2 * second[i] + (1.0 - b2) * gradient[i] * gradient[i];
                    let change = first[i] / c1 / ((second[i] / c2).sqrt() + 1e-8);
                    let decays =
                        i < layout.temperature && !(layout.bias..layout.output).contains(&i);
                    let decay = if decays { self.decay } else { 0.0 };
                    model.parameters[i] -= rate * (change + decay * model.parameters[i]);
                }
            }
            tell(epoch, total / groups.len() as f64, model);
        }
    }
}

/// The values of a group's states by base and model, in units of the game, less the base of the
/// first.
pub fn values(model: &Model, group: &Group, passes: &mut Vec<Pass>) -> Vec<f32> {
    while passes.len() < group.base.len() {
        passes.push(model.pass());
    }
    let states = group.features.chunks_exact(model.features);
    group
        .bases()
        .zip(states)
        .zip(passes)
        .map(|((base, state), pass)| base + model.value(state, pass))
        .collect()
}

/// The errors of values against those of the group, each less its mean over the group.
fn off(values: &[f32], group: &Group) -> Vec<f32> {
    let both = values.iter().zip(group.values());
    let mut off: Vec<f32> = both.map(|(value, truth)| value - truth).collect();
    let mean = off.iter().sum::<f32>() / off.len() as f32;
    for off in &mut off {
        *off -= mean;
    }
    off
}

/// The loss of a group; adds its derivative to `gradient`.
fn slope(
    model: &Model,
    group: &Group,
    even: f32,
    passes: &mut Vec<Pass>,
    gradient: &mut [f32],
) -> f64 {
    let values = values(model, group, passes);
    if !group.value.is_empty() {
        let off = off(&values, group);
        let mean = off.iter().map(|&x| x.clamp(-FAR, FAR)).sum::<f32>() / off.len() as f32;
        let mut loss = 0.0;
        for (&off, pass) in off.iter().zip(passes) {
            let near = off.clamp(-FAR, FAR);
            loss += f64::from(near * (off - near / 2.0) / OUT / OUT);
            model.learn(pass, (near - mean) / OUT / OUT, gradient);
        }
        return loss;
    }
    let at = model.layout().temperature;
    let temperature = model.temperature();
    let highest = values.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = values
        .iter()
        .map(|v| ((v - highest) / temperature).exp())
        .collect();
    let sum: f32 = powers.iter().sum();
    let chance = powers[0] / sum;
    let mixed = (1.0 - even) * chance + even / values.len() as f32;
    // d loss / d value of state i = (1 − even) chance / mixed × (p_i − [i = 0]) / temperature
    let weight = (1.0 - even) * chance / mixed;
    let mut mean = 0.0;
    for (i, power) in powers.iter().enumerate() {
        let share = power / sum;
        mean += share * (values[i] - highest);
        let by = weight * (share - f32::from(u8::from(i == 0))) / temperature;
        model.learn(&mut passes[i], by, gradient);
    }
    gradient[at] += weight * (values[0] - highest - mean) / temperature;
    -f64::from(mixed.ln())
}

/// How well the groups are ranked by base and model; with `value_of`, by other values.
pub fn quality(
    groups: &[&Group],
    even: f32,
    temperature: f32,
    value_of: impl Fn(&Group) -> Vec<f32> + Sync,
) -> Quality {
    let sums = groups
        .par_iter()
        .map(|group| {
            let values = value_of(group);
            let n = values.len() as f64;
            let highest = values.iter().copied().fold(f32::MIN, f32::max);
            let powers = values.iter().map(|v| ((v - highest) / temperature).exp());
            let sum: f32 = powers.sum();
            let chance = ((values[0] - highest) / temperature).exp() / sum;
            let mixed = (1.0 - even) * chance + even / n as f32;
            let below = values[1..].iter().map(|&v| {
                if v < values[0] {
                    1.0
                } else if v > values[0] {
                    0.0
                } else {
                    0.5
                }
            });
            let below: f64 = below.sum();
            let first = values[1..].iter().all(|&v| v < values[0]);
            [
                -f64::from(mixed.ln()),
                f64::from(u8::from(first)),
                2.0 * below / (n - 1.0) - 1.0,
            ]
        })
        .collect::<Vec<_>>();
    let mean = |i: usize| sums.iter().map(|sum| sum[i]).sum::<f64>() / groups.len().max(1) as f64;
    Quality {
        loss: mean(0),
        first: mean(1),
        correlation: mean(2),
    }
}

/// The correlation of some values of the states with those of their groups, over all states; both
/// are taken less their mean over the group. All groups have values.
pub fn agreement(groups: &[&Group], value_of: impl Fn(&Group) -> Vec<f32> + Sync) -> f64 {
    let sums = groups.par_iter().map(|group| {
        let found = value_of(group);
        let truth: Vec<f64> = group.values().map(f64::from).collect();
        let n = found.len() as f64;
        let mean = found.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
        let of_truth = truth.iter().sum::<f64>() / n;
        let mut sums = [0.0; 3];
        for (&x, &y) in found.iter().zip(&truth) {
            let (x, y) = (f64::from(x) - mean, y - of_truth);
            for (sum, product) in sums.iter_mut().zip([x * y, x * x, y * y]) {
                *sum += product;
            }
        }
        sums
    });
    let sums: Vec<[f64; 3]> = sums.collect();
    let total = |i: usize| sums.iter().map(|sums| sums[i]).sum::<f64>();
    total(0) / (total(1) * total(2)).sqrt().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Groups of six states by five numbers; the first state has the largest of
    /// 3 × the first + |the second|.
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

    fn quality_of(model: &Model, groups: &[&Group]) -> Quality {
        quality(groups, 0.05, model.temperature(), |group| {
            values(model, group, &mut Vec::new())
        })
    }

    fn training() -> Training {
        Training {
            epochs: 6,
            batch: 16,
            rate: 0.01,
            decay: 0.01,
            even: 0.05,
            seed: 3,
        }
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let mut groups = groups(5);
        for (i, group) in groups.iter_mut().enumerate().take(2) {
            // The first far off, the second near.
            let spread = [256 * 200, 300][i];
            group.value = (0..6).map(|n| n * n * spread / 25).collect();
        }
        let mut model = Model::new(5, 4, 1, groups.iter());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        for parameter in &mut model.parameters {
            *parameter += random.random_range(-0.3..0.3);
        }
        let loss = |model: &Model, gradient: &mut [f32]| -> f64 {
            let each = groups.iter();
            each.map(|group| slope(model, group, 0.05, &mut Vec::new(), gradient))
                .sum()
        };
        let count = model.layout().count;
        let mut gradient = vec![0.0; count];
        loss(&model, &mut gradient);
        for i in 0..count {
            let step = 1e-2;
            let moved = |by: f32| {
                let mut other = model.clone();
                other.parameters[i] += by;
                loss(&other, &mut vec![0.0; count])
            };
            let expected = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            let found = f64::from(gradient[i]);
            assert!(
                (found - expected).abs() < 0.02 + 0.05 * expected.abs(),
                "parameter {i}: {found} is not {expected}"
            );
        }
    }

    #[test]
    fn values_are_learned() {
        let mut groups = groups(600);
        for group in &mut groups {
            let states = group.features.chunks_exact(5).zip(&group.base);
            let value = states.map(|(s, base)| base + 256 * i32::from(3 * s[0] + s[1].abs()) / 8);
            group.value = value.collect();
        }
        let (test, train) = groups.split_at(100);
        let (test, train): (Vec<&Group>, Vec<&Group>) =
            (test.iter().collect(), train.iter().collect());
        let mut model = Model::new(5, 4, 1, groups.iter());
        let agreed =
            |model: &Model| agreement(&test, |group| values(model, group, &mut Vec::new()));
        let before = agreed(&model);
        training().fit(&mut model, &train, |_, _, _| ());
        let after = agreed(&model);
        assert!(before < 0.3 && after > 0.95, "{before} {after}");
    }

    #[test]
    fn a_rule_is_learned_and_the_same_on_any_number_of_threads() {
        let groups = groups(600);
        let (train, test): (Vec<_>, Vec<_>) =
            groups.iter().enumerate().partition(|(i, _)| i % 5 > 0);
        let some = |part: Vec<(usize, &'_ Group)>| -> Vec<Group> {
            part.into_iter().map(|(_, group)| group.clone()).collect()
        };
        let (train, test) = (some(train), some(test));
        let fit = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut model = Model::new(5, 4, 1, train.iter());
            let mut told = 0;
            let groups: Vec<&Group> = train.iter().collect();
            pool.install(|| training().fit(&mut model, &groups, |_, _, _| told += 1));
            assert_eq!(told, 6);
            model
        };
        let model = fit(1);
        assert_eq!(model, fit(3));
        let test: Vec<&Group> = test.iter().collect();
        let before = quality_of(&Model::new(5, 4, 1, train.iter()), &test);
        let after = quality_of(&model, &test);
        assert!(
            before.first < 0.35 && after.first > 0.7,
            "{before:?} {after:?}"
        );
        assert!(
            after.correlation > 0.8 && after.loss < before.loss - 0.5,
            "{after:?}"
        );
    }
}
