//! Runs work in several threads, and delivers the results in order.

use crate::options;
use anyhow::{Context, Result};
use clap::Args;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The option `--jobs`: the number of games that run at a time.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct PoolOptions {
    /// Games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = options::parse_jobs)]
    pub jobs: Option<NonZeroUsize>,
}

/// A pool of worker threads. Each call of [`map_ordered`](Self::map_ordered) starts and ends its own
/// threads.
#[derive(Debug, Clone)]
pub struct Pool {
    jobs: usize,
}

impl Pool {
    /// Creates a pool of `jobs` threads; `None` means one for each core that this process may use.
    pub fn new(jobs: Option<NonZeroUsize>) -> Self {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        Self {
            jobs: jobs.map_or_else(all, usize::from),
        }
    }

    /// Returns the number of threads, each of which does one job at a time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Calls `work(0)`, `work(1)`, … `work(count - 1)` in the threads of the pool, and starts the calls in
    /// this order.
    ///
    /// Passes the index and the result of each call to `on_result` in the same order, as soon as possible.
    ///
    /// Once `stop` is set, no further call starts; running calls are completed, and `on_result` receives
    /// their results. After `on_result` has returned a break or an error, it is not called again. Returns the
    /// number of results that `on_result` received.
    ///
    /// # Errors
    /// Returns an error if `on_result` fails, or if the system cannot start the threads.
    pub fn map_ordered<T: Send>(
        &self,
        count: usize,
        stop: &AtomicBool,
        work: impl Fn(usize) -> T + Sync,
        mut on_result: impl FnMut(usize, T) -> Result<ControlFlow<()>>,
    ) -> Result<usize> {
        let next = AtomicUsize::new(0);
        let cancelled = AtomicBool::new(false);
        let (results, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(count) {
                let results = results.clone();
                let (next, cancelled, work) = (&next, &cancelled, &work);
                let worker = move || {
                    while !stop.load(Ordering::Relaxed) && !cancelled.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count || results.send((index, work(index))).is_err() {
                            break;
                        }
                    }
                };
                let started = thread::Builder::new().spawn_scoped(scope, worker);
                started
                    .inspect_err(|_| cancelled.store(true, Ordering::Relaxed))
                    .with_context(|| format!("cannot start {} threads", self.jobs))?;
            }
            drop(results);
            let delivered = deliver(&receiver, &mut on_result);
            // If `on_result` has returned a break or an error, the workers are still running: stop them.
            cancelled.store(true, Ordering::Relaxed);
            delivered
        })
    }
}

/// Calls `on_result` with the results in the order of their indices. Returns the number of calls.
fn deliver<T>(
    receiver: &mpsc::Receiver<(usize, T)>,
    on_result: &mut impl FnMut(usize, T) -> Result<ControlFlow<()>>,
) -> Result<usize> {
    let mut early = std::collections::BTreeMap::new();
    let mut delivered = 0;
    for (index, result) in receiver {
        early.insert(index, result);
        while let Some(result) = early.remove(&delivered) {
            delivered += 1;
            if on_result(delivered - 1, result)?.is_break() {
                return Ok(delivered);
            }
        }
    }
    Ok(delivered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::time::Duration;

    fn pool(jobs: usize) -> Pool {
        Pool::new(NonZeroUsize::new(jobs))
    }

    /// Returns the square of the index after a pause, so that the calls end in a different order than they
    /// start.
    fn uneven(index: usize) -> usize {
        std::thread::sleep(Duration::from_micros(1000 * (index as u64 * 7 % 5)));
        index * index
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let never = AtomicBool::new(false);
        for jobs in [1, 2, 5] {
            for count in [0, 1, 3, 40] {
                let mut results = Vec::new();
                let delivered = pool(jobs).map_ordered(count, &never, uneven, |index, result| {
                    results.push((index, result));
                    Ok(ControlFlow::Continue(()))
                });
                assert_eq!(delivered.unwrap(), count);
                let expected: Vec<_> = (0..count).map(|i| (i, i * i)).collect();
                assert_eq!(results, expected, "{jobs} threads");
            }
        }
    }

    #[test]
    fn a_stop_completes_the_running_calls() {
        let stop = AtomicBool::new(false);
        let started = AtomicUsize::new(0);
        let work = |index| {
            started.fetch_add(1, Ordering::Relaxed);
            if index == 10 {
                stop.store(true, Ordering::Relaxed);
            }
            uneven(index)
        };
        let mut results = 0;
        let delivered = pool(3).map_ordered(1000, &stop, work, |_, _| {
            results += 1;
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(delivered.unwrap(), results);
        assert_eq!(
            started.into_inner(),
            results,
            "every started call was delivered"
        );
        assert!((11..=13).contains(&results), "{results}");
    }

    /// If `work` panics, the caller must not wait forever.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_the_work_reaches_the_caller() {
        let never = AtomicBool::new(false);
        let work = |index: usize| assert!(index < 5);
        let _delivered =
            pool(2).map_ordered(10, &never, work, |_, ()| Ok(ControlFlow::Continue(())));
    }

    #[test]
    fn a_break_or_an_error_ends_the_delivery() {
        let never = AtomicBool::new(false);
        let mut results = 0;
        let delivered = pool(2).map_ordered(100_000, &never, uneven, |index, _| {
            results += 1;
            Ok(if index == 20 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        assert_eq!((delivered.unwrap(), results), (21, 21));
        let failed = pool(2).map_ordered(100_000, &never, uneven, |index, _| {
            if index == 3 {
                bail!("the disk is full");
            }
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    }
}
