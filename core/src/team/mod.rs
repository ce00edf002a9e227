//! A team of threads that compute tasks ahead of the thread that needs them.
//!
//! The *leader*, the thread that calls [`with`], offers tasks and takes them back in the same
//! order. In the meantime any worker may compute them. Here two workers compute five tasks. Task 3
//! is still free when the leader needs it, so the leader computes it itself:
//!
//! ```text
//! leader     offers 0 1 2 3 4   takes 0   takes 1   takes 2   computes 3   takes 4
//! worker 1   0 ----------- 2 ----------- 4 -----------
//! worker 2     1 --------------------
//! ```
//!
//! The leader never waits, since the system may suspend a worker at any time and for any duration.
//! If a task is not done when the leader needs it, [`Team::turn`] reports that, and the leader
//! computes the same result itself. A result that comes later is dropped. Each task is owned by the
//! thread that computes it. The threads share only the board of tasks, behind a mutex, and an
//! atomic counter of the free tasks.

use std::collections::VecDeque;
use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of times that a worker checks for a free task before it yields its core: about 0.25
/// to 0.75 ms.
const SPINS: usize = 20_000;
/// The number of times that a worker checks for a free task before it sleeps. It yields its core
/// after each check beyond [`SPINS`].
const CHECKS: usize = SPINS + 100;

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

/// Locks a mutex. No thread panics while it holds a lock, so a mutex is never poisoned.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `lead` with a team of one thread for each of `workers`, functions that compute a task. If
/// the system cannot start all threads, the team is smaller. If a worker panics, this function
/// panics at the end.
pub fn with<T: Send, R>(
    workers: impl Iterator<Item = impl FnMut(&mut T) + Send>,
    lead: impl FnOnce(&mut Team<T>) -> R,
) -> R {
    let shared = Shared {
        free: Aligned(AtomicUsize::new(0)),
        board: Mutex::new(Board {
            free: VecDeque::new(),
            done: Vec::new(),
            needed: 0,
            asleep: 0,
        }),
        wake: Condvar::new(),
    };
    thread::scope(|scope| {
        let mut team = Team {
            shared: &shared,
            offered: 0,
        };
        // The first worker takes any free task, the second leaves at least one task free, and so
        // on. So a few tasks occupy only a few workers, and the board is not contended.
        for (reserve, mut compute) in workers.enumerate() {
            let shared = &shared;
            let serve = move || {
                let mut done = None;
                while let Some((ticket, mut task)) = shared.exchange(done, reserve) {
                    compute(&mut task);
                    done = Some((ticket, task));
                }
            };
            if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                break;
            }
        }
        lead(&mut team)
    })
}

/// Keeps a value in cache lines of its own, since every idle worker reads it continuously.
#[repr(align(128))]
struct Aligned<T>(T);

/// The value of [`Shared::free`] that ends the workers.
const STOPPED: usize = usize::MAX;

/// Everything that the threads share.
struct Shared<T> {
    /// The number of free tasks, or [`STOPPED`].
    free: Aligned<AtomicUsize>,
    board: Mutex<Board<T>>,
    wake: Condvar,
}

/// The tasks, numbered by tickets in the order in which they are offered.
struct Board<T> {
    /// Tasks that no thread has begun, in the order of their tickets.
    free: VecDeque<(usize, T)>,
    /// Computed tasks.
    done: Vec<(usize, T)>,
    /// The ticket that the leader needs next. Results of earlier tickets are dropped.
    needed: usize,
    /// The number of sleeping workers.
    asleep: usize,
}

impl<T> Shared<T> {
    /// Returns a computed task to the board, waits until more than `reserve` tasks are free, and
    /// takes one. Returns `None` when the team ends.
    fn exchange(&self, mut done: Option<(usize, T)>, reserve: usize) -> Option<(usize, T)> {
        let mut checks = 0;
        loop {
            let free = self.free.0.load(Ordering::Acquire);
            if free == STOPPED {
                return None;
            }
            if free <= reserve && checks < CHECKS && done.is_none() {
                checks += 1;
                match checks {
                    ..=SPINS => hint::spin_loop(),
                    _ => thread::yield_now(),
                }
                continue;
            }
            let mut board = lock(&self.board);
            if let Some((ticket, task)) = done.take() {
                if ticket >= board.needed {
                    board.done.push((ticket, task));
                }
            }
            if board.free.len() > reserve {
                return self.pop(&mut board);
            }
            if checks >= CHECKS && self.free.0.load(Ordering::Acquire) != STOPPED {
                board.asleep += 1;
                board = self
                    .wake
                    .wait(board)
                    .unwrap_or_else(PoisonError::into_inner);
                board.asleep -= 1;
                checks = 0;
            }
        }
    }

    /// Takes the first free task, if there is one.
    fn pop(&self, board: &mut Board<T>) -> Option<(usize, T)> {
        let next = board.free.pop_front()?;
        self.free.0.store(board.free.len(), Ordering::Release);
        Some(next)
    }
}

/// The task that the leader needs next.
pub enum Turn<T> {
    /// The task is computed.
    Done(T),
    /// No thread had begun the task; the leader owns it now.
    Free(T),
    /// A worker is still computing the task.
    Busy,
}

/// The leader's view of its team.
pub struct Team<'t, T> {
    shared: &'t Shared<T>,
    /// The ticket of the next task.
    offered: usize,
}

impl<T> Team<'_, T> {
    /// Offers a task to the workers.
    pub fn offer(&mut self, task: T) {
        let mut board = lock(&self.shared.board);
        board.free.push_back((self.offered, task));
        self.offered += 1;
        let Shared { free, wake, .. } = self.shared;
        free.0.store(board.free.len(), Ordering::Release);
        if board.asleep > 0 {
            wake.notify_one();
        }
    }

    /// Takes the first task that is not taken yet. While a worker is computing it, the leader
    /// computes other free tasks with `compute`; once no task is free, this returns [`Turn::Busy`].
    pub fn turn(&mut self, compute: &mut dyn FnMut(&mut T)) -> Turn<T> {
        let shared = self.shared;
        loop {
            let (ticket, mut task) = {
                let mut board = lock(&shared.board);
                let Board { done, needed, .. } = &mut *board;
                if let Some(at) = done.iter().position(|done| done.0 == *needed) {
                    *needed += 1;
                    return Turn::Done(done.swap_remove(at).1);
                }
                match shared.pop(&mut board) {
                    None => return Turn::Busy,
                    Some((ticket, task)) if ticket == board.needed => {
                        board.needed += 1;
                        return Turn::Free(task);
                    }
                    Some(free) => free,
                }
            };
            compute(&mut task);
            lock(&shared.board).done.push((ticket, task));
        }
    }

    /// Gives up the first task that the leader has not taken yet.
    pub fn skip(&mut self) {
        lock(&self.shared.board).needed += 1;
    }

    /// Gives up all tasks that the leader has not taken yet.
    pub fn clear(&mut self) {
        let mut board = lock(&self.shared.board);
        board.needed = self.offered;
        board.free.clear();
        board.done.clear();
        self.shared.free.0.store(0, Ordering::Release);
    }
}

/// Ends the workers, even if the leader panics.
impl<T> Drop for Team<'_, T> {
    fn drop(&mut self) {
        self.clear();
        let board = lock(&self.shared.board);
        self.shared.free.0.store(STOPPED, Ordering::Release);
        drop(board);
        self.shared.wake.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// The number of tasks, which is small under Miri because Miri is slow.
    const TASKS: u64 = if cfg!(miri) { 20 } else { 500 };

    /// Squares the number of a task.
    fn square(task: &mut u64) {
        *task *= *task;
    }

    /// Returns the squares that the leader of a team takes in three batches of [`TASKS`] numbers.
    /// `meanwhile` runs before each turn.
    fn squares(
        workers: impl Iterator<Item = impl FnMut(&mut u64) + Send>,
        mut meanwhile: impl FnMut(u64),
    ) -> Vec<u64> {
        with(workers, |team| {
            let mut squares = Vec::new();
            for batch in 0..3 {
                let tasks = batch * TASKS..(batch + 1) * TASKS;
                tasks.clone().for_each(|task| team.offer(task));
                for number in tasks {
                    meanwhile(number);
                    let square = match team.turn(&mut square) {
                        Turn::Done(square) => square,
                        Turn::Free(task) => task * task,
                        Turn::Busy => {
                            team.skip();
                            number * number
                        }
                    };
                    squares.push(square);
                }
            }
            squares
        })
    }

    fn expected() -> Vec<u64> {
        (0..3 * TASKS).map(|number| number * number).collect()
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_workers() {
        for workers in [0, 1, 2, 7] {
            let workers = (0..workers).map(|_| square);
            assert_eq!(squares(workers, |_| {}), expected());
        }
    }

    #[test]
    fn workers_that_sleep_are_woken() {
        let is_done = AtomicBool::new(false);
        let worker = |task: &mut u64| {
            square(task);
            is_done.store(true, Ordering::SeqCst);
        };
        with([worker].into_iter(), |team| {
            for number in 0..if cfg!(miri) { 1 } else { 5 } {
                // Wait until the worker sleeps.
                while lock(&team.shared.board).asleep == 0 {
                    thread::yield_now();
                }
                is_done.store(false, Ordering::SeqCst);
                team.offer(number);
                while !is_done.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                team.clear();
            }
        });
    }

    #[test]
    fn the_leader_does_not_wait_for_a_worker_whose_core_is_taken() {
        let (holds_one, is_free) = (AtomicBool::new(false), AtomicBool::new(false));
        let stuck = |task: &mut u64| {
            holds_one.store(true, Ordering::SeqCst);
            while !is_free.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            square(task);
        };
        let workers = [&stuck, &stuck].into_iter();
        let squares = squares(workers, |number| {
            // The leader begins when a worker holds a task, and releases the worker near the end.
            while number == 0 && !holds_one.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            is_free.fetch_or(number == 3 * TASKS - 10, Ordering::SeqCst);
        });
        assert_eq!(squares, expected());
    }

    #[test]
    fn tasks_that_are_given_up_do_not_come_back() {
        with([square].into_iter(), |team| {
            for batch in 0..TASKS {
                for task in 0..5 {
                    team.offer(1000 * batch + task);
                }
                match team.turn(&mut square) {
                    Turn::Done(square) => assert_eq!(square, (1000 * batch).pow(2)),
                    Turn::Free(task) => assert_eq!(task, 1000 * batch),
                    Turn::Busy => {}
                }
                team.clear();
            }
        });
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_worker_that_panics_is_noticed() {
        let broken = |task: &mut u64| assert!(*task == 0, "a fault of the test");
        let has_begun = AtomicBool::new(false);
        let worker = |task: &mut u64| {
            has_begun.store(true, Ordering::SeqCst);
            broken(task);
        };
        with([worker].into_iter(), |team| {
            team.offer(1);
            while !has_begun.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        });
    }
}
