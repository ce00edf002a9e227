//! `tuner resume`: continuing a run.

use super::fit::play;
use super::interrupt;
use super::playing::Playing;
use anyhow::Result;
use clap::Args;
use columns_cli::options::duration;
use columns_tuner::fit::config::check_games;
use columns_tuner::fit::run::Run;
use columns_tuner::fit::runner::Limits;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Go on with a run of `tuner fit` after any stop
///
/// However it was stopped, by Ctrl-C, `kill -9` or a full disk, it ends with the bytes of a run
/// that nobody disturbed. Of a run that has ended, this prints the outcome; with --games or --for
/// its search goes on, and a new result is judged on held-out seeds of its own.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner resume night
  tuner resume night --games 200000
  tuner resume night --for 2h")]
pub(crate) struct Options {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Games of the run to play at the most, those of before included [default: as it began]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop after this time, such as 90s, 30m or 8h
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[command(flatten)]
    playing: Playing,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        self.games.map_or(Ok(()), check_games)?;
        let until = self.time.map(|time| Instant::now() + time);
        let stop = interrupt::watch()?;
        let (run, crew) = self.playing.begin(stop, || Run::open(&self.folder))?;
        let limits = Limits {
            games: self.games.unwrap_or(run.config.games),
            until,
            extend: self.games.is_some() || self.time.is_some(),
        };
        play(run, limits, crew)
    }
}
