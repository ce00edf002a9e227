//! The supervisor of a game: a process between the judge and the bot that contains and measures the bot.
//!
//! For each game the judge starts its own executable again, with the bot's command line as arguments. Standard input,
//! output and error are those of the game; the bot inherits them. The supervisor
//!
//! 1. leaves the judge's session, so that signals to the judge's process group do not reach it and the bot cannot join
//!    that group; on Linux it also becomes the parent of every orphaned descendant, so that no process leaves the tree;
//! 2. starts the bot, confined;
//! 3. kills the bot if it exceeds a limit, if the judge requests it, or if the judge has ended for any reason;
//! 4. kills the processes that the bot left behind, until none remains;
//! 5. appends its report to standard error, to which no other process can write any more, and ends.

use crate::descendants::Memory;
use crate::limits::{Finished, Limits, Report};
use crate::system;
use signal_hook::consts::SIGCHLD;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, path::PathBuf};
use wait_timeout::ChildExt;

/// First argument of a supervisor. The bot's program, its arguments and the [`order`] follow.
const ARGUMENT: &str = "--supervise";

/// Grace period after the time limit, before the supervisor kills the bot. If a late bot ends within it, the report shows
/// how late it was.
pub(crate) const SLACK: Duration = Duration::from_millis(500);

/// Interval at which the supervisor checks the limits, and the judge checks the supervisor.
pub(crate) const PULSE: Duration = Duration::from_millis(20);

/// A pause between two checks from which the supervisor concludes that it was stopped itself.
const FREEZE: Duration = Duration::from_secs(1);

/// This executable on Linux. The link works even if another build has replaced the file.
pub(crate) const OWN: &str = "/proc/self/exe";

/// Supervises a bot and exits, if this process was started as a supervisor. Otherwise returns.
///
/// Every program that plays games must call this first in its `main`.
pub fn init() {
    // A parent may have made this process ignore the end of its children. Waiting for a child would then fail, and the
    // crate `wait-timeout` would call the handler at address 1.
    let _ = signal_hook::flag::register(SIGCHLD, Arc::default());
    let mut words = env::args_os().skip(1);
    if words.next().is_some_and(|word| word == ARGUMENT) {
        let report = supervise(words.collect());
        let report =
            report.unwrap_or_else(|error| Report::Trouble(format!("a supervisor: {error}")));
        let line = serde_json::to_string(&report).unwrap_or_default();
        // Without a report the judge plays the game again.
        let written = io::stderr().write_all(format!("\n{line}\n").as_bytes());
        std::process::exit(i32::from(written.is_err()));
    }
}

/// Returns a command that runs a program under a supervisor. The program receives the arguments, the environment and the
/// working folder of the command.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let own = if cfg!(target_os = "linux") {
        PathBuf::from(OWN)
    } else {
        env::current_exe().unwrap_or_default()
    };
    let mut command = Command::new(own);
    command.arg(ARGUMENT).arg(program);
    command
}

/// Returns the last argument of a supervisor: the judge's process ID, and the limits.
pub(crate) fn order(limits: Limits) -> String {
    serde_json::to_string(&(std::process::id(), limits)).expect("numbers have a JSON form")
}

/// Plays the game that the arguments of a supervisor describe.
fn supervise(mut words: Vec<OsString>) -> io::Result<Report> {
    let order = words.pop().unwrap_or_default();
    let (judge, limits): (u32, Limits) = serde_json::from_slice(order.as_encoded_bytes())?;
    let is_stopped = system::isolate(judge)?;
    let mut bot = Command::new(&words[0]);
    bot.args(&words[1..]);
    play(bot, limits, is_stopped)
}

/// Runs a bot to its end, or kills it with its descendants if it exceeds a limit or `is_stopped` returns true.
fn play(bot: Command, limits: Limits, is_stopped: impl Fn() -> bool) -> io::Result<Report> {
    let start = Instant::now();
    let mut bot = match system::spawn(bot) {
        Ok(bot) => bot,
        Err(error) => match error.raw_os_error() {
            Some(errno) => return Ok(Report::NotStarted(errno)),
            None => return Err(error),
        },
    };
    let mut memory = Memory::default();
    let (mut frozen, mut last_check) = (false, start);
    let status = loop {
        let status = bot.wait_timeout(PULSE)?;
        frozen |= last_check.elapsed() > FREEZE;
        last_check = Instant::now();
        if let Some(status) = status {
            break status;
        }
        memory.observe();
        if is_stopped()
            || start.elapsed() > limits.time + SLACK
            || memory.peak > limits.memory << 20
        {
            system::kill(&mut bot);
        }
    };
    let wall = start.elapsed();
    let (cpu, largest) = system::finish(&mut bot)?;
    Ok(Report::Finished(Finished {
        failed: (!status.success()).then(|| status.to_string()),
        wall,
        cpu,
        peak_memory_mib: memory.peak.max(largest) as f64 / f64::from(1 << 20),
        frozen,
        ..Finished::default()
    }))
}
