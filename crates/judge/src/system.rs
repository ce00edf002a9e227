//! System calls of a supervisor.
//!
//! On Linux the supervisor kills all descendants of the bot, on other systems only the bot's process group.

use crate::descendants::below;
use nix::errno::Errno;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{Signal, kill as signal, killpg};
use nix::sys::time::TimeValLike;
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, setsid};
use std::os::unix::process::{CommandExt, parent_id};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, sync::Arc, thread, time::Duration};

/// Moves this supervisor out of the judge's session, and forbids core files. On Linux, also makes it the parent of its
/// orphaned descendants.
///
/// The returned function returns true once the judge has called [`stop`] or has ended.
pub(crate) fn isolate(judge: u32) -> io::Result<impl Fn() -> bool> {
    setsid()?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_child_subreaper(true)?;
    let stopped = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(Signal::SIGTERM as i32, Arc::clone(&stopped))?;
    Ok(move || stopped.load(Ordering::Relaxed) || parent_id() != judge)
}

/// Starts a bot in a process group of its own. On Linux, also confines it.
pub(crate) fn spawn(mut bot: Command) -> io::Result<Child> {
    let spawn = || {
        #[cfg(target_os = "linux")]
        confine().map_err(io::Error::other)?;
        bot.process_group(0).spawn()
    };
    // A thread cannot undo its confinement, so a separate thread starts the bot, which inherits the confinement.
    thread::scope(|scope| scope.spawn(spawn).join()).expect("no panic")
}

/// Confines the calling thread: a bot that it starts cannot signal or trace other processes, nor gain privileges, for
/// example by `sudo`.
///
/// Kernels before 6.12 do not prevent the signals, and kernels without Landlock do not prevent the tracing.
#[cfg(target_os = "linux")]
fn confine() -> Result<landlock::RestrictionStatus, landlock::RulesetError> {
    use landlock::{Ruleset, RulesetAttr, Scope};
    Ruleset::default()
        .scope(Scope::Signal)?
        .create()?
        .restrict_self()
}

/// Kills a bot and its process group. On Linux also kills all descendants of this process.
pub(crate) fn kill(bot: &mut Child) {
    let _ = killpg(pid(bot.id()), Signal::SIGKILL);
    kill_below();
}

fn kill_below() {
    for process in below(std::process::id()) {
        let _ = signal(pid(process), Signal::SIGKILL);
    }
}

/// Kills the processes that an exited bot left behind.
///
/// Returns the processor time of all descendants of this process, and the peak memory of the largest one in bytes.
pub(crate) fn finish(bot: &mut Child) -> io::Result<(Duration, u64)> {
    // The bot's process ID is free by now: an unrelated process group may have it. On Linux `kill_below` suffices.
    if !cfg!(target_os = "linux") {
        kill(bot);
    }
    kill_below();
    // When a process dies, its children become children of this process and can be killed.
    while waitpid(None, None) != Err(Errno::ECHILD) {
        kill_below();
    }
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = (used.user_time() + used.system_time()).num_microseconds();
    let is_in_bytes = cfg!(target_vendor = "apple");
    let unit = if is_in_bytes { 1 } else { 1024 };
    let peak = used.max_rss() as u64 * unit;
    Ok((Duration::from_micros(cpu as u64), peak))
}

/// Asks a supervisor to kill its bot. Also wakes a supervisor that a signal has stopped.
pub(crate) fn stop(supervisor: &mut Child) {
    for request in [Signal::SIGTERM, Signal::SIGCONT] {
        let _ = signal(pid(supervisor.id()), request);
    }
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32)
}
