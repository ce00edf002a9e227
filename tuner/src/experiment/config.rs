//! The configuration of a run: all that decides its outcome. It is the head of its ledger.

use crate::contestant::Contestant;
use crate::digest::Digest;
use crate::ledger::Head;
use crate::objective::Objective;
use crate::search::space::{Axis, Space};
use crate::search::Pace;
use anyhow::{ensure, Result};
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

/// Most games of a run: as many pairs as there are seeds for.
const MOST_GAMES: u64 = 800_000_000;

impl Head for Config {
    const LEDGER: &'static str = "run";
    const WHAT: &'static str = "a run of the tuner";
    const FORMAT: u32 = 4;
}

impl Config {
    /// Checks the values.
    ///
    /// # Errors
    /// One line that names the first mistake.
    pub fn check(&self) -> Result<()> {
        let Pace {
            pairs, noise, rate, ..
        } = self.pace;
        ensure!(
            (2..=100_000).contains(&pairs),
            "expected from 2 to 100000 pairs of games a generation, found {pairs}"
        );
        ensure!(
            noise > 0.0 && noise <= 1000.0,
            "expected a noise above 0 and up to 1000, found {noise}"
        );
        ensure!(
            rate > 0.0 && rate <= 1000.0,
            "expected a rate above 0 and up to 1000, found {rate}"
        );
        ensure!(
            (1..=1_000_000).contains(&self.most_pairs),
            "expected from 1 to 1000000 pairs of held-out games, found {}",
            self.most_pairs
        );
        check_games(self.limits.games)
    }

    /// The space that is searched.
    ///
    /// # Errors
    /// If this build does not have it.
    pub fn space(&self) -> Result<Space> {
        Space::new(&self.axes, &self.start)
    }

    /// The digest of the configuration; all seeds of the run are drawn from it.
    ///
    /// # Errors
    /// If it has no form in JSON.
    pub fn identity(&self) -> Result<Digest> {
        Ok(Digest::of(&serde_json::to_vec(self)?))
    }
}

/// Checks the number of games of a run.
///
/// # Errors
/// One line that says how many it can play.
pub fn check_games(games: u64) -> Result<()> {
    ensure!(
        (1..=MOST_GAMES).contains(&games),
        "expected from 1 to {MOST_GAMES} games, found {games}"
    );
    Ok(())
}
