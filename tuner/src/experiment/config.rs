//! The configuration of a run: all that decides its outcome. It is the head of its ledger.

use crate::search::space::{Axis, Space};
use crate::{contestant::Contestant, digest::Digest, ledger::Head, search::Pace, units::Objective};
use anyhow::Result;
use columns_generator::Spec;
use serde::{Deserialize, Serialize};

/// All that decides the outcome of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Version of the tuner.
    pub tuner: String,
    /// Tells how the start played when the run began, see [`Contestant::behaviour`].
    pub behaviour: Digest,
    /// What the cases are like.
    pub cases: Spec,
    /// What the run makes large.
    pub objective: Objective,
    /// When the search stops, unless the run is extended.
    pub limits: Limits,
    /// The most pairs of games on held-out seeds that judge a result.
    pub most_pairs: u64,
    /// The settings of the search.
    pub pace: Pace,
    /// For a rehearsal.
    pub rehearsal: Option<Rehearsal>,
    /// What is fitted.
    pub axes: Vec<Axis>,
    /// The player that the run starts from.
    pub start: Contestant,
}

/// How long a search may go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The most games, held-out ones not counted.
    pub games: u64,
    /// The most seconds of all processes that work on the run, if they are limited.
    pub seconds: Option<f64>,
}

/// A run that begins with a start that is made worse on purpose, and ends with what it has
/// recovered of that loss.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rehearsal {
    /// The number of its start, from 1.
    pub number: u32,
    /// Held-out seeds to measure on.
    pub held_out: u64,
}

impl Head for Config {
    const LEDGER: &'static str = "run";
    const WHAT: &'static str = "a run of the tuner";
    const FORMAT: u32 = 4;
}

impl Config {
    /// The space that is searched.
    ///
    /// # Errors
    /// If this build does not have it.
    pub fn space(&self) -> Result<Space> {
        Space::new(&self.axes, &self.start)
    }
}
