//! What only Linux does for [`crate::os`]: it tells of the processes below this one, in `/proc`.

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::process::{getpgid, getpgrp, getpid, kill_process, pidfd_open, set_child_subreaper};
use rustix::process::{waitpid, Pid, PidfdFlags, Signal, WaitOptions};
use std::fs;
use std::time::Duration;

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

/// Waits until the child of this number has ended, or for this time. Returns `false` at once where
/// the system is too old for that.
pub(crate) fn wait(id: u32, most: Duration) -> bool {
    let child = Pid::from_raw(id as i32).map(|pid| pidfd_open(pid, PidfdFlags::empty()));
    let Some(Ok(child)) = child else {
        return false;
    };
    let most = Timespec::try_from(most).ok();
    let _ = poll(&mut [PollFd::new(&child, PollFlags::IN)], most.as_ref());
    true
}

/// From now on this process is the parent of what bots leave behind.
pub(crate) fn adopt() {
    let _ = set_child_subreaper(Some(getpid()));
}

/// Bytes in memory now, of a process of this number and of all below it; memory that several of
/// them share counts once. Where that cannot be more than `seen`, it may be more than what they
/// take, but not more than `seen`. `None` where the system does not tell.
pub(crate) fn memory(id: u32, seen: u64) -> Option<u64> {
    let pid = Pid::from_raw(id as i32)?;
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

/// Kills what bots have left behind, which this process has adopted, and tells whether there was
/// anything. What this process has started is one of the `running`, or still in its group.
pub(crate) fn kill_orphans(running: &[u32]) -> bool {
    let mut found = false;
    for child in children(getpid()) {
        let is_bot = running
            .iter()
            .any(|&id| Pid::from_raw(id as i32) == Some(child));
        if is_bot || getpgid(Some(child)).is_ok_and(|group| group == getpgrp()) {
            continue;
        }
        found = true;
        let _ = kill_process(child, Signal::KILL);
        let _ = waitpid(Some(child), WaitOptions::NOHANG);
    }
    found
}
