//! How other Unix systems, such as macOS, contain a bot: less than Linux. This file compiles, but is not
//! tested.
//!
//! The system does not list the descendants of a process. So only the bot's process group is killed, and the
//! memory limit is not enforced while the bot runs.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Child;

/// Returns the path of this executable.
pub(crate) fn own_executable() -> PathBuf {
    std::env::current_exe().unwrap_or_default()
}

/// Creates an empty temporary file without a name.
pub(crate) fn empty_file() -> io::Result<File> {
    tempfile::tempfile()
}

/// Does nothing: orphans leave the tree here.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Does nothing: bots are not confined here.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn confine() -> io::Result<()> {
    Ok(())
}

/// Kills the bot's process group.
pub(crate) fn kill_descendants(bot: &Child) {
    let _ = killpg(Pid::from_raw(bot.id() as i32), Signal::SIGKILL);
}

/// Unit of the peak memory that the system reports of ended processes, in bytes.
pub(crate) const PEAK_MEMORY_UNIT: u64 = if cfg!(target_vendor = "apple") {
    1
} else {
    1024
};
