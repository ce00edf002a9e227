//! The parts of the supervisor that are specific to Linux. Each function has a counterpart for other Unix
//! systems in `other_unix.rs`.

use super::descendants::descendants_of;
use landlock::{Ruleset, RulesetAttr, RulesetCreated, Scope};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Child;

/// Returns the path of this executable. The path stays valid even if another build replaces the file.
pub(crate) fn own_executable() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

/// Creates an empty file in memory.
pub(crate) fn create_unnamed_file() -> io::Result<File> {
    Ok(memfd_create(c"case", MFdFlags::MFD_CLOEXEC)?.into())
}

/// Makes this process the parent of every orphaned descendant, so that no descendant leaves the process tree.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(true)?)
}

/// Confines the calling thread, and thus the bot that this thread starts. The bot can then signal and trace
/// only itself and its own descendants, and cannot gain privileges, for example with `sudo`.
///
/// Before Linux 6.12, or without Landlock, this function only prevents the bot from gaining privileges.
pub(crate) fn confine() -> io::Result<()> {
    let rules = Ruleset::default().scope(Scope::Signal);
    let confined = rules
        .and_then(Ruleset::create)
        .and_then(RulesetCreated::restrict_self);
    confined.map(|_| ()).map_err(io::Error::other)
}

/// Kills all descendants of this process: the bot, and the processes that the bot has started.
pub(crate) fn kill_descendants(_bot: &Child) {
    for process in descendants_of(std::process::id()) {
        let _ = kill(Pid::from_raw(process as i32), Signal::SIGKILL);
    }
}
