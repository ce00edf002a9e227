//! The file of a refinement: the network so far, and how far the search has come.

use anyhow::{bail, ensure, Context, Result};
use columns_cli::{file, input};
use columns_tuner::learn::refine::{Search, COUNT};
use columns_tuner::stats::gate::Gate;
use columns_tuner::store::digest::Digest;
use columns_tuner::store::identity::Identity;
use columns_tuner::store::line;
use columns_tuner::units::LogRatio;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Most bytes of a file that are read.
const LIMIT: u64 = 64 << 20;

/// The second line of the file; the first is the network.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    /// The digest of the first line.
    network: Digest,
    /// All that decides the course of the search.
    pub(super) made_with: Identity,
    /// How far the search has come.
    pub(super) search: Search,
    /// The last time that its result was judged.
    pub(super) look: Option<Look>,
}

/// A look at the result of a search.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    /// Its number, from 1. Every look counts, whatever its result and whether it was finished.
    pub(super) number: u32,
    /// The number of generations of the search when it was judged.
    generation: u32,
    /// Log scores of the result less those of the start, seed by seed.
    pub(super) differences: Vec<f64>,
}

impl State {
    /// Reads a file; without a file, the state before the first generation.
    ///
    /// # Errors
    /// One line with the file: that it is damaged or of another kind, or the first option that was
    /// not the same when it was made.
    pub(super) fn read(path: &Path, made_with: Identity) -> Result<Self> {
        if !path.exists() {
            return Ok(Self {
                network: Digest::EMPTY,
                made_with,
                search: Search::new(COUNT),
                look: None,
            });
        }
        let text = input::read(path, LIMIT)?;
        let name = input::name(path);
        let expected = || format!("{name}: expected the network of a `tuner refine` to go on with");
        let lines = text.split_once('\n').context("line 2: is missing");
        let (network, state) = lines.with_context(expected)?;
        let state: Self = line::read(state.as_bytes())
            .context("line 2")
            .with_context(expected)?;
        ensure!(
            Digest::of(network.as_bytes()) == state.network,
            "{name}: line 1: expected the network of line 2, found other bytes"
        );
        if let Some(difference) = state.made_with.differs(&made_with) {
            bail!("{name}: {difference}");
        }
        Ok(state)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The file's name and why it cannot be written; it is then as it was.
    pub(super) fn write(&mut self, path: &Path, network: &str) -> Result<()> {
        self.network = Digest::of(network.as_bytes());
        let state = line::write(self)?;
        file::write(path, &[network.as_bytes(), b"\n", &state].concat())
    }

    /// The look at the present result: the last one if it judged this result, or the next.
    pub(super) fn look(&mut self) -> &mut Look {
        let generation = self.search.generation;
        let number = self.look.as_ref().map_or(0, |look| look.number);
        let same = self.look.take_if(|look| look.generation == generation);
        self.look.insert(same.unwrap_or_else(|| Look {
            number: number + 1,
            generation,
            differences: Vec::new(),
        }))
    }
}

impl Look {
    /// The gate after the pairs of games that were played.
    pub(super) fn gate(&self) -> Gate<LogRatio> {
        let mut gate = Gate::new(self.number);
        for &difference in &self.differences {
            gate.add(LogRatio(difference));
        }
        gate
    }
}
