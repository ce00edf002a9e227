//! The supervisor of a game: a process between the judge and the bot that contains and measures the bot.
//!
//! For each game the judge starts its own executable again, with the bot's command line as arguments. Standard input,
//! output and error are the files of the game; the bot inherits them. The supervisor
//!
//! 1. leaves the judge's session, so that signals to the judge's process group do not reach it and the bot cannot join
//!    that group; on Linux it also becomes the parent of every orphaned descendant, so that no process leaves the tree;
//! 2. starts the bot, confined;
//! 3. kills the bot if it exceeds a limit, if the judge requests it, or if the judge has ended for any reason;
//! 4. kills the processes that the bot left behind, until none remains;
//! 5. writes the measurements to a file, and ends.

use crate::descendants::Memory;
use crate::limits::{Finished, Limits};
use crate::os;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs, io};
use wait_timeout::ChildExt;

/// First argument of a supervisor. The bot's program, its arguments and the [`order`] follow.
const ARGUMENT: &str = "--supervise";

/// Grace period after the time limit, before the supervisor kills the bot. If a late bot ends within it, the report shows
/// how late it was.
const SLACK: Duration = Duration::from_millis(500);

/// Interval at which the supervisor checks the limits, and the judge checks the supervisor.
pub(crate) const PULSE: Duration = Duration::from_millis(20);

/// Supervises a bot and exits, if this process was started as a supervisor. Otherwise returns.
///
/// Every program that plays games must call this first in its `main`.
pub fn init() {
    let mut words = env::args_os().skip(1);
    if words.next().is_some_and(|word| word == ARGUMENT) {
        // Without a report the judge counts the game as crashed.
        std::process::exit(i32::from(supervise(words.collect()).is_err()));
    }
}

/// Returns a command that runs a program under a supervisor. The program receives the arguments, the environment and the
/// working folder of the command.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    // On Linux this link works even if another build has replaced the executable.
    let own = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        env::current_exe().unwrap_or_default()
    };
    let mut command = Command::new(own);
    command.arg(ARGUMENT).arg(program);
    command
}

/// Returns the last argument of a supervisor: the judge's process ID, the limits, and the file for the report.
///
/// The supervisor writes a `Result<Finished, String>` to that file: the measurements, or why the bot cannot be started.
pub(crate) fn order(limits: Limits, report: &Path) -> io::Result<String> {
    let judge = std::process::id();
    Ok(serde_json::to_string(&(judge, limits, report))?)
}

/// Plays the game that the arguments of a supervisor describe, and writes the report.
fn supervise(mut words: Vec<OsString>) -> io::Result<()> {
    let order = words.pop().unwrap_or_default();
    let order: (u32, Limits, PathBuf) = serde_json::from_slice(order.as_encoded_bytes())?;
    let (judge, limits, report) = order;
    let is_stopped = os::isolate(judge)?;
    let mut bot = Command::new(&words[0]);
    bot.args(&words[1..]);
    let result = play(bot, limits, is_stopped).map_err(|error| error.to_string());
    fs::write(report, serde_json::to_vec(&result)?)
}

/// Runs a bot to its end, or kills it with its descendants if it exceeds a limit or `is_stopped` returns true.
fn play(bot: Command, limits: Limits, is_stopped: impl Fn() -> bool) -> io::Result<Finished> {
    let start = Instant::now();
    let mut bot = os::spawn(bot)?;
    let mut memory = Memory::default();
    let status = loop {
        if let Some(status) = bot.wait_timeout(PULSE)? {
            break status;
        }
        memory.observe();
        if is_stopped()
            || start.elapsed() > limits.time + SLACK
            || memory.peak > limits.memory << 20
        {
            os::kill(&mut bot);
        }
    };
    let wall = start.elapsed();
    let (cpu, largest) = os::finish(&mut bot)?;
    Ok(Finished {
        failed: (!status.success()).then(|| status.to_string()),
        wall,
        cpu,
        peak_memory_mib: memory.peak.max(largest) as f64 / f64::from(1 << 20),
        ..Finished::default()
    })
}
