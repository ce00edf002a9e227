//! What is saved of a search: everything that decides how it goes on.

use super::constants::Constants;
use super::rate::{self, Rate};
use super::{Cma, MAX_SIGMA};
use nalgebra::{DMatrix, DVector};
use rand_xoshiro::rand_core::RngCore;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The state of a search as it is written to a file. The text format must give every float back
/// to the bit: of `serde_json` that asks for the feature `float_roundtrip`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    population: usize,
    generation: u64,
    mean: Vec<f64>,
    sigma: f64,
    /// Row by row; both halves.
    covariance: Vec<f64>,
    path_sigma: Vec<f64>,
    path_covariance: Vec<f64>,
    rate_mean: SavedRate,
    rate_covariance: SavedRate,
    random: Xoshiro256PlusPlus,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRate {
    value: f64,
    square: f64,
    average: Vec<f64>,
}

/// Why a saved state is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the state of the search is damaged: {0}")]
pub struct Broken(&'static str);

impl From<Cma> for Saved {
    fn from(cma: Cma) -> Self {
        let saved = |rate: Rate| SavedRate {
            value: rate.value,
            square: rate.square,
            average: rate.average,
        };
        Self {
            population: cma.population(),
            generation: cma.generation,
            mean: cma.mean.as_slice().to_vec(),
            sigma: cma.sigma,
            covariance: cma.covariance.as_slice().to_vec(),
            path_sigma: cma.path_sigma.as_slice().to_vec(),
            path_covariance: cma.path_covariance.as_slice().to_vec(),
            rate_mean: saved(cma.rate_mean),
            rate_covariance: saved(cma.rate_covariance),
            random: cma.random,
        }
    }
}

impl TryFrom<Saved> for Cma {
    type Error = Broken;

    fn try_from(saved: Saved) -> Result<Self, Broken> {
        let n = saved.mean.len();
        let check = |holds: bool, what| if holds { Ok(()) } else { Err(Broken(what)) };
        check(n > 0, "it has no parameters")?;
        check(saved.population >= 4, "its population is below 4")?;
        check(
            saved.sigma > 0.0 && saved.sigma <= MAX_SIGMA,
            "its step size is out of range",
        )?;
        let whole = |values: &[f64], length: usize| {
            check(values.len() == length, "its parts have different sizes")?;
            check(
                values.iter().all(|x| x.is_finite()),
                "a number in it is not finite",
            )
        };
        whole(&saved.mean, n)?;
        whole(&saved.covariance, n * n)?;
        whole(&saved.path_sigma, n)?;
        whole(&saved.path_covariance, n)?;
        let rate = |rate: SavedRate, components, forget| {
            whole(&rate.average, components)?;
            check(
                rate.value > 0.0
                    && rate.value <= 1.0
                    && rate.square >= 0.0
                    && rate.square.is_finite(),
                "a learning rate is out of range",
            )?;
            Ok(Rate {
                forget,
                average: rate.average,
                square: rate.square,
                value: rate.value,
            })
        };
        let rate_mean = rate(saved.rate_mean, n, rate::MEAN)?;
        let rate_covariance = rate(saved.rate_covariance, n * n, rate::COVARIANCE)?;
        // From nothing but zeros, nothing but zeros would be drawn, for ever.
        let mut random = saved.random.clone();
        check(
            (0..4).any(|_| random.next_u64() != 0),
            "its random numbers are none",
        )?;
        let covariance = DMatrix::from_vec(n, n, saved.covariance);
        check(
            covariance == covariance.transpose() && covariance.diagonal().iter().all(|x| *x > 0.0),
            "its covariance is none",
        )?;
        Ok(Self {
            constants: Constants::new(n, saved.population),
            generation: saved.generation,
            mean: DVector::from_vec(saved.mean),
            sigma: saved.sigma,
            covariance,
            path_sigma: DVector::from_vec(saved.path_sigma),
            path_covariance: DVector::from_vec(saved.path_covariance),
            rate_mean,
            rate_covariance,
            random: saved.random,
        })
    }
}
