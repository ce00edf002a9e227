//! The supervisor of a game: a process between the judge and the bot that contains and measures the bot.
//!
//! For each game the judge starts its own executable again, with the bot's command line as arguments. The
//! supervisor and the bot share the standard input, output and error of the game. The supervisor
//!
//! 1. leaves the judge's session, so that signals to the judge's process group do not reach it and the bot
//!    cannot join that group; it also becomes the parent of every orphaned descendant, so that no process
//!    leaves the tree;
//! 2. starts the bot, confined;
//! 3. kills the bot if it exceeds a limit, if the judge requests it, or if the judge has ended for any
//!    reason;
//! 4. kills the processes that the bot left behind, until none remains;
//! 5. appends its report to standard error, to which no other process can write by then, and ends.

use super::descendants::MemorySampler;
use super::system;
use nix::errno::Errno;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, setsid};
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGCHLD, SIGTERM};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, parent_id};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};
use wait_timeout::ChildExt;

/// The limits of a game. A game that exceeds one of them fails.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Limit on the wall time, in seconds. The judge does not pass it to the bot.
    pub time_limit_s: f64,
    /// Limit on the total memory of the bot and all its descendants, in MiB.
    pub memory_limit_mib: u64,
}

impl Limits {
    /// The limits of the contest (statement, section Submissions).
    pub const CONTEST: Self = Self {
        time_limit_s: 4.0,
        memory_limit_mib: 1024,
    };

    /// Returns [`time_limit_s`](Self::time_limit_s) as a [`Duration`].
    pub fn time_limit(self) -> Duration {
        Duration::from_secs_f64(self.time_limit_s)
    }
}

/// A process that has ended: its output, and the resources that it used.
///
/// The supervisor kills a process that exceeds its memory limit, prints 1 MiB to standard output, or runs
/// half a second longer than its time limit.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FinishedProcess {
    /// The exit status or the signal that ended the process, as text; `None` for status 0.
    pub failure: Option<String>,
    /// The time from just before the start of the process until its end.
    pub wall_time: Duration,
    /// Processor time of the process and all its descendants.
    pub cpu_time: Duration,
    /// Peak memory in MiB: the larger of two values. The first is the highest total of the process and its
    /// descendants, with shared memory counted once; a total counts if two successive samples reach it. The
    /// second is the peak of any single process.
    ///
    /// The value is at least the few MiB of the supervisor, because a process starts as a copy of the
    /// supervisor.
    pub peak_memory_mib: f64,
    /// True if the supervisor itself was stopped during the game, for example because its container was
    /// frozen. The measurements are then unreliable.
    pub was_frozen: bool,
    /// Standard output, at most 1 MiB.
    #[serde(skip)]
    pub stdout: Vec<u8>,
    /// The end of standard error, at most 1 MiB.
    #[serde(skip)]
    pub stderr: Vec<u8>,
}

/// The supervisor's report: how the process ended, or why there is no result.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum SupervisorReport {
    /// The process has ended by itself, or the supervisor has killed it.
    Finished(FinishedProcess),
    /// The system could not start the process; the value is `errno`.
    NotStarted(i32),
    /// The supervisor has failed; the text is the reason.
    Failed(String),
}

/// First argument of a supervisor. The bot's program, its arguments and the [`order_argument`] follow.
const ARGUMENT: &str = "--supervise";

/// How long the supervisor waits after the time limit before it kills the bot. If a late bot ends within this
/// period, the report shows how late it was.
pub(crate) const GRACE_PERIOD: Duration = Duration::from_millis(500);

/// Interval at which the supervisor checks the limits, and the judge checks the supervisor.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The unit, in bytes, in which the system reports the peak memory of ended processes.
const PEAK_MEMORY_UNIT_BYTES: u64 = if cfg!(target_vendor = "apple") {
    1
} else {
    1024
};

/// A longer gap between two checks means that the supervisor itself was stopped.
const FREEZE_THRESHOLD: Duration = Duration::from_secs(1);

/// Supervises a bot and exits, if this process was started as a supervisor. Otherwise returns.
///
/// Every program that plays games must call this function first in its `main`.
pub fn run_if_supervisor() {
    // The parent may have started this process with SIGCHLD ignored. Waiting for a child would then fail, and
    // the crate `wait-timeout` would call `SIG_IGN`, which is the number 1, as a function.
    let _ = signal_hook::flag::register(SIGCHLD, Arc::default());
    let mut words = env::args_os().skip(1);
    if words.next().is_some_and(|word| word == ARGUMENT) {
        let failed = |error| SupervisorReport::Failed(format!("a supervisor: {error}"));
        let report = supervise(words.collect()).unwrap_or_else(failed);
        let line = serde_json::to_string(&report).unwrap_or_default();
        // If there is no report, the judge plays the game again.
        let written = io::stderr().write_all(format!("\n{line}\n").as_bytes());
        std::process::exit(i32::from(written.is_err()));
    }
}

/// Returns a command that runs a program under a supervisor. The program receives the command's arguments,
/// environment and working folder.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(system::own_executable());
    command.arg(ARGUMENT).arg(program);
    command
}

/// Returns the last argument of a supervisor: the judge's process ID, and the limits.
pub(crate) fn order_argument(limits: Limits) -> String {
    serde_json::to_string(&(std::process::id(), limits)).expect("numbers have a JSON form")
}

/// Asks a supervisor to kill its bot. Also wakes up a supervisor that a signal has stopped.
pub(crate) fn stop(supervisor: &Child) {
    for request in [Signal::SIGTERM, Signal::SIGCONT] {
        let _ = kill(Pid::from_raw(supervisor.id() as i32), request);
    }
}

/// Runs the bot named by the supervisor's arguments until it ends. Kills the bot and its descendants if the
/// bot exceeds a limit, if the judge has called [`stop`], or if the judge has ended.
fn supervise(mut words: Vec<OsString>) -> io::Result<SupervisorReport> {
    let order = words.pop().unwrap_or_default();
    let (judge, limits): (u32, Limits) = serde_json::from_slice(order.as_encoded_bytes())?;
    setsid()?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    system::adopt_orphans()?;
    let stopped = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGTERM, Arc::clone(&stopped))?;
    let start = Instant::now();
    let mut bot = match spawn(&words) {
        Ok(bot) => bot,
        Err(error) => {
            let errno = error.raw_os_error().ok_or(error);
            return errno.map(SupervisorReport::NotStarted);
        }
    };
    let mut memory = MemorySampler::default();
    let (mut frozen, mut last_check) = (false, start);
    let status = loop {
        let status = bot.wait_timeout(CHECK_INTERVAL)?;
        frozen |= last_check.elapsed() > FREEZE_THRESHOLD;
        last_check = Instant::now();
        if let Some(status) = status {
            break status;
        }
        memory.sample();
        if stopped.load(Ordering::Relaxed)
            || parent_id() != judge
            || start.elapsed() > limits.time_limit() + GRACE_PERIOD
            || memory.peak_bytes > limits.memory_limit_mib << 20
        {
            system::kill_descendants(&bot);
        }
    };
    let wall = start.elapsed();
    // When a process dies, its children become children of this process, which can then kill them.
    system::kill_descendants(&bot);
    while waitpid(None, None) != Err(Errno::ECHILD) {
        system::kill_descendants(&bot);
    }
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = (used.user_time() + used.system_time()).num_microseconds();
    let largest = used.max_rss() as u64 * PEAK_MEMORY_UNIT_BYTES;
    Ok(SupervisorReport::Finished(FinishedProcess {
        failure: (!status.success()).then(|| status.to_string()),
        wall_time: wall,
        cpu_time: Duration::from_micros(cpu as u64),
        peak_memory_mib: memory.peak_bytes.max(largest) as f64 / f64::from(1 << 20),
        was_frozen: frozen,
        ..FinishedProcess::default()
    }))
}

/// Starts a bot in a process group of its own, confined as far as the system allows.
fn spawn(words: &[OsString]) -> io::Result<Child> {
    let spawn = || {
        system::confine()?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).process_group(0).spawn()
    };
    // A thread cannot undo its confinement. So a separate thread confines itself and starts the bot, which
    // inherits the confinement.
    thread::scope(|scope| scope.spawn(spawn).join()).expect("no panic")
}
