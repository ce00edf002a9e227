//! The counterpart of `linux.rs` for other Unix systems, such as macOS. It compiles, but is not tested.
//!
//! Without Linux's `/proc`, the supervisor cannot list the descendants of a process. A bot is therefore
//! contained less strictly: the supervisor kills only the bot's process group, and does not enforce the
//! memory limit while the bot runs.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Child;

/// Returns the path of this executable; an empty path if the system does not report it.
pub(crate) fn own_executable() -> PathBuf {
    std::env::current_exe().unwrap_or_default()
}

/// Creates an empty temporary file without a name.
pub(crate) fn create_unnamed_file() -> io::Result<File> {
    tempfile::tempfile()
}

/// Does nothing: on these systems, orphans leave the process tree.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Does nothing: Landlock, which confines bots, exists only on Linux.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn confine() -> io::Result<()> {
    Ok(())
}

/// Kills the bot's process group.
pub(crate) fn kill_descendants(bot: &Child) {
    let _ = killpg(Pid::from_raw(bot.id() as i32), Signal::SIGKILL);
}
