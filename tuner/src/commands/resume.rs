//! `tuner resume`: continuing a run.

use super::{fit::finish, playing::Playing, searching::games};
use anyhow::Result;
use clap::Args;
use columns_cli::options::duration;
use columns_tuner::experiment::run::Run;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Go on with a run of `tuner fit` or `tuner refine` after any stop
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
    #[arg(long, value_name = "N", value_parser = games)]
    games: Option<u64>,
    /// Search for this time from now on, such as 90s, 30m or 8h [default: what is left of it]
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[command(flatten)]
    playing: Playing,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let crew = self.playing.crew()?;
        let mut run = Run::open(&self.folder)?;
        if self.games.is_some() || self.time.is_some() {
            run.extend(self.games, self.time.map(|time| time.as_secs_f64()));
        }
        finish(run, &crew)
    }
}
