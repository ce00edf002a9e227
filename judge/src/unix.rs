//! What the system does for a supervisor: Linux, and other systems of the Unix kind, where a bot is
//! its process group and nothing more.

use crate::descendants::below;
use nix::errno::Errno;
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::signal::{kill as signal, killpg, Signal};
use nix::sys::time::TimeValLike;
use nix::sys::wait::waitpid;
use nix::unistd::{setsid, Pid};
use std::os::unix::process::{parent_id, CommandExt};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, sync::Arc, thread, time::Duration};

/// Separates a supervisor from the session of the judge. On Linux it adopts every process below it
/// that loses its parent. Returns what is true once [`stop`] was called or the judge has ended.
pub(crate) fn isolate(judge: u32) -> io::Result<impl Fn() -> bool> {
    setsid()?;
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_child_subreaper(true)?;
    let stopped = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(Signal::SIGTERM as i32, Arc::clone(&stopped))?;
    Ok(move || stopped.load(Ordering::Relaxed) || parent_id() != judge)
}

/// Starts a bot in a process group of its own, on Linux confined.
pub(crate) fn spawn(mut bot: Command) -> io::Result<Child> {
    let spawn = || {
        #[cfg(target_os = "linux")]
        confine().map_err(io::Error::other)?;
        bot.process_group(0).spawn()
    };
    // The confinement is that of this thread and of the processes that it starts.
    thread::scope(|scope| scope.spawn(spawn).join()).expect("no panic")
}

/// Keeps a bot and what it starts from signalling or tracing other processes, and from gaining
/// privileges by `sudo` and the like. Kernels before 6.12 do not prevent the signals, and those
/// without Landlock not the tracing.
#[cfg(target_os = "linux")]
fn confine() -> Result<landlock::RestrictionStatus, landlock::RulesetError> {
    use landlock::{Ruleset, RulesetAttr, Scope};
    Ruleset::default()
        .scope(Scope::Signal)?
        .create()?
        .restrict_self()
}

/// Kills a bot, its process group, and on Linux all processes below this one.
pub(crate) fn kill(bot: &mut Child) {
    let _ = killpg(pid(bot.id()), Signal::SIGKILL);
    kill_below();
}

fn kill_below() {
    for process in below(std::process::id()) {
        let _ = signal(pid(process), Signal::SIGKILL);
    }
}

/// Kills what a bot that has ended has left behind. Returns the processor time of all processes
/// below this one, and the peak memory of the largest of them in bytes.
pub(crate) fn finish(bot: &mut Child) -> io::Result<(Duration, u64)> {
    // On Linux the number of the group may belong to a stranger by now.
    if !cfg!(target_os = "linux") {
        kill(bot);
    }
    kill_below();
    // The death of one shows, as a child of this process, what it has started.
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

/// Asks a supervisor to kill its bot, even if somebody has stopped it.
pub(crate) fn stop(supervisor: &mut Child) {
    for request in [Signal::SIGTERM, Signal::SIGCONT] {
        let _ = signal(pid(supervisor.id()), request);
    }
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32)
}
