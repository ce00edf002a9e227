//! What the operating system does for [`crate::process`].
//!
//! A bot gets a group of its own, a process group or, on Windows, a job object, so that whatever it
//! started dies with it. On Unix its end is noticed without reaping it: until it is reaped its
//! number belongs to it, and a late kill cannot hit a stranger.
//!
//! On Linux that holds for what has left the group, too: this process adopts what a bot leaves
//! behind, and kills it. Should this process itself be killed, a shell kills the bots: see
//! [`guard`].

#[cfg(target_os = "linux")]
pub(crate) use crate::linux;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::any::Any;
use std::io;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;
use wait4::{ResUse, Wait4};

/// How often to look for the end of a process where the system does not call.
const POLL: Duration = Duration::from_millis(1);

/// A child that has not been reaped, and all that it started.
pub(crate) struct Group(Box<dyn ChildWrapper>);

impl Group {
    /// Starts a command as the first process of a new group.
    pub(crate) fn spawn(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        command.spawn().map(Self)
    }

    /// The number of the child.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Kills the child and its group.
    pub(crate) fn kill(&mut self) {
        // It fails when nobody is left, which is what was wanted.
        let _ = self.0.start_kill();
    }

    /// Waits for the child to end, but no longer than `most`, and tells whether it has ended.
    #[cfg(unix)]
    pub(crate) fn ended_within(&mut self, most: Duration) -> bool {
        use rustix::process::{waitid, Pid, WaitId, WaitIdOptions};
        if !linux::wait(self.id(), most) {
            thread::sleep(most.min(POLL));
        }
        let pid = Pid::from_raw(self.id() as i32).expect("no child has the number 0");
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
    }

    #[cfg(not(unix))]
    pub(crate) fn ended_within(&mut self, most: Duration) -> bool {
        thread::sleep(most.min(POLL));
        let ended = self.0.try_wait();
        ended.is_ok_and(|status| status.is_some())
    }

    /// Reaps the child, which has ended.
    pub(crate) fn reap(self) -> io::Result<ResUse> {
        let child: Box<dyn Any> = self.0.into_inner();
        let child = child.downcast::<Child>();
        child.expect("a group is made of a child").wait4()
    }
}

/// A shell that waits for this process to end, however that happens, and then kills the groups that
/// still run. It reads them, each line all of them, until nobody can write any more. `None` if
/// there is no such shell. From now on this process adopts what the bots leave behind.
pub(crate) fn guard() -> Option<ChildStdin> {
    const SCRIPT: &str =
        "trap '' INT TERM HUP; while read -r all; do groups=$all; done; kill -s KILL -- $groups";
    linux::adopt();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SCRIPT]).stdin(Stdio::piped());
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    // It ends with this process and need not be waited for.
    shell.spawn().ok()?.stdin.take()
}

/// What other systems than Linux do not do.
#[cfg(not(target_os = "linux"))]
pub(crate) mod linux {
    pub(crate) fn wait(_: u32, _: std::time::Duration) -> bool {
        false
    }

    pub(crate) fn memory(_: u32, _: u64) -> Option<u64> {
        None
    }

    pub(crate) fn adopt() {}

    pub(crate) fn kill_orphans(_: &[u32]) -> bool {
        false
    }
}
