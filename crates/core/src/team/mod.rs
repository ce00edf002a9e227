//! A team of threads that compute answers before another thread needs them.
//!
//! The *leader*, the thread that calls [`with_team`], offers a batch of queries and takes the answers
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

use std::iter;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The number of times that a worker checks for a new batch before it sleeps, about 1 ms on an idle
/// core. The worker yields its core after each check. Otherwise, on a busy machine, the system
/// would charge the checks to the program and give less time to the leader.
const CHECKS_BEFORE_SLEEP: usize = 2000;

/// Returns the number of threads to use: `requested`, or one for each core if `requested` is 0. The result
/// is at most the number of cores that the system reports, since more threads would only take time from
/// each other.
pub fn thread_count(requested: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match requested {
        0 => cores,
        _ => requested.min(cores),
    }
}

/// Calls `lead` with a team that has one thread for each of `workers`, the functions that answer
/// queries. If the system cannot start all threads, the team is smaller. If a worker panics, this
/// function panics after `lead` has returned.
pub fn with_team<Q: Send + Sync, A: Default + Send, R>(
    workers: impl Iterator<Item = impl FnMut(&Q, &mut A) + Send>,
    lead: impl FnOnce(Team<Q, A>) -> R,
) -> R {
    let mut team = Team {
        workers: Vec::new(),
        batch: Arc::default(),
        previous: Arc::default(),
        next_index: 0,
        last_answer: A::default(),
    };
    thread::scope(|scope| {
        for mut worker in workers {
            // The channel holds one batch. A worker that has lost its core misses the batches that
            // the leader offers meanwhile.
            let (sender, batches) = sync_channel::<Arc<Batch<Q, A>>>(1);
            let serve = move || {
                let mut spare = A::default();
                for batch in iter::from_fn(|| receive(&batches)) {
                    while batch.work(&mut spare, &mut worker) {}
                }
            };
            if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                break;
            }
            team.workers.push(sender);
        }
        lead(team)
    })
}

/// Waits for a batch. Returns `None` when the team has ended.
fn receive<B>(batches: &Receiver<B>) -> Option<B> {
    for _ in 0..CHECKS_BEFORE_SLEEP {
        match batches.try_recv() {
            Ok(batch) => return Some(batch),
            Err(TryRecvError::Disconnected) => return None,
            Err(_) => thread::yield_now(),
        }
    }
    batches.recv().ok()
}

/// A batch of queries that the threads claim one by one, and the answers so far.
struct Batch<Q, A> {
    queries: Vec<Q>,
    /// The index of the next query to claim. Once all queries are claimed, it exceeds the last index.
    next_unclaimed: AtomicUsize,
    /// A slot for the answer to each query.
    slots: Vec<Mutex<Slot<A>>>,
}

// Unlike a derived implementation, this one does not need a default query.
impl<Q, A> Default for Batch<Q, A> {
    fn default() -> Self {
        Self {
            queries: Vec::new(),
            next_unclaimed: AtomicUsize::new(0),
            slots: Vec::new(),
        }
    }
}

/// The answer to a query if `is_filled` is true. Otherwise, `answer` may be left over from an earlier batch.
#[derive(Default)]
struct Slot<A> {
    is_filled: bool,
    answer: A,
}

impl<Q, A> Batch<Q, A> {
    /// Claims a query, and writes its answer to the query's slot. Returns false if all queries are
    /// claimed. `spare` provides the memory for the answer, and takes over the slot's old memory.
    fn work(&self, spare: &mut A, compute: &mut dyn FnMut(&Q, &mut A)) -> bool {
        let index = self.next_unclaimed.fetch_add(1, Ordering::Relaxed);
        let Some(query) = self.queries.get(index) else {
            return false;
        };
        compute(query, spare);
        // Lock outside the `if let`: editions differ in how long a lock in its condition is held.
        let slot = self.slots[index].lock().ok();
        if let Some(mut slot) = slot {
            mem::swap(&mut slot.answer, spare);
            slot.is_filled = true;
        }
        true
    }
}

/// The leader's handle to its team: the leader offers queries and takes answers.
pub struct Team<Q, A> {
    workers: Vec<SyncSender<Arc<Batch<Q, A>>>>,
    batch: Arc<Batch<Q, A>>,
    /// The previous batch. Its memory is reused for the next batch, unless a worker still holds it.
    previous: Arc<Batch<Q, A>>,
    /// The index of the next answer that the leader takes.
    next_index: usize,
    last_answer: A,
}

impl<Q, A: Default> Team<Q, A> {
    /// Gives up the current batch, and offers a new batch of queries to the workers.
    pub fn offer_batch(&mut self, queries: Vec<Q>) {
        self.give_up();
        let previous = mem::take(&mut self.previous);
        let mut batch = Arc::try_unwrap(previous).unwrap_or_default();
        batch.next_unclaimed = AtomicUsize::new(0);
        batch.slots.resize_with(queries.len(), Mutex::default);
        let slots = batch
            .slots
            .iter_mut()
            .filter_map(|slot| slot.get_mut().ok());
        slots.for_each(|slot| slot.is_filled = false);
        batch.queries = queries;
        self.previous = mem::replace(&mut self.batch, Arc::new(batch));
        self.next_index = 0;
        for worker in &self.workers {
            let _ = worker.try_send(self.batch.clone());
        }
    }

    /// Takes the next answer of the batch. While the answer is missing, answers queries with
    /// `compute`.
    pub fn take_answer(&mut self, compute: &mut dyn FnMut(&Q, &mut A)) {
        let Self {
            batch,
            next_index,
            last_answer,
            ..
        } = self;
        let index = *next_index;
        *next_index += 1;
        loop {
            // Do not wait for the lock: a worker may lose its core while it writes the answer.
            let slot = batch.slots[index].try_lock().ok();
            if let Some(mut slot) = slot {
                if slot.is_filled {
                    return mem::swap(&mut slot.answer, last_answer);
                }
            }
            if !batch.work(last_answer, compute) {
                return compute(&batch.queries[index], last_answer);
            }
        }
    }

    /// Returns the answer that was taken last; before the first, a default one.
    pub fn last_answer(&self) -> &A {
        &self.last_answer
    }
}

impl<Q, A> Team<Q, A> {
    /// Gives up the batch: no thread claims more of its queries.
    fn give_up(&self) {
        let batch = &self.batch;
        batch
            .next_unclaimed
            .store(batch.queries.len(), Ordering::Relaxed);
    }
}

/// Gives up the batch on drop, so that the workers end soon, even if the leader panics.
impl<Q, A> Drop for Team<Q, A> {
    fn drop(&mut self) {
        self.give_up();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// The number of queries in a batch. It is small under Miri, which is slow.
    const QUERIES: u64 = if cfg!(miri) { 20 } else { 500 };

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "workers borrow their queries"
    )]
    fn square(number: &u64, answer: &mut u64) {
        *answer = number * number;
    }

    /// Returns the squares that the leader of a team takes in three batches of [`QUERIES`]
    /// numbers. `meanwhile` runs before each answer is taken.
    fn squares(
        workers: impl Iterator<Item = impl FnMut(&u64, &mut u64) + Send>,
        mut meanwhile: impl FnMut(u64),
    ) -> Vec<u64> {
        with_team(workers, |mut team| {
            let mut squares = Vec::new();
            for batch in 0..3 {
                let queries = batch * QUERIES..(batch + 1) * QUERIES;
                team.offer_batch(queries.clone().collect());
                for number in queries {
                    meanwhile(number);
                    team.take_answer(&mut square);
                    squares.push(*team.last_answer());
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
        // Seven workers would take Miri minutes.
        for workers in if cfg!(miri) { 0..3 } else { 0..8 } {
            let workers = (0..workers).map(|_| square);
            assert_eq!(squares(workers, |_| {}), expected());
        }
    }

    #[test]
    fn workers_that_waited_long_answer_the_next_batch() {
        let answered = AtomicBool::new(false);
        let worker = |number: &u64, answer: &mut u64| {
            answered.store(true, Ordering::SeqCst);
            square(number, answer);
        };
        with_team([worker].into_iter(), |mut team| {
            for number in 0..if cfg!(miri) { 1 } else { 5 } {
                // Give the worker time to fall asleep.
                thread::sleep(std::time::Duration::from_millis(20));
                answered.store(false, Ordering::SeqCst);
                team.offer_batch(vec![number]);
                while !answered.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                team.take_answer(&mut square);
                assert_eq!(*team.last_answer(), number * number);
            }
        });
    }

    #[test]
    fn the_leader_does_not_wait_for_a_worker_whose_core_is_taken() {
        let (holds_one, is_free) = (AtomicBool::new(false), AtomicBool::new(false));
        let stuck = |number: &u64, answer: &mut u64| {
            holds_one.store(true, Ordering::SeqCst);
            while !is_free.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            square(number, answer);
        };
        let workers = [&stuck, &stuck].into_iter();
        let squares = squares(workers, |number| {
            // The leader begins when a worker holds a query, and releases the workers near the
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
        with_team([square].into_iter(), |mut team| {
            for batch in 0..QUERIES {
                team.offer_batch((1000 * batch..1000 * batch + 5).collect());
                team.take_answer(&mut square);
                assert_eq!(*team.last_answer(), (1000 * batch).pow(2));
            }
        });
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_worker_that_panics_is_noticed() {
        let broken = |number: &u64, _: &mut u64| assert!(*number == 0, "a fault of the test");
        let has_begun = AtomicBool::new(false);
        let worker = |number: &u64, answer: &mut u64| {
            has_begun.store(true, Ordering::SeqCst);
            broken(number, answer);
        };
        with_team([worker].into_iter(), |mut team| {
            team.offer_batch(vec![1]);
            while !has_begun.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        });
    }
}
