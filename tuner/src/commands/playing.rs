//! Who plays the games of a run: the options of the commands that work on one.

use super::interrupt;
use super::progress::Screen;
use anyhow::{anyhow, Error, Result};
use clap::Args;
#[cfg(feature = "nats")]
use columns_cli::mistake::complain;
use columns_cli::pool::Pool;
#[cfg(feature = "nats")]
use columns_tuner::cluster::{driver::Remote, Connection};
use columns_tuner::executor::{Executor, Threads};
use columns_tuner::experiment::outcome::Outcome;
use columns_tuner::experiment::run::{Effort, Run};
use std::error::Error as StdError;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// How the games of a run are played.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs, help_heading = None::<&str>)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    server: super::worker::ServerArgs,
}

/// What plays the games of runs.
pub(crate) struct Crew {
    jobs: Pool,
    stop: Arc<AtomicBool>,
    #[cfg(feature = "nats")]
    connection: Option<Connection>,
}

impl Playing {
    /// Watches for Ctrl-C, and connects to the server if there is one.
    pub(crate) fn crew(&self) -> Result<Crew> {
        #[cfg(not(feature = "nats"))]
        self.server.refuse()?;
        Ok(Crew {
            #[cfg(feature = "nats")]
            connection: match self.server.server()? {
                Some(server) => Some(Connection::open(&server)?),
                None => None,
            },
            jobs: Pool::new(self.jobs),
            stop: interrupt::watch()?,
        })
    }
}

impl Crew {
    /// Set by Ctrl-C.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Works on a run until it has ended, and shows its progress.
    pub(crate) fn work(&self, run: &mut Run) -> Result<(Outcome, Effort)> {
        let mut screen = Screen::new(run);
        #[cfg(feature = "nats")]
        if let Some(connection) = &self.connection {
            let mut remote = Remote::new(connection, run.identity, Arc::clone(&self.stop))?;
            let ended = ended(run, &mut remote, &mut screen)?;
            // The run has its outcome; what is left on the server expires by itself.
            if let Err(error) = remote.finish() {
                complain("tuner", &format!("{error:#}"));
            }
            return Ok(ended);
        }
        let mut threads = Threads::new(self.jobs, Arc::clone(&self.stop));
        ended(run, &mut threads, &mut screen)
    }
}

fn ended(
    run: &mut Run,
    executor: &mut dyn Executor,
    screen: &mut Screen,
) -> Result<(Outcome, Effort)> {
    let folder = run.folder.path().to_path_buf();
    let ended = run.work(executor, screen);
    screen.close();
    ended.map_err(|error| how_to_go_on(error, &folder))
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
