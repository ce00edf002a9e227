//! The subcommands, one a file, and what they share.

pub(crate) mod better;
pub(crate) mod compare;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod learn;
pub(crate) mod measure;
pub(crate) mod parameters;
pub(crate) mod playing;
pub(crate) mod progress;
pub(crate) mod recovery;
pub(crate) mod report;
pub(crate) mod sample;
pub(crate) mod searching;
pub(crate) mod selfplay;
pub(crate) mod target;
pub(crate) mod won;
pub(crate) mod worker;

use anyhow::{Context, Result};
use columns_cli::options::jobs;
use columns_tuner::{learn::trained, options::number};
use std::path::{Path, PathBuf};

/// The workspace that has the bot's source: the one that is given, or the one around the current
/// folder.
fn workspace(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = given {
        return Ok(path.to_path_buf());
    }
    let source = trained::WEIGHTS;
    let here = std::env::current_dir().context("cannot tell the current folder")?;
    let found = here.ancestors().find(|path| path.join(source).is_file());
    found.map(Path::to_path_buf).with_context(|| {
        format!("expected {source} in this folder or above it; name its workspace with --workspace")
    })
}
