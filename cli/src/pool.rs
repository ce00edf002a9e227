//! Work done by several threads, its results in order.

use anyhow::{Context, Result};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many threads work at a time.
#[derive(Debug, Clone, Copy)]
pub struct Pool {
    jobs: usize,
}

impl Pool {
    /// This number of threads; by default as many as can run at a time.
    pub fn new(jobs: Option<NonZeroUsize>) -> Self {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        let jobs = jobs.map_or_else(all, usize::from);
        Self { jobs }
    }

    /// How many threads there are.
    pub fn jobs(self) -> usize {
        self.jobs
    }

    /// Does `work(0)`, `work(1)`, … `work(count - 1)`, begun in this order, as many at a
    /// time as there are threads. `done` gets the results in this order too, each as soon as
    /// it and all before it are there.
    ///
    /// Nothing new is begun once `stop` is set; work that has begun is finished and handed over.
    /// When `done` breaks or fails, it is not called again. Returns the number of results that
    /// `done` has taken.
    ///
    /// # Errors
    /// That of `done`; or that the system does not give so many threads.
    pub fn in_order<T: Send>(
        self,
        count: usize,
        stop: &AtomicBool,
        work: impl Fn(usize) -> T + Sync,
        mut done: impl FnMut(usize, T) -> Result<ControlFlow<()>>,
    ) -> Result<usize> {
        let next = AtomicUsize::new(0);
        let enough = AtomicBool::new(false);
        let (results, arrived) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(count) {
                let results = results.clone();
                let (next, enough, work) = (&next, &enough, &work);
                let hand = move || {
                    while !stop.load(Ordering::Relaxed) && !enough.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count || results.send((index, work(index))).is_err() {
                            break;
                        }
                    }
                };
                let begun = thread::Builder::new().spawn_scoped(scope, hand);
                if begun.is_err() {
                    enough.store(true, Ordering::Relaxed);
                }
                begun.with_context(|| format!("cannot start {} threads", self.jobs))?;
            }
            drop(results);
            let taken = hand_over(&arrived, &mut done);
            // Also where `done` wants no more.
            enough.store(true, Ordering::Relaxed);
            taken
        })
    }
}

/// Puts results in order.
fn hand_over<T>(
    arrived: &mpsc::Receiver<(usize, T)>,
    done: &mut impl FnMut(usize, T) -> Result<ControlFlow<()>>,
) -> Result<usize> {
    let mut early = std::collections::BTreeMap::new();
    let mut taken = 0;
    for (index, result) in arrived {
        early.insert(index, result);
        while let Some(result) = early.remove(&taken) {
            taken += 1;
            if done(taken - 1, result)?.is_break() {
                return Ok(taken);
            }
        }
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::time::Duration;

    fn pool(jobs: usize) -> Pool {
        Pool::new(NonZeroUsize::new(jobs))
    }

    /// Work that is done out of order.
    fn uneven(index: usize) -> usize {
        std::thread::sleep(Duration::from_micros(1000 * (index as u64 * 7 % 5)));
        index * index
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let never = AtomicBool::new(false);
        for jobs in [1, 2, 5] {
            for count in [0, 1, 3, 40] {
                let mut seen = Vec::new();
                let taken = pool(jobs).in_order(count, &never, uneven, |index, result| {
                    seen.push((index, result));
                    Ok(ControlFlow::Continue(()))
                });
                assert_eq!(taken.unwrap(), count);
                let expected: Vec<_> = (0..count).map(|i| (i, i * i)).collect();
                assert_eq!(seen, expected, "{jobs} threads");
            }
        }
    }

    #[test]
    fn a_stop_finishes_what_is_in_hand() {
        let stop = AtomicBool::new(false);
        let begun = AtomicUsize::new(0);
        let work = |index| {
            begun.fetch_add(1, Ordering::Relaxed);
            if index == 10 {
                stop.store(true, Ordering::Relaxed);
            }
            uneven(index)
        };
        let mut seen = 0;
        let taken = pool(3).in_order(1000, &stop, work, |_, _| {
            seen += 1;
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(taken.unwrap(), seen);
        assert_eq!(begun.into_inner(), seen, "everything begun was handed over");
        assert!((11..=13).contains(&seen), "{seen}");
    }

    /// A panic of the work is one of the caller, not a wait without end.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn work_that_panics_ends_it() {
        let never = AtomicBool::new(false);
        let work = |index: usize| assert!(index < 5);
        let _taken = pool(2).in_order(10, &never, work, |_, ()| Ok(ControlFlow::Continue(())));
    }

    #[test]
    fn who_wants_no_more_gets_no_more() {
        let never = AtomicBool::new(false);
        let mut seen = 0;
        let taken = pool(2).in_order(100_000, &never, uneven, |index, _| {
            seen += 1;
            Ok(if index == 20 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        assert_eq!((taken.unwrap(), seen), (21, 21));
        let failed = pool(2).in_order(100_000, &never, uneven, |index, _| {
            if index == 3 {
                bail!("the disk is full");
            }
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    }
}
