//! The players of a run: the options of the commands that work on one.

use anyhow::Result;
use clap::Args;
#[cfg(feature = "nats")]
use columns_cli::mistake::complain;
use columns_cli::pool::Pool;
#[cfg(feature = "nats")]
use columns_tuner::cluster::{driver::Remote, Connection};
use columns_tuner::fit::run::Run;
use columns_tuner::games::batch::{Local, Players};
use std::num::NonZeroUsize;
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

/// The players of a run.
pub(crate) enum Crew {
    Local(Local),
    #[cfg(feature = "nats")]
    Remote(Box<Remote>),
}

impl Playing {
    /// The players of this process alone.
    pub(crate) fn here(&self, stop: Arc<AtomicBool>) -> Local {
        Local::new(Pool::new(self.jobs), stop)
    }

    /// Makes or opens a run, after its players are ready.
    pub(crate) fn begin(
        &self,
        stop: Arc<AtomicBool>,
        run: impl FnOnce() -> Result<Run>,
    ) -> Result<(Run, Crew)> {
        #[cfg(feature = "nats")]
        if let Some(server) = self.server.server()? {
            let connection = Connection::open(&server)?;
            let run = run()?;
            let remote = Remote::new(connection, run.identity, stop)?;
            return Ok((run, Crew::Remote(Box::new(remote))));
        }
        #[cfg(not(feature = "nats"))]
        self.server.refuse()?;
        let players = self.here(stop);
        Ok((run()?, Crew::Local(players)))
    }
}

impl Crew {
    pub(crate) fn players(&mut self) -> &mut dyn Players {
        match self {
            Self::Local(local) => local,
            #[cfg(feature = "nats")]
            Self::Remote(remote) => &mut **remote,
        }
    }

    /// Clears up after a run that has ended.
    pub(crate) fn finish(self) {
        match self {
            Self::Local(_) => {}
            // The run has its outcome; what is left on the server expires by itself.
            #[cfg(feature = "nats")]
            Self::Remote(remote) => {
                if let Err(error) = remote.finish() {
                    complain("tuner", &format!("{error:#}"));
                }
            }
        }
    }
}
