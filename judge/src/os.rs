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
use rustix::process::Pid;
use std::any::Any;
use std::io;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;
use wait4::{ResUse, Wait4};

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

    /// Kills the child and all that it started.
    pub(crate) fn kill(&mut self) {
        #[cfg(target_os = "linux")]
        tree::kill_below(pid(self.id()));
        // It fails when nobody is left, which is what was wanted.
        let _ = self.0.start_kill();
    }

    /// Waits until the child has ended, but no longer than `most`, and tells whether it has.
    #[cfg(unix)]
    pub(crate) fn ended_within(&mut self, most: Duration) -> bool {
        use rustix::process::{waitid, WaitId, WaitIdOptions};
        let pid = pid(self.id());
        wait(pid, most);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
    }

    #[cfg(not(unix))]
    pub(crate) fn ended_within(&mut self, most: Duration) -> bool {
        std::thread::sleep(most.min(Duration::from_millis(1)));
        let ended = self.0.try_wait();
        ended.is_ok_and(|status| status.is_some())
    }

    /// Reaps the child, which has ended.
    pub(crate) fn reap(self) -> io::Result<ResUse> {
        let child: Box<dyn Any> = self.0.into_inner();
        let child = child.downcast::<Child>();
        child.expect("a group is made of a child").wait4()
    }

    /// Bytes in memory now, of the child and of all processes below it; memory that several
    /// of them share counts once. Where that cannot be more than `seen`, it may be more than
    /// what they take, but not more than `seen`. `None` where the system does not tell.
    pub(crate) fn memory(&self, seen: u64) -> Option<u64> {
        #[cfg(target_os = "linux")]
        return tree::memory(pid(self.id()), seen);
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (self, seen);
            None
        }
    }
}

/// The number of a child.
#[cfg(unix)]
fn pid(id: u32) -> Pid {
    Pid::from_raw(id as i32).expect("no child has the number 0")
}

/// Waits until a process has ended, or for some time up to `most`.
#[cfg(unix)]
fn wait(pid: Pid, most: Duration) {
    #[cfg(target_os = "linux")]
    {
        use rustix::event::{poll, PollFd, PollFlags, Timespec};
        use rustix::process::{pidfd_open, PidfdFlags};
        if let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) {
            let most = Timespec::try_from(most).ok();
            let _ = poll(&mut [PollFd::new(&process, PollFlags::IN)], most.as_ref());
            return;
        }
    }
    let _ = pid;
    std::thread::sleep(most.min(Duration::from_millis(1)));
}

/// A shell that waits for this process to end, however that happens, and then kills the groups that
/// still run. It reads them, each line all of them, until nobody can write any more. `None` if
/// there is no such shell. From now on this process adopts what the bots leave behind.
pub(crate) fn guard() -> Option<ChildStdin> {
    const SCRIPT: &str =
        "trap '' INT TERM HUP; while read -r all; do groups=$all; done; kill -s KILL -- $groups";
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SCRIPT]).stdin(Stdio::piped());
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    // It ends with this process and need not be waited for.
    shell.spawn().ok()?.stdin.take()
}

/// Kills what bots have left behind, and tells whether there was anything. `running` are those
/// that still run.
pub(crate) fn kill_orphans(running: &[u32]) -> bool {
    #[cfg(target_os = "linux")]
    return tree::kill_orphans(running);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = running;
        false
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
    fn below(pid: Pid) -> Vec<Pid> {
        let mut found = Vec::new();
        let mut generation = vec![pid];
        for _ in 0..DEPTH {
            generation = generation.into_iter().flat_map(children).collect();
            found.extend(&generation);
        }
        found
    }

    /// Kills the processes below another one.
    pub(super) fn kill_below(pid: Pid) {
        for below in below(pid) {
            let _ = kill_process(below, Signal::KILL);
        }
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

    /// Kills the adopted children. One that this process has started is either `running`
    /// or still in its group.
    pub(super) fn kill_orphans(running: &[u32]) -> bool {
        let mut found = false;
        for child in children(getpid()) {
            let group = getpgid(Some(child));
            let is_bot = running.iter().any(|&id| super::pid(id) == child);
            if is_bot || group.is_ok_and(|group| group == getpgrp()) {
                continue;
            }
            found = true;
            kill_below(child);
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::NOHANG);
        }
        found
    }
}
