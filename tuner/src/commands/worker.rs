//! `tuner worker`: plays games for runs on other machines.

use anyhow::{Context, Result};
use clap::Args;
use columns_cli::options::integer_between;
use columns_cli::pool::{Pool, PoolOptions};
use columns_cli::{output, progress, stderr::warn};
use columns_tuner::cluster::{self, Connection};
use columns_tuner::options::ServerOptions;
use std::time::Duration;

/// Play games for the runs of a NATS server (`tuner fit --nats URL`), on any number of machines
///
/// Ends with Ctrl-C, after the games in progress. A worker may come and go, or be killed, at any
/// time: other workers then play its games. The worker and the runs must be of the same build, with
/// `--features nats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner worker --nats nats://head:4222
  tuner worker --nats tls://head:4222 --nats-creds worker.creds --nats-ca ca.pem --jobs 8 --idle 600")]
pub(crate) struct Options {
    #[command(flatten)]
    pool: PoolOptions,
    /// End after this many seconds without a game to play
    #[arg(long, value_name = "SECONDS",
        value_parser = integer_between(1, 31_536_000_u64))]
    idle: Option<u64>,
    #[command(flatten)]
    server: ServerOptions,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let stop =
            super::play_args::finish_games_on_interrupt("other workers will play its games")?;
        let expected = "expected the address of a NATS server, --nats URL, and a tuner that was built \
                        with --features nats";
        let connection = Connection::open(&self.server)?.context(expected)?;
        let jobs = Pool::new(self.pool.jobs).jobs();
        let games = output::count_text(jobs, "game");
        let line = format!("{}: {games} at a time", connection.address());
        let bar = progress::new_bar(0, "{spinner} {msg}, {pos} games, {per_sec}");
        if bar.is_hidden() {
            warn("tuner", &line);
        }
        bar.set_message(line);
        let ticking = bar.clone();
        let idle = self.idle.map(Duration::from_secs);
        let worked = cluster::run_worker(&connection, jobs, idle, stop, move || ticking.inc(1));
        let games = bar.position();
        bar.finish_and_clear();
        worked?;
        output::print(&format!("{games} games played\n"))
    }
}
