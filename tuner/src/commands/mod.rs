//! The subcommands, one a file, and what they share.

pub(crate) mod compare;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod interrupt;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod resume;
#[cfg(feature = "nats")]
pub(crate) mod worker;

use anyhow::Result;
use columns_bot::weights::Weights;
use columns_tuner::run::weights_of;
use std::path::PathBuf;

/// The weights of a file, or those in the bot.
fn weights(path: Option<&PathBuf>) -> Result<Weights> {
    path.map_or_else(
        || Ok(Weights::default()),
        |path| weights_of(path).map(|(weights, _)| weights),
    )
}
