//! The processes below a process, and their memory, as Linux lists them in `/proc`. Other systems
//! list none.

use std::fs;
use std::time::Instant;

/// The memory of all processes below this one. What is killed below a bot is in no
/// account of the system.
#[derive(Default)]
pub(crate) struct Memory {
    /// Largest value observed, in bytes.
    pub(crate) peak: u64,
    /// Previous value.
    last: u64,
    /// Time of the next observation.
    next: Option<Instant>,
}

impl Memory {
    /// Counts what two observations in a row agree on: between `vfork` and `exec` a child has all
    /// the memory of its parent, and both count in full.
    pub(crate) fn observe(&mut self) {
        let start = Instant::now();
        if self.next.is_some_and(|next| start < next) {
            return;
        }
        let now = memory(self.peak);
        self.peak = self.peak.max(now.min(self.last));
        self.last = now;
        // At most a tenth of the time, however large the processes are.
        self.next = Some(start + 10 * start.elapsed());
    }
}

/// Bytes in memory of all processes below this one; memory that several of them share counts once.
/// If the cheap bound (the sum of their resident sets) is at most `peak`, returns the bound.
fn memory(peak: u64) -> u64 {
    let all = below(std::process::id());
    let resident = |process: u32| bytes(process, "status", "VmRSS:");
    let bound = all.iter().copied().filter_map(resident).sum();
    if all.len() == 1 || bound <= peak {
        return bound;
    }
    // The proportional set size: of a page that n processes have each has only an nth. The system
    // walks through all pages for it.
    let share = |process: u32| bytes(process, "smaps_rollup", "Pss:").or(resident(process));
    all.into_iter().filter_map(share).sum()
}

/// The children of a process, their children, and so on.
pub(crate) fn below(process: u32) -> Vec<u32> {
    let mut all = children(process);
    let mut next = 0;
    while let Some(&process) = all.get(next) {
        all.extend(children(process));
        next += 1;
    }
    all
}

fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")));
    let list: String = lists.filter_map(Result::ok).collect();
    let numbers = list.split_whitespace();
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// A number of bytes that a file about a process has in a line `KEY 123 kB`.
fn bytes(process: u32, file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    let kib = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = kib.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
