//! CMA-ES for noisy functions, in ask/tell form.
//!
//! A normal distribution over the parameters is sampled ([`Cma::ask`]), the samples are ranked by
//! their losses, and the distribution moves towards the better half ([`Cma::tell`]). What the
//! search found is the distribution's mean: a single sample may owe its rank to luck.
//!
//! * the update is Hansen's, with negative weights ([`constants`]; N. Hansen, *The CMA Evolution
//!   Strategy: A Tutorial*, arXiv:1604.00772, version 2);
//! * the learning rate of the mean and that of the covariance follow the signal-to-noise ratio of
//!   their updates ([`rate`]; M. Nomura, Y. Akimoto, I. Ono, *CMA-ES with Learning Rate Adaptation:
//!   Can CMA-ES with Default Population Size Solve Multimodal and Noisy Problems?*, GECCO 2023,
//!   arXiv:2304.03473).
//!
//! # The same bits everywhere
//!
//! Given the same calls, every number is the same to the bit, on every machine with IEEE 754
//! arithmetic, and whether or not the state was saved and loaded in between. For that the
//! functions that machines round differently (logarithm, exponential) are those of `libm`, and
//! `nalgebra` is built without `std`, which would bring a matrix product that depends on the
//! processor. A test pins the bits.

pub mod constants;
pub mod rate;
mod saved;

use crate::normal;
use constants::Constants;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rand_xoshiro::rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rate::Rate;
pub use saved::{Broken, Saved};
use serde::{Deserialize, Serialize};

/// The largest step size; beyond it the search has diverged anyway.
const MAX_SIGMA: f64 = 1e32;

/// The covariance's smallest eigenvalue is kept above this part of its largest one, so that
/// rounding cannot make it indefinite.
const MIN_EIGENVALUE: f64 = 1e-14;

/// A search: a normal distribution over the parameters, and how it has moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Cma {
    constants: Constants,
    generation: u64,
    mean: DVector<f64>,
    sigma: f64,
    /// The covariance but for the factor σ²; exactly symmetric.
    covariance: DMatrix<f64>,
    /// The evolution path of the step size.
    path_sigma: DVector<f64>,
    /// The evolution path of the covariance.
    path_covariance: DVector<f64>,
    rate_mean: Rate,
    rate_covariance: Rate,
    random: Xoshiro256PlusPlus,
}

impl Cma {
    /// A search that starts at `mean` with the same standard deviation `sigma` in every direction
    /// (scale the parameters so that this fits all of them), and draws `population` samples a
    /// generation from a stream of random numbers begun with `seed`.
    ///
    /// # Panics
    /// If `mean` is empty or has a component that is not finite, if `sigma` is not above 0 and at
    /// most 1e32, or if `population` is below 4.
    pub fn new(mean: Vec<f64>, sigma: f64, population: usize, seed: u64) -> Self {
        let n = mean.len();
        assert!(n > 0, "a search needs a parameter");
        assert!(
            mean.iter().all(|x| x.is_finite()),
            "a search starts somewhere"
        );
        assert!(
            sigma > 0.0 && sigma <= MAX_SIGMA,
            "a step size is above 0 and at most 1e32"
        );
        Self {
            constants: Constants::new(n, population),
            generation: 0,
            mean: DVector::from_vec(mean),
            sigma,
            covariance: DMatrix::identity(n, n),
            path_sigma: DVector::zeros(n),
            path_covariance: DVector::zeros(n),
            rate_mean: Rate::new(n, rate::MEAN),
            rate_covariance: Rate::new(n * n, rate::COVARIANCE),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// The mean of the distribution: what the search has found so far.
    pub fn mean(&self) -> &[f64] {
        self.mean.as_slice()
    }

    /// The step size σ, above 0: the overall standard deviation, in units of the parameters.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The standard deviation of each parameter, in its own unit.
    pub fn deviations(&self) -> Vec<f64> {
        self.covariance
            .diagonal()
            .iter()
            .map(|variance| self.sigma * libm::sqrt(*variance))
            .collect()
    }

    /// The learning rates of mean and covariance, above 0 and at most 1: low where noise rules.
    pub fn rates(&self) -> (f64, f64) {
        (self.rate_mean.value(), self.rate_covariance.value())
    }

    /// How many generations have been told.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// How many samples a generation has.
    pub fn population(&self) -> usize {
        self.constants.weights.len()
    }

    /// Draws the samples of a generation. Each call goes on in the stream of random numbers.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        let axes = Axes::of(&self.covariance);
        (0..self.population())
            .map(|_| {
                let z = DVector::from_fn(self.mean.len(), |i, _| {
                    axes.lengths[i] * normal::draw(&mut self.random)
                });
                let x = &self.mean + (&axes.directions * z) * self.sigma;
                x.as_slice().to_vec()
            })
            .collect()
    }

    /// Moves the distribution by a generation of candidates and their losses, lower being better.
    ///
    /// The candidates are those of [`Cma::ask`] or near them: one that was moved, to a bound for
    /// instance, is told where it was evaluated. Only the order of the losses counts. A loss that
    /// is not a number counts as +∞; tied candidates share the weights of their ranks, so that
    /// their order does not matter; if all are tied, the generation tells nothing and only
    /// [`Cma::generation`] changes.
    ///
    /// # Panics
    /// If there are not as many candidates and losses as [`Cma::population`], or if a candidate
    /// has not as many components as the mean or one that is not finite.
    pub fn tell(&mut self, candidates: &[Vec<f64>], losses: &[f64]) {
        let n = self.mean.len();
        assert_eq!(candidates.len(), self.population(), "candidates to tell");
        assert_eq!(losses.len(), self.population(), "losses to tell");
        for candidate in candidates {
            assert_eq!(candidate.len(), n, "components of a candidate");
            assert!(
                candidate.iter().all(|x| x.is_finite()),
                "a finite candidate"
            );
        }
        self.generation += 1;
        let Some(shares) = shares(&self.constants.weights, losses) else {
            return;
        };

        let c = &self.constants;
        let axes = Axes::of(&self.covariance);
        let inverse_root = axes.inverse_root();
        // The candidates in units of the step size, distributed by the covariance.
        let steps: Vec<DVector<f64>> = candidates
            .iter()
            .map(|x| (DVector::from_column_slice(x) - &self.mean) / self.sigma)
            .collect();

        // Where the better half lies.
        let mut step = DVector::zeros(n);
        for (y, share) in steps.iter().zip(&shares) {
            step.axpy(share.positive, y, 1.0);
        }

        // The paths remember for a while where the mean went.
        let along = libm::sqrt(c.sigma_rate * (2.0 - c.sigma_rate) * c.effective);
        self.path_sigma = &self.path_sigma * (1.0 - c.sigma_rate) + &inverse_root * &step * along;
        let length = norm(&self.path_sigma);
        let sigma = self.sigma
            * libm::exp(c.sigma_rate / c.sigma_damping * (length / c.expected_length - 1.0));
        let sigma = sigma.min(MAX_SIGMA);

        let grown = 1.0 - libm::pow(1.0 - c.sigma_rate, 2.0 * (self.generation + 1) as f64);
        let stalled =
            length / libm::sqrt(grown) >= (1.4 + 2.0 / (n as f64 + 1.0)) * c.expected_length;
        let moved = if stalled { 0.0 } else { 1.0 };
        let along = libm::sqrt(c.path_rate * (2.0 - c.path_rate) * c.effective);
        self.path_covariance =
            &self.path_covariance * (1.0 - c.path_rate) + &step * (moved * along);

        // The covariance takes up the path and the candidates.
        let lost = (1.0 - moved) * c.path_rate * (2.0 - c.path_rate);
        let kept = 1.0 + c.rank_one * (lost - 1.0) - c.rank_mu * c.weights.iter().sum::<f64>();
        let mut covariance = &self.covariance * kept;
        covariance.ger(
            c.rank_one,
            &self.path_covariance,
            &self.path_covariance,
            1.0,
        );
        for (y, share) in steps.iter().zip(&shares) {
            // A bad candidate's distance says nothing: it is scaled to the usual one.
            let distance = norm(&(&inverse_root * y));
            let scale = n as f64 / (distance * distance + constants::DISTANCE_GUARD);
            let weight = share.positive + share.negative * scale;
            covariance.ger(c.rank_mu * weight, y, y, 1.0);
        }

        // That was the update in full; how much of it to believe is the learning rates' affair.
        let full_mean = &step * self.sigma;
        let full = covariance * (sigma * sigma) - &self.covariance * (self.sigma * self.sigma);
        let local_root = inverse_root / self.sigma;
        let before = self.rate_mean.value();
        self.rate_mean.adapt((&local_root * &full_mean).as_slice());
        let local = (&local_root * &full * &local_root) / libm::sqrt(2.0);
        self.rate_covariance.adapt(local.as_slice());

        self.mean += full_mean * self.rate_mean.value();
        let whole =
            &self.covariance * (self.sigma * self.sigma) + full * self.rate_covariance.value();
        let (size, shape) = split(&whole);
        // A slower mean affords a larger step, whose optimum is inversely proportional.
        self.sigma = (size * before / self.rate_mean.value()).min(MAX_SIGMA);
        self.covariance = shape;
    }
}

/// What a candidate weighs in the mean and, added, in the covariance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Share {
    positive: f64,
    negative: f64,
}

/// The shares of the candidates by the ranks of their losses; `None` if all are tied.
fn shares(weights: &[f64], losses: &[f64]) -> Option<Vec<Share>> {
    // Both zeros are the same loss.
    let loss = |i: usize| {
        if losses[i].is_nan() {
            f64::INFINITY
        } else {
            losses[i] + 0.0
        }
    };
    let mut order: Vec<usize> = (0..losses.len()).collect();
    order.sort_by(|&a, &b| loss(a).total_cmp(&loss(b)));
    let mut shares = vec![
        Share {
            positive: 0.0,
            negative: 0.0
        };
        losses.len()
    ];
    let mut rank = 0;
    for tied in order.chunk_by(|&a, &b| loss(a) == loss(b)) {
        if tied.len() == losses.len() {
            return None;
        }
        let ranks = &weights[rank..rank + tied.len()];
        let mean =
            |part: fn(f64) -> f64| ranks.iter().map(|w| part(*w)).sum::<f64>() / tied.len() as f64;
        let share = Share {
            positive: mean(|w| w.max(0.0)),
            negative: mean(|w| w.min(0.0)),
        };
        for &i in tied {
            shares[i] = share;
        }
        rank += tied.len();
    }
    Some(shares)
}

/// The principal axes of a covariance.
struct Axes {
    /// A column for each axis.
    directions: DMatrix<f64>,
    /// The standard deviation along each axis, above 0.
    lengths: DVector<f64>,
}

impl Axes {
    fn of(covariance: &DMatrix<f64>) -> Self {
        let SymmetricEigen {
            eigenvectors,
            eigenvalues,
        } = SymmetricEigen::new(covariance.clone());
        let floor = eigenvalues.max() * MIN_EIGENVALUE;
        Self {
            directions: eigenvectors,
            lengths: eigenvalues.map(|value| libm::sqrt(value.max(floor))),
        }
    }

    /// The inverse of the covariance's symmetric square root.
    fn inverse_root(&self) -> DMatrix<f64> {
        let scaled = DMatrix::from_fn(self.lengths.len(), self.lengths.len(), |row, column| {
            self.directions[(row, column)] / self.lengths[column]
        });
        scaled * self.directions.transpose()
    }
}

/// Splits a covariance into the step size, the geometric mean of the axes' lengths, and the shape,
/// whose determinant is 1.
fn split(whole: &DMatrix<f64>) -> (f64, DMatrix<f64>) {
    let n = whole.nrows();
    let axes = Axes::of(whole);
    let logarithms: f64 = axes.lengths.iter().map(|length| libm::log(*length)).sum();
    let size = libm::exp(logarithms / n as f64);
    // Rounding leaves a trace of asymmetry, which must not grow.
    let shape = DMatrix::from_fn(n, n, |i, j| {
        0.5 * (whole[(i, j)] + whole[(j, i)]) / (size * size)
    });
    (size, shape)
}

fn norm(vector: &DVector<f64>) -> f64 {
    libm::sqrt(vector.iter().map(|x| x * x).sum())
}

#[cfg(test)]
mod tests;
