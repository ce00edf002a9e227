//! A team of threads that compute answers ahead of the thread that needs them.
//!
//! The *leader*, the thread that calls [`with`], offers a batch of queries and takes the answers
//! in the same order. In the meantime any worker may claim a query and answer it. While the
//! leader lacks an answer, it claims queries too. Here a leader and two workers answer queries
//! 0 to 5:
//!
//! ```text
//! leader     answers 0  takes 0  answers 3  takes 1 2 3  answers 4  takes 4 5
//! worker 1   1 ------------------ 5 -------
//! worker 2     2 ------ 4 --------------------------------
//! ```
//!
//! The leader never waits, since the system may suspend a worker at any time and for any duration.
//! If an answer is missing and no query is left to claim, the leader computes the same answer
//! again, as for query 4 here. An answer that comes later is dropped.

use std::hint;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender, TryRecvError};
use std::sync::{Arc, OnceLock};
use std::thread;

/// The number of times that a worker checks for a new batch before it yields its core after each
/// check: about 0.25 to 0.75 ms.
const SPINS: usize = 20_000;
/// The number of queries that a thread claims together.
const PART: usize = 2;

/// Returns the number of threads to use: `wanted`, or all cores if `wanted` is 0. The result is at
/// most the number of cores that the system reports, since more threads would only take time from
/// each other.
pub fn size(wanted: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match wanted {
        0 => cores,
        _ => wanted.min(cores),
    }
}

/// Calls `lead` with a team of one thread for each of `workers`, functions that answer a query. If
/// the system cannot start all threads, the team is smaller. If a worker panics, this function
/// panics at the end.
pub fn with<Q: Send + Sync, A: Send + Sync, R>(
    workers: impl Iterator<Item = impl FnMut(&Q) -> A + Send>,
    lead: impl FnOnce(Team<Q, A>) -> R,
) -> R {
    let mut team = Team {
        workers: Vec::new(),
        batch: Arc::new(Batch::new(iter::empty())),
    };
    thread::scope(|scope| {
        for mut worker in workers {
            // Only the latest batch is of interest. A worker that has lost its core misses some.
            let (sender, batches) = sync_channel(1);
            let serve = move || serve(&batches, &mut worker);
            if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                break;
            }
            team.workers.push(sender);
        }
        lead(team)
    })
}

/// Answers queries of each batch, until the team ends.
fn serve<Q, A>(batches: &Receiver<Arc<Batch<Q, A>>>, compute: &mut dyn FnMut(&Q) -> A) {
    let mut checks = 0;
    loop {
        checks += 1;
        match batches.try_recv() {
            Ok(batch) => {
                while batch.work(compute) {}
                checks = 0;
            }
            Err(TryRecvError::Disconnected) => return,
            Err(_) if checks < SPINS => hint::spin_loop(),
            Err(_) => thread::yield_now(),
        }
    }
}

/// Queries, and their answers.
struct Batch<Q, A> {
    queries: Vec<(Q, OnceLock<A>)>,
    /// The number of queries that are claimed. Beyond the last query it has no meaning.
    claimed: AtomicUsize,
}

impl<Q, A> Batch<Q, A> {
    fn new(queries: impl Iterator<Item = Q>) -> Self {
        Self {
            queries: queries.map(|query| (query, OnceLock::new())).collect(),
            claimed: AtomicUsize::new(0),
        }
    }

    /// Claims and answers a part of the queries. Returns false if all queries are claimed.
    fn work(&self, compute: &mut dyn FnMut(&Q) -> A) -> bool {
        let start = self.claimed.fetch_add(PART, Ordering::Relaxed);
        for (query, answer) in self.queries.iter().skip(start).take(PART) {
            // The leader may have been faster.
            let _ = answer.set(compute(query));
        }
        start < self.queries.len()
    }
}

/// The leader's view of its team.
pub struct Team<Q, A> {
    workers: Vec<SyncSender<Arc<Batch<Q, A>>>>,
    batch: Arc<Batch<Q, A>>,
}

impl<Q, A> Team<Q, A> {
    /// Offers a batch of queries to the workers, and gives up the previous batch.
    pub fn offer(&mut self, queries: impl Iterator<Item = Q>) {
        let claimed = self.batch.queries.len();
        self.batch.claimed.store(claimed, Ordering::Relaxed);
        self.batch = Arc::new(Batch::new(queries));
        for worker in &self.workers {
            let _ = worker.try_send(self.batch.clone());
        }
    }

    /// Returns the answer to a query of the batch. While the answer is missing, answers queries
    /// with `compute`.
    pub fn answer(&self, index: usize, compute: &mut dyn FnMut(&Q) -> A) -> &A {
        let (query, answer) = &self.batch.queries[index];
        while answer.get().is_none() && self.batch.work(compute) {}
        answer.get_or_init(|| compute(query))
    }
}

/// Ends the workers, even if the leader panics.
impl<Q, A> Drop for Team<Q, A> {
    fn drop(&mut self) {
        self.offer(iter::empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// The number of queries, which is small under Miri because Miri is slow.
    const QUERIES: u64 = if cfg!(miri) { 20 } else { 500 };

    fn square(number: &u64) -> u64 {
        number * number
    }

    /// Returns the squares that the leader of a team takes in three batches of [`QUERIES`]
    /// numbers. `meanwhile` runs before it takes each of them.
    fn squares(
        workers: impl Iterator<Item = impl FnMut(&u64) -> u64 + Send>,
        mut meanwhile: impl FnMut(u64),
    ) -> Vec<u64> {
        with(workers, |mut team| {
            let mut squares = Vec::new();
            for batch in 0..3 {
                let queries = batch * QUERIES..(batch + 1) * QUERIES;
                team.offer(queries.clone());
                for (index, number) in queries.enumerate() {
                    meanwhile(number);
                    squares.push(*team.answer(index, &mut square));
                }
            }
            squares
        })
    }

    fn expected() -> Vec<u64> {
        (0..3 * QUERIES).map(|number| number * number).collect()
    }

    #[test]
    fn answers_do_not_depend_on_the_number_of_workers() {
        for workers in [0, 1, 2, 7] {
            let workers = (0..workers).map(|_| square);
            assert_eq!(squares(workers, |_| {}), expected());
        }
    }

    #[test]
    fn workers_that_waited_long_answer_the_next_batch() {
        let answered = AtomicBool::new(false);
        let worker = |number: &u64| {
            answered.store(true, Ordering::SeqCst);
            square(number)
        };
        with([worker].into_iter(), |mut team| {
            for number in 0..if cfg!(miri) { 1 } else { 5 } {
                // The worker yields its core by now.
                thread::sleep(std::time::Duration::from_millis(2));
                answered.store(false, Ordering::SeqCst);
                team.offer([number].into_iter());
                while !answered.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                assert_eq!(*team.answer(0, &mut square), number * number);
            }
        });
    }

    #[test]
    fn the_leader_does_not_wait_for_a_worker_whose_core_is_taken() {
        let (holds_one, is_free) = (AtomicBool::new(false), AtomicBool::new(false));
        let stuck = |number: &u64| {
            holds_one.store(true, Ordering::SeqCst);
            while !is_free.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            square(number)
        };
        let workers = [&stuck, &stuck].into_iter();
        let squares = squares(workers, |number| {
            // The leader begins when a worker holds a query, and releases the worker near the
            // end.
            while number == 0 && !holds_one.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            is_free.fetch_or(number == 3 * QUERIES - 10, Ordering::SeqCst);
        });
        assert_eq!(squares, expected());
    }

    #[test]
    fn answers_of_a_batch_that_is_given_up_do_not_come_back() {
        with([square].into_iter(), |mut team| {
            for batch in 0..QUERIES {
                team.offer(1000 * batch..1000 * batch + 5);
                assert_eq!(*team.answer(0, &mut square), (1000 * batch).pow(2));
            }
        });
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_worker_that_panics_is_noticed() {
        let broken = |number: &u64| assert!(*number == 0, "a fault of the test");
        let has_begun = AtomicBool::new(false);
        let worker = |number: &u64| {
            has_begun.store(true, Ordering::SeqCst);
            broken(number);
        };
        with([worker].into_iter(), |mut team| {
            team.offer([1].into_iter());
            while !has_begun.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        });
    }
}
