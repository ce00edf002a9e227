//! Several threads.
//!
//! Parts are numbered by *tickets*, from 0 on through all batches. The leader offers a part in the slot of its ticket;
//! any thread, the leader included, claims the lowest ticket that is not claimed. A worker takes the part out of the slot,
//! computes it on its own, and puts the output back. The leader takes the outputs in the order of the tickets:
//!
//! ```text
//!     received         claimed            offered
//!        v                v                  v
//!     0  1  2  3  4  5  6  7  8  9  10  11  12      1..7 are computed or done, 7..12 are free
//! ```
//!
//! The leader never depends on a worker. The system may take the core away from one at any time, for as long as it likes.
//! If the next output is late and no part is free, the leader computes that part itself, and the output of the worker is
//! dropped when it comes. The parts, the job and the slots are owned by those who use them, so no thread can see memory that
//! another one has given up, and no `unsafe` is needed.
//!
//! A worker that panics ends; the leader computes its part, and panics too if the fault is in the part.

use super::{Alone, Batch, Team, Work};
use std::collections::VecDeque;
use std::hint;
use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of slots, a power of two: the largest window.
const SLOTS: usize = 128;
/// The number of checks that the leader makes for a late output before it computes the part itself: some 20 to 60 µs.
const PATIENCE: usize = 1500;
/// The number of checks that a worker makes for a free part before it yields its core: some 50 to 150 µs.
const SPINS: usize = 4000;
/// The number of times that it yields before it sleeps.
const YIELDS: usize = 100;

/// The number of threads to use where `wanted` are wanted, 0 for all there are: at most the cores that the system reports.
/// More threads than cores only take time from each other.
pub fn size(wanted: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match wanted {
        0 => cores,
        _ => wanted.min(cores),
    }
}

/// Calls `lead` with a team of `threads` threads, the calling one included. One thread starts none. Where the system starts
/// fewer threads, the team is smaller.
pub fn with<W: Work, R>(work: &W, threads: usize, lead: impl FnOnce(&mut dyn Team<W>) -> R) -> R {
    if threads <= 1 {
        return lead(&mut Alone::new(work));
    }
    let shared = Shared {
        work,
        counters: Counters::default(),
        slots: (0..SLOTS).map(|_| Slot::default()).collect(),
        stopped: AtomicBool::new(false),
        asleep: AtomicU64::new(0),
        bed: Mutex::new(()),
        wake: Condvar::new(),
    };
    thread::scope(|scope| {
        let _stop = Stop(&shared);
        for _ in 1..threads {
            let worker = || shared.serve();
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        lead(&mut Leader {
            shared: &shared,
            offered: 0,
            parts: VecDeque::new(),
            output: W::Output::default(),
        })
    })
}

/// Ends the workers when the leader returns or panics.
struct Stop<'s, 'w, W: Work>(&'s Shared<'w, W>);

impl<W: Work> Drop for Stop<'_, '_, W> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::SeqCst);
        self.0.wake_all();
    }
}

/// The next ticket to offer and the next to claim, apart from what else lies in memory: every waiting thread reads them.
#[derive(Default)]
#[repr(align(128))]
struct Counters {
    offered: AtomicU64,
    claimed: AtomicU64,
}

/// A part that is offered, or its output.
#[repr(align(128))]
struct Slot<W: Work> {
    /// The ticket after that of the output, when that is there.
    done: AtomicU64,
    content: Mutex<Content<W>>,
}

struct Content<W: Work> {
    ticket: u64,
    /// The job and the part, until a thread takes them.
    task: Option<(Arc<W::Job>, W::Part)>,
    output: W::Output,
}

impl<W: Work> Default for Slot<W> {
    fn default() -> Self {
        Self {
            done: AtomicU64::new(0),
            content: Mutex::new(Content {
                ticket: u64::MAX,
                task: None,
                output: W::Output::default(),
            }),
        }
    }
}

/// What the threads of a team share.
struct Shared<'w, W: Work> {
    work: &'w W,
    counters: Counters,
    slots: Vec<Slot<W>>,
    stopped: AtomicBool,
    /// The number of workers that went to sleep since the last call.
    asleep: AtomicU64,
    bed: Mutex<()>,
    wake: Condvar,
}

/// Locks a mutex. No thread panics while it holds one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Work> Shared<'_, W> {
    fn slot(&self, ticket: u64) -> &Slot<W> {
        &self.slots[ticket as usize % SLOTS]
    }

    /// Claims the lowest ticket that is offered and not claimed.
    fn claim(&self) -> Option<u64> {
        let Counters { offered, claimed } = &self.counters;
        let mut next = claimed.load(Ordering::SeqCst);
        while next < offered.load(Ordering::SeqCst) {
            match claimed.compare_exchange(next, next + 1, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(ticket) => return Some(ticket),
                Err(now) => next = now,
            }
        }
        None
    }

    /// Computes parts until the team ends.
    fn serve(&self) {
        let mut output = W::Output::default();
        while let Some(ticket) = self.wait_for_ticket() {
            let computed = catch_unwind(AssertUnwindSafe(|| self.compute(ticket, &mut output)));
            if computed.is_err() {
                return;
            }
        }
    }

    /// Computes the part of a claimed ticket, unless the leader has given it up.
    fn compute(&self, ticket: u64, output: &mut W::Output) {
        let slot = self.slot(ticket);
        let task = {
            let mut content = lock(&slot.content);
            if content.ticket != ticket {
                return;
            }
            content.task.take()
        };
        let Some((job, part)) = task else {
            return;
        };
        self.work.run(&job, &part, output);
        // The leader may reuse the memory of a job that no worker holds.
        drop(job);
        let mut content = lock(&slot.content);
        if content.ticket == ticket {
            mem::swap(&mut content.output, output);
            slot.done.store(ticket + 1, Ordering::Release);
        }
    }

    /// Waits for a ticket and claims it; `None` when the team ends.
    fn wait_for_ticket(&self) -> Option<u64> {
        let mut checks = 0;
        loop {
            if self.stopped.load(Ordering::SeqCst) {
                return None;
            }
            if let Some(ticket) = self.claim() {
                return Some(ticket);
            }
            checks += 1;
            match checks {
                ..=SPINS => hint::spin_loop(),
                _ if checks <= SPINS + YIELDS => thread::yield_now(),
                _ => {
                    self.sleep();
                    checks = 0;
                }
            }
        }
    }

    /// Sleeps until the leader offers a part. The leader changes what is checked here before it reads `asleep`, so one of
    /// the two sees the other.
    fn sleep(&self) {
        let bed = lock(&self.bed);
        self.asleep.fetch_add(1, Ordering::SeqCst);
        let Counters { offered, claimed } = &self.counters;
        let is_idle = claimed.load(Ordering::SeqCst) >= offered.load(Ordering::SeqCst);
        if is_idle && !self.stopped.load(Ordering::SeqCst) {
            drop(self.wake.wait(bed));
        }
    }

    /// Wakes the workers that sleep.
    fn wake_all(&self) {
        if self.asleep.swap(0, Ordering::SeqCst) > 0 {
            drop(lock(&self.bed));
            self.wake.notify_all();
        }
    }
}

/// The thread that leads a team.
struct Leader<'s, 'w, W: Work> {
    shared: &'s Shared<'w, W>,
    /// The next ticket.
    offered: u64,
    /// The parts that are named and not received.
    parts: VecDeque<W::Part>,
    output: W::Output,
}

impl<W: Work> Leader<'_, '_, W> {
    /// Offers a part to all threads.
    fn offer(&mut self, job: &Arc<W::Job>, part: W::Part) {
        let ticket = self.offered;
        {
            let mut content = lock(&self.shared.slot(ticket).content);
            content.ticket = ticket;
            content.task = Some((Arc::clone(job), part));
        }
        self.parts.push_back(part);
        self.offered += 1;
        self.shared
            .counters
            .offered
            .store(self.offered, Ordering::SeqCst);
        self.shared.wake_all();
    }

    /// Puts the output of the part of `ticket` into `self.output`. Meanwhile it computes parts that are free.
    fn receive(&mut self, ticket: u64, job: &Arc<W::Job>) {
        let (shared, slot) = (self.shared, self.shared.slot(ticket));
        let mut checks = 0;
        while slot.done.load(Ordering::Acquire) <= ticket {
            if let Some(free) = shared.claim() {
                shared.compute(free, &mut self.output);
                continue;
            }
            checks += 1;
            if checks > PATIENCE {
                // From now on the output of the worker is dropped.
                lock(&slot.content).ticket = u64::MAX;
                if slot.done.load(Ordering::Acquire) <= ticket {
                    shared.work.run(job, &self.parts[0], &mut self.output);
                    return;
                }
            }
            hint::spin_loop();
        }
        mem::swap(&mut lock(&slot.content).output, &mut self.output);
    }

    /// Gives up all parts that are named and not received.
    fn give_up(&mut self) {
        self.shared
            .counters
            .claimed
            .fetch_max(self.offered, Ordering::SeqCst);
        for ticket in self.offered - self.parts.len() as u64..self.offered {
            let mut content = lock(&self.shared.slot(ticket).content);
            content.ticket = u64::MAX;
            content.task = None;
        }
        self.parts.clear();
    }
}

impl<W: Work> Team<W> for Leader<'_, '_, W> {
    fn run(&mut self, job: &Arc<W::Job>, window: usize, batch: &mut dyn Batch<W>) {
        let mut next = self.offered;
        loop {
            while self.parts.len() < window.min(SLOTS) {
                let Some(part) = batch.next() else {
                    break;
                };
                self.offer(job, part);
            }
            if self.parts.is_empty() {
                return;
            }
            self.receive(next, job);
            next += 1;
            let Some(part) = self.parts.pop_front() else {
                return;
            };
            if !batch.take(&part, &mut self.output) {
                self.give_up();
                return;
            }
        }
    }
}
