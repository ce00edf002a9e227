//! The memory of a process and of all below it, as Linux tells it in `/proc`. On other systems
//! there is nothing to see.

use std::fs;
use std::time::Instant;

/// So many generations are looked at.
const DEPTH: usize = 64;

/// The memory of a process and of those below it. What is killed below a bot is in no account of
/// the system.
#[derive(Default)]
pub(crate) struct Memory {
    /// The most that was seen, in bytes.
    pub(crate) most: u64,
    /// What was seen last.
    last: u64,
    /// When to look again.
    next: Option<Instant>,
}

impl Memory {
    /// Counts what is there at two looks: between `vfork` and `exec` a child has all the memory of
    /// its parent, and both count in full.
    pub(crate) fn look(&mut self, process: u32) {
        let start = Instant::now();
        if self.next.is_some_and(|next| start < next) {
            return;
        }
        let now = memory(process, self.most);
        self.most = self.most.max(now.min(self.last));
        self.last = now;
        // At most a tenth of the time, however large the processes are.
        self.next = Some(start + 10 * start.elapsed());
    }
}

/// Bytes in memory now, of a process of this number and of all below it; memory that several of
/// them share counts once. Where that cannot be more than `seen`, it may be more than what they
/// take, but not more than `seen`.
fn memory(process: u32, seen: u64) -> u64 {
    let (mut all, mut generation) = (Vec::new(), vec![process]);
    for _ in 0..DEPTH {
        all.extend(&generation);
        generation = generation.into_iter().flat_map(children).collect();
    }
    let resident = |process: u32| bytes(process, "status", "VmRSS:");
    let most = all.iter().copied().filter_map(resident).sum();
    if all.len() == 1 || most <= seen {
        return most;
    }
    // The proportional set size: of a page that n processes have each has only an nth. The system
    // walks through all pages for it.
    let share = |process: u32| bytes(process, "smaps_rollup", "Pss:").or(resident(process));
    all.into_iter().filter_map(share).sum()
}

/// The children of a process.
pub(crate) fn children(process: u32) -> Vec<u32> {
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
