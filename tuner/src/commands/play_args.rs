//! The threads or workers that play the games of a command: options and set-up.

use super::progress::ProgressDisplay;
use anyhow::{Error, Result, anyhow};
use clap::Args;
use columns_cases::digest::Digest;
use columns_cli::command::{Interrupted, on_interrupt, set_second_signal_effect};
use columns_cli::{
    output,
    pool::{Pool, PoolOptions},
};
use columns_core::text::group_digits;
use columns_tuner::cluster::{Connection, connect_workers};
use columns_tuner::executor::{Executor, Threads};
use columns_tuner::experiment::run::Run;
use columns_tuner::{options::ServerOptions, report};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{error::Error as StdError, io};

static STOP: AtomicBool = AtomicBool::new(false);

/// True after the first call of [`watch_for_interrupt`].
static IS_WATCHING: AtomicBool = AtomicBool::new(false);

/// The effect of a second Ctrl-C on work whose games are in a ledger.
pub(crate) const RESUMABLE_EFFECT: &str = "the run can still be resumed";

/// Returns a flag that the first Ctrl-C sets. A second Ctrl-C ends the process immediately, without damage to
/// the run. Calls after the first one only return the flag.
pub(crate) fn watch_for_interrupt() -> Result<&'static AtomicBool> {
    if !IS_WATCHING.swap(true, Ordering::Relaxed) {
        on_interrupt(|| STOP.store(true, Ordering::Relaxed))?;
    }
    Ok(&STOP)
}

/// Returns the flag of [`watch_for_interrupt`]. On the first Ctrl-C, the process prints that it will finish
/// the games in progress. The message also contains `effect`, the effect of a second Ctrl-C.
pub(crate) fn finish_games_on_interrupt(effect: &'static str) -> Result<&'static AtomicBool> {
    set_second_signal_effect(effect);
    watch_for_interrupt()
}

/// Describes the effect of a second Ctrl-C. Games are kept only if there is a ledger, `out`.
pub(crate) fn second_signal_effect(out: Option<&PathBuf>) -> &'static str {
    match out {
        Some(_) => RESUMABLE_EFFECT,
        None => "without --out no game is kept",
    }
}

/// Returns the error of a command that was interrupted after `done` of `count` games or seeds. `what` is the
/// noun, `game` or `seed`. `is_kept` is true if the finished games are in a file.
pub(crate) fn interruption_error(done: usize, count: usize, what: &str, is_kept: bool) -> Error {
    let (done, all) = (group_digits(done as u64), output::count_text(count, what));
    let hint = if is_kept {
        "; to continue, give the same command again"
    } else {
        ""
    };
    Interrupted(format!("after {done} of {all}{hint}")).into()
}

/// The options for the threads or the workers that play the games.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pool: PoolOptions,
    #[command(flatten)]
    server: ServerOptions,
}

/// The threads of this process, and the workers of a server if the user names one.
pub(crate) struct Workers {
    /// The threads of this process; Ctrl-C stops them.
    pub(crate) threads: Threads<'static>,
    connection: Option<Connection>,
}

impl PlayArgs {
    /// Watches for Ctrl-C, and connects to the server if the user names one. `effect` describes the
    /// effect of a second Ctrl-C.
    pub(crate) fn set_up_workers(&self, effect: &'static str) -> Result<Workers> {
        let connection = Connection::open(&self.server)?;
        let pool = Pool::new(self.pool.jobs);
        let stop = finish_games_on_interrupt(effect)?;
        let threads = Threads { pool, stop };
        Ok(Workers {
            threads,
            connection,
        })
    }
}

impl Workers {
    /// Calls `work` with the executor of the run with this identity.
    pub(crate) fn with_executor<T>(
        &self,
        identity: Digest,
        work: impl FnOnce(&mut dyn Executor) -> Result<T>,
    ) -> Result<T> {
        match &self.connection {
            Some(connection) => work(&mut *connect_workers(
                connection,
                identity,
                self.threads.stop,
            )?),
            None => work(&mut self.threads.clone()),
        }
    }

    /// Plays the games of a run until it ends or is interrupted, shows its progress, and writes its page.
    pub(crate) fn execute(&self, run: &mut Run) -> Result<()> {
        let mut display = ProgressDisplay::new(&run.folder);
        let ended = self.with_executor(run.state.identity, |executor| {
            run.execute(executor, &mut display)
        });
        // The page must stop refreshing itself, even after an error.
        let speed = display.speed(&run.record);
        let page = report::write_page(&run.folder, &run.state, speed, false);
        // After an I/O error, such as a full disk, tell the user that the run can be resumed.
        ended.map_err(|error| {
            if !error.chain().any(<dyn StdError>::is::<io::Error>) {
                return error;
            }
            anyhow!("{error:#}; nothing is lost: to continue, give the same command again")
        })?;
        page
    }
}
