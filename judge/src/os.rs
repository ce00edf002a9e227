//! What the operating system does for [`crate::process`].
//!
//! On Unix a bot gets a process group of its own, so that whatever it started
//! dies with it, and its end is noticed without reaping it: until it is reaped
//! its number belongs to it, and a late kill cannot hit a stranger.
//!
//! On Linux that holds for what has left the group, too: this process adopts what a bot leaves
//! behind, and kills it. Should this process itself be killed, a [`Guard`] kills the bots.

pub(crate) use imp::*;

#[cfg(unix)]
mod imp {
    use rustix::process::{kill_process_group, waitid, Pid, Signal, WaitId, WaitIdOptions};
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};
    use std::time::Duration;

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
            #[cfg(target_os = "linux")]
            for below in tree::below(self.0) {
                let _ = rustix::process::kill_process(below, Signal::KILL);
            }
            // It fails when nobody is left, which is what was wanted.
            let _ = kill_process_group(self.0, Signal::KILL);
        }

        /// Waits until the child has ended, but no longer than `most`, and tells whether it has.
        pub(crate) fn ended_within(self, _child: &mut Child, most: Duration) -> bool {
            self.wait(most);
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            matches!(waitid(WaitId::Pid(self.0), options), Ok(Some(_)))
        }

        /// Waits until the child has ended, or for some time up to `most`.
        fn wait(self, most: Duration) {
            #[cfg(target_os = "linux")]
            {
                use rustix::event::{poll, PollFd, PollFlags, Timespec};
                use rustix::process::{pidfd_open, PidfdFlags};
                if let Ok(process) = pidfd_open(self.0, PidfdFlags::empty()) {
                    let most = Timespec::try_from(most).ok();
                    let _ = poll(&mut [PollFd::new(&process, PollFlags::IN)], most.as_ref());
                    return;
                }
            }
            std::thread::sleep(most.min(Duration::from_millis(1)));
        }

        /// Bytes in memory now, of the child and of all processes below it; memory that several
        /// of them share counts once. Where that cannot be more than `seen`, it may be more than
        /// what they take, but not more than `seen`. `None` where the system does not tell.
        pub(crate) fn memory(self, seen: u64) -> Option<u64> {
            #[cfg(target_os = "linux")]
            return tree::memory(self.0, seen);
            #[cfg(not(target_os = "linux"))]
            {
                let _ = seen;
                None
            }
        }
    }

    /// Adopts, from now on, what the bots leave behind.
    pub(crate) fn adopt() {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }

    /// Kills what bots have left behind, and tells whether there was anything. `running` are those
    /// that still run.
    pub(crate) fn kill_orphans(running: &[Group]) -> bool {
        #[cfg(target_os = "linux")]
        return tree::kill_orphans(|pid| running.contains(&Group(pid)));
        #[cfg(not(target_os = "linux"))]
        {
            let _ = running;
            false
        }
    }

    /// A shell that waits for this process to end, however that happens, and then kills the bots
    /// that still run.
    pub(crate) struct Guard(ChildStdin);

    impl Guard {
        /// It reads the groups that run, each line all of them, until nobody can write any more.
        const SCRIPT: &'static str =
            "trap '' INT TERM HUP; while read -r all; do groups=$all; done; kill -s KILL -- $groups";

        /// `None` if there is no shell.
        pub(crate) fn start() -> Option<Self> {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", Self::SCRIPT]).stdin(Stdio::piped());
            shell.stdout(Stdio::null()).stderr(Stdio::null());
            // It ends with this process and need not be waited for.
            shell.spawn().ok()?.stdin.take().map(Self)
        }

        /// Tells which bots run now.
        pub(crate) fn tell(&mut self, running: &[Group]) {
            let groups = running.iter().map(|group| format!(" -{}", group.0));
            let _ = writeln!(self.0, "{}", groups.collect::<String>());
        }
    }

    /// The processes below this one.
    #[cfg(target_os = "linux")]
    mod tree {
        use rustix::process::{getpgid, getpgrp, getpid, kill_process, waitpid};
        use rustix::process::{Pid, Signal, WaitOptions};
        use std::fs;

        /// So many generations are looked at.
        const DEPTH: usize = 64;

        /// The children of a process.
        fn children(pid: Pid) -> Vec<Pid> {
            let threads = fs::read_dir(format!("/proc/{pid}/task"));
            let threads = threads.into_iter().flatten().flatten();
            let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")));
            let lists: Vec<String> = lists.filter_map(Result::ok).collect();
            let numbers = lists.iter().flat_map(|list| list.split_whitespace());
            numbers
                .filter_map(|number| Pid::from_raw(number.parse().ok()?))
                .collect()
        }

        /// The processes below another one.
        pub(super) fn below(pid: Pid) -> Vec<Pid> {
            let mut found = children(pid);
            let mut generation = found.clone();
            for _ in 0..DEPTH {
                generation = generation.into_iter().flat_map(children).collect();
                if generation.is_empty() {
                    break;
                }
                found.extend(&generation);
            }
            found
        }

        /// See [`super::Group::memory`].
        pub(super) fn memory(pid: Pid, seen: u64) -> Option<u64> {
            let own = resident(pid)?;
            let below = below(pid);
            let all = own + below.iter().copied().filter_map(resident).sum::<u64>();
            if below.is_empty() || all <= seen {
                return Some(all);
            }
            let all = below.into_iter().chain([pid]);
            Some(all.filter_map(|pid| share(pid).or(resident(pid))).sum())
        }

        /// Bytes in memory, of a process alone.
        fn resident(pid: Pid) -> Option<u64> {
            let statm = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
            let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
            Some(pages * rustix::param::page_size() as u64)
        }

        /// The proportional set size of a process: as [`resident`], but of a page that n processes
        /// have only an nth. The system walks through all pages for it.
        fn share(pid: Pid) -> Option<u64> {
            let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let kib = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            let kib: u64 = kib.trim().strip_suffix(" kB")?.parse().ok()?;
            Some(kib << 10)
        }

        /// Kills the adopted children. One that this process has started is either `known` or
        /// still in its group.
        pub(super) fn kill_orphans(known: impl Fn(Pid) -> bool) -> bool {
            let mut found = false;
            for child in children(getpid()) {
                let group = getpgid(Some(child));
                if known(child) || group.is_ok_and(|group| group == getpgrp()) {
                    continue;
                }
                found = true;
                for below in below(child) {
                    let _ = kill_process(below, Signal::KILL);
                }
                let _ = kill_process(child, Signal::KILL);
                let _ = waitpid(Some(child), WaitOptions::NOHANG);
            }
            found
        }
    }
}

#[cfg(not(unix))]
#[allow(clippy::unused_self)] // The same interface as on Unix.
mod imp {
    use std::io;
    use std::process::{Child, Command};
    use std::time::Duration;

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

        pub(crate) fn ended_within(self, child: &mut Child, most: Duration) -> bool {
            std::thread::sleep(most.min(Duration::from_millis(1)));
            child.try_wait().is_ok_and(|status| status.is_some())
        }

        pub(crate) fn memory(self, _seen: u64) -> Option<u64> {
            None
        }
    }

    pub(crate) fn adopt() {}

    pub(crate) fn kill_orphans(_running: &[Group]) -> bool {
        false
    }

    /// Here nothing kills the bots of a judge that was killed.
    pub(crate) struct Guard;

    impl Guard {
        pub(crate) fn start() -> Option<Self> {
            None
        }

        pub(crate) fn tell(&mut self, _running: &[Group]) {}
    }
}
