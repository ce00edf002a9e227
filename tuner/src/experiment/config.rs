//! The configuration of a fit, which is the header of its record. The configuration and the record determine
//! the outcome.

use crate::player::Player;
use crate::record::{RunHeader, RunLimits};
use crate::search::SearchSettings;
use crate::search::axis::Axis;
use crate::search::space::{Space, Target};
use anyhow::Result;
use columns_cases::digest::Digest;
use columns_cli::ledger::Header;
use columns_generator::Spec;
use columns_stats::Objective;
use serde::{Deserialize, Serialize};

/// The configuration of a fit: the start, the parameters to fit, the cases and the limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// Version of the tuner that began the run.
    pub tuner_version: String,
    /// Digest of the starting player's sample games when the run began; `None` for a program, which is
    /// identified by its files.
    pub behaviour_digest: Option<Digest>,
    /// The options of the generator: a profile, and values that override it.
    pub case_spec: Spec,
    /// The objective to maximise: the mean logarithm of the score, or the sum of scores.
    pub objective: Objective,
    /// The initial limits; later commands may raise them.
    pub limits: RunLimits,
    /// Pairs per generation, noise, learning rate and seed.
    pub settings: SearchSettings,
    /// The part of the player that the run fits: its weights, its network, or values in its command line.
    pub target: Target,
    /// The parameters to fit, with their ranges and their steps.
    pub axes: Vec<Axis>,
    /// The starting player of the fit.
    pub start: Player,
}

impl Header for RunConfig {
    const LEDGER: &'static str = "run";
    const DESCRIPTION: &'static str = "a run of the tuner";
    const FORMAT_VERSION: u32 = 7;
}

impl RunHeader for RunConfig {
    fn limits(&self) -> RunLimits {
        self.limits
    }

    fn describe_player_change(&self) -> Option<String> {
        match self.build_space() {
            Ok(space) => space.start_player().describe_change(self.behaviour_digest),
            Err(error) => Some(format!("{error:#}")),
        }
    }

    fn with_changeable_fields_of(&self, original: &Self) -> Self {
        let axes = match self.target {
            // The steps of a network's parameters were measured when the run began.
            Target::Network => original.axes.clone(),
            Target::Weights | Target::Program => self.axes.clone(),
        };
        let mut start = self.start.clone();
        start.set_files_of(&original.start);
        Self {
            tuner_version: original.tuner_version.clone(),
            behaviour_digest: original.behaviour_digest,
            limits: original.limits,
            axes,
            start,
            ..self.clone()
        }
    }
}

impl RunConfig {
    /// Builds the space of the search from the target, the axes and the start.
    ///
    /// # Errors
    /// Returns an error if [`Space::new`] does.
    pub fn build_space(&self) -> Result<Space> {
        Space::new(self.target, &self.axes, &self.start)
    }

    /// Computes the identity of the run, which determines the seeds of the search and of the judgements. The
    /// limits do not affect it.
    ///
    /// # Errors
    /// Returns an error if the configuration cannot be serialised to JSON.
    pub fn compute_identity(&self) -> Result<Digest> {
        let mut config = self.clone();
        config.limits = RunLimits::default();
        Ok(Digest::new(&serde_json::to_vec(&config)?))
    }
}
