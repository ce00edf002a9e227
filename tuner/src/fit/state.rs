//! How far a fit has come, as it is saved between two stages.

use crate::fit::config::{FORMAT, LIMIT};
use crate::fit::record::Reason;
use crate::fit::search::Search;
use crate::store::digest::Digest;
use crate::store::journal::Mark;
use anyhow::{ensure, Context, Result};
use columns_cli::{input, json};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How far a run has come: what is saved after each generation, challenge and look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The search.
    pub search: Search,
    /// Games played, held-out ones apart.
    pub games: u64,
    /// The best point so far, and after which generation it was the average; 0 for the start.
    pub best: Vec<f64>,
    /// See `best`.
    pub best_generation: u32,
    /// Challenges so far, and after which generation and after how many games the last one was.
    pub challenges: u32,
    /// See `challenges`.
    pub challenged: (u32, u64),
    /// Looks at held-out seeds so far, and the generation of the best that the last one judged.
    pub looks: u32,
    /// See `looks`.
    pub judged: u32,
    /// Points of the start in all its games so far, and how many these were.
    pub start: (f64, u64),
    /// Why the search has stopped, if it has.
    pub stopped: Option<Reason>,
}

impl Progress {
    /// Before the first generation of a search in a space of `count` dimensions.
    pub(super) fn new(count: usize) -> Self {
        Self {
            search: Search::new(count),
            games: 0,
            best: vec![0.0; count],
            best_generation: 0,
            challenges: 0,
            challenged: (0, 0),
            looks: 0,
            judged: 0,
            start: (0.0, 0),
            stopped: None,
        }
    }
}

/// What `state.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    format: u32,
    /// How far the journal was.
    pub(super) journal: Mark,
    pub(super) progress: Progress,
}

/// A state and the digest of its text, so that no damage goes unnoticed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    digest: Digest,
    state: State,
}

impl State {
    /// How far a run and its journal have come.
    pub(super) fn new(journal: Mark, progress: &Progress) -> Self {
        Self {
            format: FORMAT,
            journal,
            progress: progress.clone(),
        }
    }

    /// As it is written to `state.json`.
    pub(super) fn text(self) -> Result<String> {
        let digest = Digest::of(&serde_json::to_vec(&self)?);
        let stored = Stored {
            digest,
            state: self,
        };
        Ok(serde_json::to_string(&stored)? + "\n")
    }

    /// The saved state, if there is one.
    pub(super) fn read(path: &Path) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let text = input::read(path, LIMIT)?;
        Self::parse(&text).map(Some).with_context(|| {
            format!(
                "{} (when it is removed, `tuner resume` makes it anew from the journal)",
                path.display()
            )
        })
    }

    fn parse(text: &str) -> Result<Self> {
        let Stored { digest, state } = json::parse(text, "the state of a run")?;
        ensure!(
            state.format == FORMAT,
            "line 1: expected the state of a run in format {FORMAT}, found {}",
            state.format
        );
        ensure!(
            digest == Digest::of(&serde_json::to_vec(&state)?),
            "line 1: expected the state of a run as it was written, found it changed"
        );
        Ok(state)
    }
}
