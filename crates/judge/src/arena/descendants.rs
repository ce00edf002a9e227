//! The descendants of a process and their memory, read from `/proc`.

use std::fs;
use std::time::Instant;

/// Samples the memory of all descendants of this process while they run.
///
/// The system reports only the peak of each process, not the peak of their sum.
#[derive(Default)]
pub(crate) struct MemorySampler {
    /// Peak memory in bytes. A value counts only if two successive samples reach it: see
    /// [`sample`](Self::sample).
    pub(crate) peak_bytes: u64,
    /// The value of the previous sample, in bytes.
    last_bytes: u64,
    /// The earliest time of the next sample; `None` before the first one.
    next_sample: Option<Instant>,
}

impl MemorySampler {
    /// Takes a sample, unless the previous one is too recent. Raises the peak to the smaller of the last two
    /// samples.
    ///
    /// Two samples are needed because a child shares all memory of its parent between `vfork` and `exec`. A
    /// sample at such a moment counts the memory of both processes in full.
    pub(crate) fn sample(&mut self) {
        let start = Instant::now();
        if self.next_sample.is_some_and(|next| start < next) {
            return;
        }
        let now = resident_bytes(self.peak_bytes);
        self.peak_bytes = self.peak_bytes.max(now.min(self.last_bytes));
        self.last_bytes = now;
        // Sampling takes at most a tenth of the time, even if the processes are large.
        self.next_sample = Some(start + 10 * start.elapsed());
    }
}

/// Returns the resident memory of all descendants of this process, in bytes. Shared memory counts once.
///
/// The sum of the resident sets is a cheap upper bound. Returns this sum if it is at most `peak`, since the
/// peak then cannot rise, or if there is only one process.
fn resident_bytes(peak: u64) -> u64 {
    let processes = descendants_of(std::process::id());
    let resident = |process: u32| read_size(process, "status", "VmRSS:");
    let bound = processes.iter().copied().filter_map(resident).sum();
    if processes.len() == 1 || bound <= peak {
        return bound;
    }
    // The proportional set size of a process contains 1/n of each page that n processes share. Reading it is
    // slow, since the kernel visits all pages.
    let share = |process: u32| read_size(process, "smaps_rollup", "Pss:").or(resident(process));
    processes.into_iter().filter_map(share).sum()
}

/// Lists the process IDs of the descendants of a process.
pub(crate) fn descendants_of(process: u32) -> Vec<u32> {
    let mut processes = children(process);
    let mut next = 0;
    while let Some(&process) = processes.get(next) {
        processes.extend(children(process));
        next += 1;
    }
    processes
}

fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")));
    let list: String = lists.filter_map(Result::ok).collect();
    let numbers = list.split_whitespace();
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// Reads the size in `/proc/PROCESS/FILE` from the line that starts with `key`, such as `VmRSS:  123 kB`.
/// Returns it in bytes; `None` if the process has ended or the file has no such line.
fn read_size(process: u32, file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    let kib = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = kib.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
