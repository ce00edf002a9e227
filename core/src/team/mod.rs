//! Sharing work among threads, with results that do not depend on their number.
//!
//! Work comes in *batches* of *parts*. The thread that leads walks through a batch: it names the parts in order
//! ([`Batch::next`]), any thread computes them ([`Work::run`]), and the leader receives the outputs in the same order
//! ([`Batch::take`]). At most `window` parts are between these two steps. So part 5 of a batch with window 2 is named when
//! the output of part 3 has been received, whoever computed it:
//!
//! ```text
//!     named     0 1     2     3     4     5
//!     received      0     1     2     3     4     5
//! ```
//!
//! What the leader decides on the way, for instance a threshold that later parts are named with, is therefore the same on
//! any number of threads.
//!
//! * [`Alone`] computes every part in the calling thread;
//! * `threads`: several threads.

use std::collections::VecDeque;
use std::sync::Arc;

#[cfg(feature = "threads")]
mod threads;
#[cfg(feature = "threads")]
pub use threads::{size, with};

/// Computes parts. An output depends on the job and the part alone: it does not matter which thread computes it, nor
/// whether two do.
pub trait Work: Sync {
    /// What the parts of a batch have in common.
    type Job: Send + Sync;
    /// A part of a batch.
    type Part: Copy + Send;
    /// The output of a part. It holds that of another part before: its memory is reused.
    type Output: Default + Send;

    /// Computes a part.
    fn run(&self, job: &Self::Job, part: &Self::Part, output: &mut Self::Output);
}

/// A batch, as its leader sees it.
pub trait Batch<W: Work> {
    /// Returns the next part; `None` after the last one.
    fn next(&mut self) -> Option<W::Part>;
    /// Receives the output of a part. The batch ends early if it returns false.
    fn take(&mut self, part: &W::Part, output: &mut W::Output) -> bool;
}

/// Somebody who computes batches.
pub trait Team<W: Work> {
    /// Computes a batch, with up to `window` parts named and not received.
    fn run(&mut self, job: &Arc<W::Job>, window: usize, batch: &mut dyn Batch<W>);
}

/// Calls `lead` with a team of the calling thread. With the feature `threads` it has as many threads as asked for.
#[cfg(not(feature = "threads"))]
pub fn with<W: Work, R>(work: &W, _: usize, lead: impl FnOnce(&mut dyn Team<W>) -> R) -> R {
    lead(&mut Alone::new(work))
}

/// A team of the calling thread.
pub struct Alone<'w, W: Work> {
    work: &'w W,
    /// Parts that are named and not computed.
    parts: VecDeque<W::Part>,
    output: W::Output,
}

impl<'w, W: Work> Alone<'w, W> {
    /// A team that works alone.
    pub fn new(work: &'w W) -> Self {
        Self {
            work,
            parts: VecDeque::new(),
            output: W::Output::default(),
        }
    }
}

impl<W: Work> Team<W> for Alone<'_, W> {
    fn run(&mut self, job: &Arc<W::Job>, window: usize, batch: &mut dyn Batch<W>) {
        self.parts.clear();
        loop {
            while self.parts.len() < window {
                let Some(part) = batch.next() else {
                    break;
                };
                self.parts.push_back(part);
            }
            let Some(part) = self.parts.pop_front() else {
                return;
            };
            self.work.run(job, &part, &mut self.output);
            if !batch.take(&part, &mut self.output) {
                return;
            }
        }
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::thread;

    /// Adds the numbers of a part to the job's number.
    struct Sums;

    impl Work for Sums {
        type Job = u64;
        type Part = (u64, u64);
        type Output = Vec<u64>;

        fn run(&self, job: &u64, &(start, end): &(u64, u64), output: &mut Vec<u64>) {
            output.clear();
            output.extend((start..end).map(|number| number + job));
        }
    }

    /// Names `parts` parts, each with the sum of what was received before, and ends after `end` of them.
    struct Chained {
        parts: u64,
        end: u64,
        named: u64,
        log: Vec<u64>,
    }

    impl<W: Work<Part = (u64, u64), Output = Vec<u64>>> Batch<W> for Chained {
        fn next(&mut self) -> Option<(u64, u64)> {
            let start = self
                .log
                .iter()
                .fold(7, |hash: u64, &n| hash.wrapping_mul(31) ^ n)
                % 1000;
            self.named += 1;
            (self.named <= self.parts).then_some((start, start + self.named % 5))
        }

        fn take(&mut self, _: &(u64, u64), output: &mut Vec<u64>) -> bool {
            self.log.append(output);
            self.end -= 1;
            self.end > 0
        }
    }

    /// Three batches one after the other.
    fn logs<W: Work<Job = u64, Part = (u64, u64), Output = Vec<u64>>>(
        work: &W,
        threads: usize,
        window: usize,
        end: u64,
    ) -> Vec<u64> {
        with(work, threads, |team| {
            let batches = (1..4).flat_map(|job| {
                let mut batch = Chained {
                    parts: 40,
                    end,
                    named: 0,
                    log: Vec::new(),
                };
                team.run(&Arc::new(job), window, &mut batch);
                batch.log
            });
            batches.collect()
        })
    }

    #[test]
    fn outputs_do_not_depend_on_the_number_of_threads() {
        for window in [1, 2, 7, 16, usize::MAX] {
            for end in [1, 13, 99] {
                let alone = logs(&Sums, 1, window, end);
                for threads in [2, 3, 8] {
                    assert_eq!(
                        logs(&Sums, threads, window, end),
                        alone,
                        "{threads} {window} {end}"
                    );
                }
            }
        }
    }

    /// [`Sums`], of which workers do the first part badly: they panic, or wait until the end of the test.
    struct Faulty<'f> {
        leader: thread::ThreadId,
        stuck: Option<&'f AtomicBool>,
        faults: &'f AtomicU64,
    }

    impl Work for Faulty<'_> {
        type Job = u64;
        type Part = (u64, u64);
        type Output = Vec<u64>;

        fn run(&self, job: &u64, part: &(u64, u64), output: &mut Vec<u64>) {
            if thread::current().id() != self.leader {
                self.faults.fetch_add(1, Ordering::SeqCst);
                match self.stuck {
                    None => panic!("a fault of the test"),
                    Some(free) => {
                        while !free.load(Ordering::SeqCst) {
                            thread::yield_now();
                        }
                    }
                }
            }
            Sums.run(job, part, output);
            // The workers get their chance.
            let start = std::time::Instant::now();
            while self.faults.load(Ordering::SeqCst) == 0 && start.elapsed().as_secs() < 5 {
                thread::yield_now();
            }
        }
    }

    #[test]
    fn the_leader_computes_the_part_of_a_worker_that_panics() {
        let faults = AtomicU64::new(0);
        let work = Faulty {
            leader: thread::current().id(),
            stuck: None,
            faults: &faults,
        };
        assert_eq!(logs(&work, 3, 16, 99), logs(&Sums, 1, 16, 99));
        assert!(faults.into_inner() > 0);
    }

    #[test]
    fn the_leader_does_not_wait_for_a_worker_whose_core_is_taken() {
        let (faults, free) = (AtomicU64::new(0), AtomicBool::new(false));
        let work = Faulty {
            leader: thread::current().id(),
            stuck: Some(&free),
            faults: &faults,
        };
        let found = with(&work, 3, |team| {
            let mut batch = Chained {
                parts: 300,
                end: 999,
                named: 0,
                log: Vec::new(),
            };
            // The workers hold a part each until the end.
            team.run(&Arc::new(1), 16, &mut batch);
            free.store(true, Ordering::SeqCst);
            batch.log
        });
        let expected = with(&Sums, 1, |team| {
            let mut batch = Chained {
                parts: 300,
                end: 999,
                named: 0,
                log: Vec::new(),
            };
            team.run(&Arc::new(1), 16, &mut batch);
            batch.log
        });
        assert_eq!(found, expected);
        assert!(faults.into_inner() > 0);
    }

    #[test]
    #[should_panic(expected = "everywhere")]
    fn a_fault_of_a_part_ends_the_batch() {
        struct Broken;
        impl Work for Broken {
            type Job = u64;
            type Part = (u64, u64);
            type Output = Vec<u64>;

            fn run(&self, _: &u64, _: &(u64, u64), _: &mut Vec<u64>) {
                panic!("everywhere");
            }
        }
        logs(&Broken, 3, 16, 99);
    }
}
