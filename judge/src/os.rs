//! What the operating system does for [`crate::process`].
//!
//! On Unix a bot gets a process group of its own, so that whatever it started
//! dies with it, and its end is noticed without reaping it: until it is reaped
//! its number belongs to it, and a late kill cannot hit a stranger.

pub(crate) use imp::*;

#[cfg(unix)]
mod imp {
    use rustix::process::{kill_process_group, waitid, Pid, Signal, WaitId, WaitIdOptions};
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};
    use std::time::Duration;

    /// How often the caller looks at a child's memory.
    pub(crate) const PULSE: Duration = Duration::from_millis(20);

    /// A child that has not been reaped, and all that it started.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Group(Pid);

    impl Group {
        /// Starts a command as the leader of a new process group.
        pub(crate) fn spawn(command: &mut Command) -> io::Result<(Self, Child)> {
            let child = command.process_group(0).spawn()?;
            Ok((Self(Pid::from_child(&child)), child))
        }

        /// Kills the child and all that it started.
        pub(crate) fn kill(self) {
            // It fails when nobody is left, which is what was wanted.
            let _ = kill_process_group(self.0, Signal::KILL);
        }

        /// Calls `f` when the child has ended.
        pub(crate) fn when_ended(self, f: impl FnOnce() + Send + 'static) {
            let wait = move || {
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(self.0), options) {}
                f();
            };
            std::thread::spawn(wait);
        }

        /// Whether the child has ended, where `when_ended` does not tell.
        pub(crate) fn has_ended(_child: &mut Child) -> bool {
            false
        }

        /// Bytes in memory now, of the child or of the largest process below
        /// it; `None` where the system does not tell.
        pub(crate) fn resident(self) -> Option<u64> {
            #[cfg(target_os = "linux")]
            return resident(self.0.as_raw_nonzero().get(), 8);
            #[cfg(not(target_os = "linux"))]
            return None;
        }
    }

    #[cfg(target_os = "linux")]
    fn resident(pid: i32, depth: usize) -> Option<u64> {
        let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
        let own = pages * rustix::param::page_size() as u64;
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let below = children
            .unwrap_or_default()
            .split_whitespace()
            .filter_map(|child| resident(child.parse().ok()?, depth.checked_sub(1)?))
            .max();
        Some(own.max(below.unwrap_or(0)))
    }
}

#[cfg(not(unix))]
#[allow(clippy::unused_self)] // The same interface as on Unix.
mod imp {
    use std::io;
    use std::process::{Child, Command};
    use std::time::Duration;

    /// How often the caller looks whether a child has ended.
    pub(crate) const PULSE: Duration = Duration::from_millis(1);

    /// A child that has not been reaped. Here it is no group: what a bot
    /// started may outlive it, and Ctrl-C reaches all on the console anyway.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Group(u32);

    impl Group {
        pub(crate) fn spawn(command: &mut Command) -> io::Result<(Self, Child)> {
            let child = command.spawn()?;
            Ok((Self(child.id()), child))
        }

        pub(crate) fn kill(self) {}

        pub(crate) fn when_ended(self, _f: impl FnOnce() + Send + 'static) {}

        pub(crate) fn has_ended(child: &mut Child) -> bool {
            child.try_wait().is_ok_and(|status| status.is_some())
        }

        pub(crate) fn resident(self) -> Option<u64> {
            None
        }
    }
}
