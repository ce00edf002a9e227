//! What the journal of a fit records.

use crate::games::play::Played;
use crate::store::digest::Digest;
use columns_generator::seeds::SeedRange;
use serde::{Deserialize, Serialize};

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Record {
    /// The first line.
    Begin {
        /// The digest of `config.json` followed by `start.json`.
        run: Digest,
    },
    /// A game of a generation.
    Game {
        /// The generation, the first being 1.
        generation: u32,
        /// Who played.
        by: By,
        /// The case.
        seed: u64,
        /// What it came to.
        played: Played,
    },
    /// A whole generation, after all its games.
    Generation(Generation),
    /// A game of the validation.
    HeldOut {
        /// Who played.
        by: By,
        /// The case.
        seed: u64,
        /// What it came to.
        played: Played,
    },
}

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The weights that the run started from.
    Start,
    /// The mean of the distribution as the generation began; at the end, rounded.
    Mean,
    /// A candidate of the generation, the first being 0.
    Candidate(u32),
}

/// What a generation came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Which one, the first being 1.
    pub generation: u32,
    /// The seeds that all played.
    pub seeds: SeedRange,
    /// The objective of the weights that the run started from.
    pub start: f64,
    /// That of the distribution's mean as the generation began.
    pub mean: f64,
    /// That of the candidates: their mean, the lowest and the highest.
    pub candidates: [f64; 3],
    /// The mean over the seeds of the difference of log score, the distribution's mean as the
    /// generation began less the start. The seeds had no part in that mean, so this is an honest
    /// measurement, if one with much noise.
    pub gain: f64,
    /// The distribution after the generation: its mean, a value for each parameter of the
    /// configuration.
    pub values: Vec<f64>,
    /// Its standard deviations, in the parameters' own units.
    pub deviations: Vec<f64>,
    /// Its step size, in steps of the parameters.
    pub sigma: f64,
    /// The learning rates of its mean and its covariance.
    pub rates: [f64; 2],
}
