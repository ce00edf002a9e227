//! Games on processors of their own.
//!
//! A thread that plays moves to its processors before it starts a bot, and the bot inherits them.

use anyhow::{ensure, Context, Result};
use std::sync::{Mutex, PoisonError};

/// Sets of processors, one for each game at a time.
#[derive(Debug)]
pub struct Pins(Mutex<Vec<Vec<usize>>>);

impl Pins {
    /// Sets of `threads` processors for this number of games at a time.
    ///
    /// # Errors
    /// If this process may use fewer processors, or the system has no such choice.
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

    /// Moves this thread to a set that no other thread has, unless it is on one already.
    ///
    /// # Errors
    /// If the system refuses, or all sets are taken.
    pub fn pin(&self) -> Result<()> {
        thread_local!(static IS_PINNED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) });
        if IS_PINNED.get() {
            return Ok(());
        }
        let set = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        move_to(&set.context("--pin: no processors are left")?).context("--pin")?;
        IS_PINNED.set(true);
        Ok(())
    }
}

/// The processors that this process may use; none where the system does not let it choose.
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

/// Moves this thread to these processors.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn move_to(processors: &[usize]) -> std::io::Result<()> {
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
