//! `tuner worker`: playing games for runs on other machines.

// A build without NATS knows the options and says what to build.
#![cfg_attr(not(feature = "nats"), allow(dead_code))]

use anyhow::{bail, Result};
use clap::Args;
use columns_tuner::options::Server;
use std::{num::NonZeroUsize, process::ExitCode};

/// Play games for the runs of a NATS server (`tuner fit --nats URL`), on any number of machines
///
/// Ends with Ctrl-C, after the games in hand. A worker may come and go, or be killed, at any time:
/// its games are then played by others. Driver and workers must be the same build, with
/// `--features nats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner worker --nats nats://head:4222
  tuner worker --nats tls://head:4222 --nats-creds worker.creds --nats-ca ca.pem --jobs 8 --idle 600")]
pub(crate) struct Options {
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    /// End when there was no game to play for this many seconds
    #[arg(long, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    idle: Option<u64>,
    #[command(flatten)]
    server: Server,
}

/// What a build without NATS says.
#[cfg(not(feature = "nats"))]
const WITHOUT: &str = "this tuner was built without NATS; \
    `cargo build --release -p columns-tuner --features nats` builds one with it";

/// Says what to build if a server is given.
#[cfg(not(feature = "nats"))]
pub(crate) fn refuse(server: &Server) -> Result<()> {
    anyhow::ensure!(server.nats.is_none(), "--nats: {WITHOUT}");
    Ok(())
}

impl Options {
    #[cfg(not(feature = "nats"))]
    #[allow(clippy::unused_self)] // as with NATS
    pub(crate) fn run(&self) -> Result<ExitCode> {
        bail!("worker: {WITHOUT}");
    }

    #[cfg(feature = "nats")]
    pub(crate) fn run(&self) -> Result<ExitCode> {
        use columns_cli::{mistake::complain, output, pool::Pool, progress};
        use columns_tuner::cluster::{worker, Connection};

        let stop = super::playing::watch()?;
        let Some(connection) = Connection::open(&self.server)? else {
            bail!("expected the address of a NATS server: --nats URL (see tuner worker --help)");
        };
        let jobs = Pool::new(self.jobs).jobs();
        let line = format!("{}: {jobs} games at a time", connection.shown());
        let bar = progress::bar(0, "{spinner} {msg}, {pos} games, {per_sec}");
        if bar.is_hidden() {
            complain("tuner", &line);
        }
        bar.set_message(line);
        let seen = bar.clone();
        let idle = self.idle.map(std::time::Duration::from_secs);
        let worked = worker::work(&connection, jobs, idle, stop, move || seen.inc(1));
        let played = bar.position();
        bar.finish_and_clear();
        worked?;
        output::print(&format!("{played} games played\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}
