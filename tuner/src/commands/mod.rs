//! The subcommands, one a file, and what they share.

pub(crate) mod compare;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod interrupt;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod resume;

use anyhow::Result;
use columns_bot::weights::Weights;
use columns_tuner::run::weights_of;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The weights of a file, or those in the bot.
fn weights(path: Option<&PathBuf>) -> Result<Weights> {
    path.map_or_else(
        || Ok(Weights::default()),
        |path| weights_of(path).map(|(weights, _)| weights),
    )
}

/// Most games at a time, far beyond any machine.
const MOST_JOBS: usize = 1024;

/// Reads how many games to play at a time.
fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .ok()
        .filter(|jobs: &NonZeroUsize| jobs.get() <= MOST_JOBS)
        .ok_or_else(|| format!("expected a whole number from 1 to {MOST_JOBS}"))
}
