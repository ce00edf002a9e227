//! What the operating system does for [`crate::process`].
//!
//! A bot gets a group of its own, a process group or, on Windows, a job object, so that whatever it
//! started dies with it. On Unix its end is noticed without reaping it: until it is reaped its
//! number belongs to it, and a late kill cannot hit a stranger.
//!
//! On Linux that holds for what has left the group, too: this process adopts what a bot leaves
//! behind, and kills it. Should this process itself be killed, a shell kills the bots: see
//! [`guard`].

use process_wrap::std::{ChildWrapper, CommandWrap};
#[cfg(unix)]
use rustix::process::{self, Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use std::any::Any;
use std::io;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;
use wait4::{ResUse, Wait4};

/// How often to look for the end of a process where the system does not call.
const POLL: Duration = Duration::from_millis(1);

/// A child that has not been reaped, and all that it started.
pub(crate) type Group = Box<dyn ChildWrapper>;

/// Starts a command as the first process of a new group.
pub(crate) fn spawn(command: Command) -> io::Result<Group> {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command.spawn()
}

/// The process of this number.
#[cfg(unix)]
fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32).expect("no process has the number 0")
}

/// Waits for the child to end, but no longer than `most`, and tells whether it has ended. Where the
/// system does not call at its end, it waits for a moment only.
pub(crate) fn ended_within(group: &mut Group, most: Duration) -> bool {
    #[cfg(target_os = "linux")]
    if let Ok(child) = process::pidfd_open(pid(group.id()), process::PidfdFlags::empty()) {
        use rustix::event::{poll, PollFd, PollFlags, Timespec};
        let most = Timespec::try_from(most).ok();
        let told = poll(&mut [PollFd::new(&child, PollFlags::IN)], most.as_ref());
        return told == Ok(1);
    }
    thread::sleep(most.min(POLL));
    #[cfg(unix)]
    let status = process::waitid(
        WaitId::Pid(pid(group.id())),
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG,
    );
    #[cfg(not(unix))]
    let status = group.try_wait();
    status.is_ok_and(|status| status.is_some())
}

/// Reaps the child, which has ended.
pub(crate) fn reap(group: Group) -> io::Result<ResUse> {
    let child: Box<dyn Any> = group.into_inner();
    let child = child.downcast::<Child>();
    child.expect("a group is made of a child").wait4()
}

/// A shell that waits for this process to end, however that happens, and then kills the groups that
/// still run. It reads them, each line all of them, until nobody can write any more. `None` if
/// there is no such shell. From now on this process adopts what the bots leave behind.
pub(crate) fn guard() -> Option<ChildStdin> {
    const SCRIPT: &str =
        "trap '' INT TERM HUP; while read -r all; do groups=$all; done; kill -s KILL -- $groups";
    #[cfg(target_os = "linux")]
    let _ = process::set_child_subreaper(Some(process::getpid()));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SCRIPT]).stdin(Stdio::piped());
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    // It ends with this process and need not be waited for.
    shell.spawn().ok()?.stdin.take()
}

/// Kills what bots have left behind, which this process has adopted, and tells whether there was
/// anything. All else is in the groups of the `running` bots, or still in that of this process.
#[cfg(unix)]
pub(crate) fn kill_orphans(running: &[u32]) -> bool {
    let is_left =
        |group| group != process::getpgrp() && running.iter().all(|&bot| pid(bot) != group);
    let mut orphans = crate::memory::children(std::process::id());
    orphans.retain(|&child| process::getpgid(Some(pid(child))).is_ok_and(is_left));
    for &orphan in &orphans {
        let _ = process::kill_process(pid(orphan), Signal::KILL);
        let _ = process::waitpid(Some(pid(orphan)), WaitOptions::NOHANG);
    }
    !orphans.is_empty()
}
