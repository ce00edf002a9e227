//! `tuner resume`: going on with a run.

use super::fit::{play, Playing};
use anyhow::Result;
use clap::Args;
use columns_tuner::fit::run::Run;
use std::path::PathBuf;
use std::process::ExitCode;

/// Go on with a run of `tuner fit` after any stop.
///
/// However it was stopped, by Ctrl-C, `kill -9` or a full disk, it ends with the bytes of a run that
/// nobody disturbed. Of a run that has ended, this prints the outcome.
#[derive(Debug, Args)]
#[command(after_help = "Example: tuner resume night")]
pub(crate) struct Options {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    playing: Playing,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        play(|| Run::open(&self.folder), &self.playing)
    }
}
