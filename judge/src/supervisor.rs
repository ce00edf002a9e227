//! The supervisor of a game: a process between the judge and the bot that contains and measures the
//! bot.
//!
//! The judge starts its own executable again for each game, with the bot's command line as arguments,
//! and with the files of the game as standard input, output and error, which the bot inherits. The
//! supervisor
//!
//! 1. leaves the judge's session, so that a signal to the judge's process group does not reach it,
//!    and that the bot cannot join that group; on Linux it adopts every process below it that loses
//!    its parent, so that none leaves the tree below it;
//! 2. starts the bot, confined;
//! 3. kills it if it exceeds a limit, if the judge says so, or if the judge has ended, however that
//!    happened;
//! 4. kills what the bot has left behind, until nothing is left;
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

/// First argument of a supervisor. The bot's program and its arguments follow, then the order.
const ARGUMENT: &str = "--supervise";

/// A bot still running this much after its time is killed. Until then it may continue, to show by
/// how much it is late.
const SLACK: Duration = Duration::from_millis(500);

/// Time between two checks of the limits.
pub(crate) const PULSE: Duration = Duration::from_millis(20);

/// Supervises a bot, and exits, if this process was started for that. Every program that plays
/// games calls this first in its `main`.
pub fn init() {
    let mut words = env::args_os().skip(1);
    if words.next().is_some_and(|word| word == ARGUMENT) {
        // The judge notices that there is no report.
        std::process::exit(i32::from(supervise(words.collect()).is_err()));
    }
}

/// A command that supervises a program, which gets its arguments, its environment and its folder.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    // On Linux also if another build has replaced this executable.
    let own = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        env::current_exe().unwrap_or_default()
    };
    let mut command = Command::new(own);
    command.arg(ARGUMENT).arg(program);
    command
}

/// The last argument of a supervisor. It writes a `Result<Finished, String>` to the file `report`:
/// the measurements, or why the bot cannot be started.
pub(crate) fn order(limits: Limits, report: &Path) -> io::Result<String> {
    let judge = std::process::id();
    Ok(serde_json::to_string(&(judge, limits, report))?)
}

/// Does the work of a supervisor with these arguments.
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

/// Runs a bot and kills it, if need be, with all that it started.
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
