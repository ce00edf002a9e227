//! The subcommands, one a file, and what they share.

pub(crate) mod compare;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod interrupt;
pub(crate) mod learn;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod sample;

use anyhow::{Context, Result};
use columns_bot::network::Network;
use columns_bot::weights::Weights;
use columns_cli::input;
use columns_tuner::run::weights_of;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The weights of a file, or those in the bot.
fn weights(path: Option<&PathBuf>) -> Result<Weights> {
    path.map_or_else(
        || Ok(Weights::default()),
        |path| weights_of(path).map(|(weights, _)| weights),
    )
}

/// The learned evaluation of a file of `tuner learn`; `none` for none, and without a file that in
/// the bot.
fn network(path: Option<&PathBuf>) -> Result<Option<Cow<'static, Network>>> {
    let Some(path) = path else {
        return Ok(Network::in_use().map(Cow::Borrowed));
    };
    if path.as_os_str() == "none" {
        return Ok(None);
    }
    let text = input::read(path, 1 << 20)?;
    let network = Network::parse(text.trim_end_matches('\n'))
        .with_context(|| format!("{}: expected a network of `tuner learn`", input::name(path)))?;
    Ok(Some(Cow::Owned(*network)))
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
