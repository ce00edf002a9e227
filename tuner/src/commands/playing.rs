//! The threads or workers that play the games of a command: options and set-up.

use super::progress::Screen;
use anyhow::{anyhow, Result};
use clap::Args;
use columns_cli::{command::on_interrupt, pool::Pool};
use columns_tuner::cluster::Connection;
use columns_tuner::executor::{Executor, Threads};
use columns_tuner::{
    digest::Digest, experiment::outcome::Outcome, experiment::run::Run, options::Server,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{error::Error as StdError, io, num::NonZeroUsize};

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that the first Ctrl-C sets, so that the games that have begun can be finished. A second
/// Ctrl-C ends the process at once; no run is damaged by that.
pub(crate) fn watch() -> Result<&'static AtomicBool> {
    on_interrupt(|| STOP.store(true, Ordering::Relaxed))?;
    Ok(&STOP)
}

/// The options of the threads and the workers.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs, help_heading = None::<&str>)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    server: Server,
}

/// The threads of this process, and the workers of a server if one is given.
pub(crate) struct Crew {
    /// The threads of this process; Ctrl-C stops them.
    pub(crate) threads: Threads<'static>,
    connection: Option<Connection>,
}

impl Playing {
    /// Watches for Ctrl-C, and connects to the server if there is one.
    pub(crate) fn crew(&self) -> Result<Crew> {
        Ok(Crew {
            connection: Connection::open(&self.server)?,
            threads: Threads {
                pool: Pool::new(self.jobs),
                stop: watch()?,
            },
        })
    }
}

impl Crew {
    /// Calls `work` with the executor of the run of this identity.
    pub(crate) fn play<T>(
        &self,
        identity: Digest,
        work: impl FnOnce(&mut dyn Executor) -> Result<T>,
    ) -> Result<T> {
        if let Some(connection) = &self.connection {
            return work(&mut *connection.workers(identity, self.threads.stop)?);
        }
        work(&mut self.threads.clone())
    }

    /// Works on a run until it has ended, and shows its progress.
    pub(crate) fn work(&self, run: &mut Run) -> Result<Outcome> {
        let mut screen = Screen::new(run);
        let ended = self.play(run.identity, |executor| run.work(executor, &mut screen));
        screen.close();
        // Nothing is lost by an error of the system.
        ended.map_err(|error| {
            let mut causes = error.chain();
            if causes.any(<dyn StdError>::is::<io::Error>) {
                anyhow!("{error:#}; nothing is lost, to continue: the same command again")
            } else {
                error
            }
        })
    }
}
