//! Who plays the games of a run: the options of the commands that work on one.

use super::interrupt;
use super::progress::Screen;
use anyhow::{anyhow, Error, Result};
use clap::Args;
use columns_cli::pool::Pool;
#[cfg(feature = "nats")]
use columns_tuner::cluster::{driver::Remote, Connection};
use columns_tuner::digest::Digest;
use columns_tuner::executor::{Executor, Threads};
use columns_tuner::experiment::outcome::Outcome;
use columns_tuner::experiment::run::Run;
use columns_tuner::server::Server;
use std::error::Error as StdError;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

/// How the games of a run are played.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs, help_heading = None::<&str>)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    server: Server,
}

/// What plays the games of runs.
pub(crate) struct Crew {
    /// The threads of this process; Ctrl-C stops them.
    pub(crate) threads: Threads<'static>,
    #[cfg(feature = "nats")]
    connection: Option<Connection>,
}

impl Playing {
    /// Watches for Ctrl-C, and connects to the server if there is one.
    pub(crate) fn crew(&self) -> Result<Crew> {
        #[cfg(not(feature = "nats"))]
        super::worker::refuse(&self.server)?;
        Ok(Crew {
            #[cfg(feature = "nats")]
            connection: Connection::open(&self.server)?,
            threads: Threads {
                pool: Pool::new(self.jobs),
                stop: interrupt::watch()?,
            },
        })
    }
}

impl Crew {
    /// Works with what plays the games of a run of this identity.
    #[cfg_attr(not(feature = "nats"), allow(unused_variables))]
    pub(crate) fn play<T>(
        &self,
        identity: Digest,
        work: impl FnOnce(&mut dyn Executor) -> Result<T>,
    ) -> Result<T> {
        #[cfg(feature = "nats")]
        if let Some(connection) = &self.connection {
            return work(&mut Remote::new(connection, identity, self.threads.stop)?);
        }
        work(&mut self.threads.clone())
    }

    /// Works on a run until it has ended, and shows its progress.
    pub(crate) fn work(&self, run: &mut Run) -> Result<Outcome> {
        let mut screen = Screen::new(run);
        let folder = run.folder.path().to_path_buf();
        let ended = self.play(run.identity, |executor| run.work(executor, &mut screen));
        screen.close();
        ended.map_err(|error| how_to_go_on(error, &folder))
    }
}

/// Adds to an error of the system how to go on: nothing is lost.
fn how_to_go_on(error: Error, folder: &Path) -> Error {
    let mut causes = error.chain();
    if causes.any(<dyn StdError>::is::<io::Error>) {
        let folder = folder.display();
        anyhow!("{error:#}; nothing is lost, to go on: tuner resume {folder}")
    } else {
        error
    }
}
