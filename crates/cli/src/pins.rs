//! Reserves processors for each game.
//!
//! A worker thread binds itself to its processors before it starts a bot. The bot inherits the binding.

use anyhow::{Context, Result, ensure};
use std::sync::{Mutex, PoisonError};

/// Free sets of processors. Each worker thread takes one set and keeps it.
#[derive(Debug)]
pub struct Pins(Mutex<Vec<Vec<usize>>>);

impl Pins {
    /// Creates `games` sets of `threads` processors each; `games` is the number of parallel games.
    ///
    /// # Errors
    /// If this process is not allowed to use enough processors, or if the system cannot bind threads to processors.
    pub fn new(games: usize, threads: usize) -> Result<Self> {
        let processors = allowed();
        ensure!(
            !processors.is_empty(),
            "--pin: this system does not let a command choose processors"
        );
        let most = processors.len() / threads;
        ensure!(
            games <= most,
            "--pin: expected at most {most} games at a time: {} processors for bots of {threads} threads, found {games}",
            processors.len()
        );
        let sets = processors.chunks_exact(threads).take(games);
        Ok(Self(Mutex::new(sets.map(<[_]>::to_vec).collect())))
    }

    /// Binds this thread to a free set. Does nothing if the thread has a set already.
    ///
    /// # Errors
    /// If the system refuses, or if no set is free.
    pub fn pin(&self) -> Result<()> {
        thread_local!(static IS_PINNED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) });
        if IS_PINNED.get() {
            return Ok(());
        }
        let set = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        bind_to(&set.context("--pin: no processors are left")?).context("--pin")?;
        IS_PINNED.set(true);
        Ok(())
    }
}

/// Lists the processors that this process may use. Empty if the system cannot bind threads to processors.
fn allowed() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0)) {
        let all = 0..nix::sched::CpuSet::count();
        return all
            .filter(|&processor| set.is_set(processor) == Ok(true))
            .collect();
    }
    Vec::new()
}

/// Binds this thread to these processors.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn bind_to(processors: &[usize]) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let mut set = nix::sched::CpuSet::new();
        for &processor in processors {
            set.set(processor)?;
        }
        nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &set)?;
    }
    Ok(())
}
