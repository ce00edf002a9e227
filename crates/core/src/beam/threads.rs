//! Divides the work of a search among several threads.
//!
//! The search processes a layer in a fixed order. It makes one query at a time: for the children of a state,
//! or for a built child. A [`Team`] computes the answers in advance. The *leader*, the thread of the search,
//! offers all queries about a layer as a batch of blocks, and takes the answers in the same order. In the
//! meantime, any worker may claim a block and answer it. While an answer is missing, the leader claims
//! blocks, too. Here a leader and two workers answer blocks 0 to 5:
//!
//! ```text
//! leader     answers 0  takes 0  answers 3  takes 1 2 3  answers 4  takes 4 5
//! worker 1   1 ------------------ 5 -------
//! worker 2     2 ------ 4 --------------------------------
//! ```
//!
//! The leader never waits, since the system may suspend a worker at any time and for any duration. If an
//! answer is missing and no block is left to claim, the leader computes the same answer again, as for block 4
//! here. If the worker then answers after all, its answer is dropped.
//!
//! The result depends neither on the number of threads nor on their speed, since no answer does:
//!
//! * A child depends only on its parent, the move and the memo.
//! * A list of children depends on the threshold. The threshold rises from list to list, so a thread
//!   that runs ahead of the search may use one that is too low. When the search takes the list, the team
//!   removes the children that do not beat the current threshold. Therefore the scores of a child must not
//!   depend on the threshold; see [`Game::expand`].
//!
//! ```text
//! threshold            0       5       7     when the search takes the children of state 0, 1, 2
//! listed, with 0     9 5 3   8 5 4   7 6 2   by workers
//! used               9 5 3   8       -       children that beat the threshold, as on one thread
//! ```

use super::game::{Children, Game, ListedChild, NO_MEMO, Observer};
use super::layers::{Candidate, Layers, Parents};
use super::search::{Beam, BuiltStates, Executor, SearchResult, run_catching, search};
use super::selector::Scores;
use super::width::{Budget, Meter, Settings};
use std::array;
use std::iter;
use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope};

/// The number of times that a worker checks for a new batch before it sleeps. On an idle core, these checks
/// take about 1 ms. The worker yields its core after each check. Otherwise, on a busy machine, the system
/// would charge the checks to the program and give less time to the leader.
const CHECKS_BEFORE_SLEEP: usize = 2000;
/// The number of blocks that each thread would get if all remaining queries were divided into blocks of the
/// current size. Blocks get smaller towards the end of a layer, so that all threads finish at about the same
/// time.
const BLOCKS_PER_THREAD: usize = 4;
/// The minimum and the maximum number of lists of children in a block. These blocks are small: the further a
/// worker runs ahead of the search, the lower its threshold, and the more children it lists in vain.
const LISTS_PER_BLOCK: [usize; 2] = [2, 16];
/// The minimum and the maximum number of children to build in a block. With fewer children, the
/// handover would take too large a share of the time.
const CHILDREN_PER_BLOCK: [usize; 2] = [4, 64];

/// Searches like [`search`](search()), on as many threads as the [settings](Settings::with_threads) say. If
/// the system cannot start all threads, the search uses fewer.
///
/// With more than one thread in the settings, [`Costs::game_work`](super::Costs::game_work) is 0 in the
/// result, and the meter does not receive the work of listing, building and evaluating children. Unless the
/// budget is a time, nothing else in the result depends on the number of threads.
///
/// # Panics
/// If the game panics, unless the settings [catch panics](Settings::catch_panics).
pub fn search_on_threads<G: Game<Q>, const Q: usize>(
    game: &mut G,
    root: G::State,
    last_layer: usize,
    settings: &Settings,
    budget: Budget,
    meter: Meter,
    observer: &mut dyn Observer<G, Q>,
) -> SearchResult<G::Move> {
    if settings.threads == 1 {
        return search(game, root, last_layer, settings, budget, meter, observer);
    }
    let threshold = &Threshold::new();
    let mut result = None;
    // The scope panics if a worker has panicked. The result is complete even then, since the leader computes
    // the missing answers.
    run_catching(settings.catch_panics, || {
        thread::scope(|scope| {
            let team = Team::start(scope, game, settings.threads, threshold);
            let beam = Beam::new(game, team, last_layer, settings, budget, meter, observer);
            result = Some(beam.run(root, last_layer));
        });
    });
    let mut result = result.expect("a result");
    result.costs.game_work = 0;
    result
}

/// A batch of queries about one layer, in blocks that the threads claim one by one, and the answers so far.
struct Batch<G: Game<Q>, const Q: usize> {
    /// The layer whose children are listed, or for which children are built.
    layer: usize,
    /// If children are listed, only the survivors of `layer`. If candidates are built, the survivors of the
    /// recent layers before `layer`, the latest last.
    parents: Vec<Parents<G, Q>>,
    /// The candidates to build and evaluate; `None` to list the children of all survivors of `layer`.
    candidates: Option<Arc<Vec<Candidate<G, Q>>>>,
    blocks: Vec<Range<usize>>,
    /// The index of the next block to claim. Once all blocks are claimed, it exceeds the last index.
    next_unclaimed: AtomicUsize,
    /// A slot for the answers to each block.
    slots: Vec<Mutex<Slot<G, Q>>>,
}

/// A flag that is true once a thread has answered the block, and the answers. While the flag is false, the
/// answers may be left over from an earlier batch.
type Slot<G, const Q: usize> = (bool, Answers<G, Q>);

/// The answers to the queries of a block: lists of children, or states.
struct Answers<G: Game<Q>, const Q: usize> {
    /// For each list, the end of its children in `children`.
    ends: Vec<usize>,
    children: Children<G::Move, G::ListedHash, Q, G::Memo>,
    /// The hashes of the children that were built, their states and their scores.
    hashes: Vec<u64>,
    states: Vec<G::State>,
    scores: Vec<Scores<Q>>,
}

impl<G: Game<Q>, const Q: usize> Answers<G, Q> {
    fn new() -> Self {
        Self {
            ends: Vec::new(),
            children: Children::default(),
            hashes: Vec::new(),
            states: Vec::new(),
            scores: Vec::new(),
        }
    }
}

impl<G: Game<Q>, const Q: usize> Batch<G, Q> {
    /// Creates a batch without queries.
    fn new() -> Self {
        Self {
            layer: 0,
            parents: Vec::new(),
            candidates: None,
            blocks: Vec::new(),
            next_unclaimed: AtomicUsize::new(0),
            slots: Vec::new(),
        }
    }

    /// Claims a block, and writes its answers to the block's slot. Returns false if all blocks are
    /// claimed. `spare` provides the memory for the answers, and takes over the slot's old memory.
    fn work(&self, game: &mut G, threshold: &Threshold<Q>, spare: &mut Answers<G, Q>) -> bool {
        let index = self.next_unclaimed.fetch_add(1, Ordering::Relaxed);
        if index >= self.blocks.len() {
            return false;
        }
        self.answer(index, game, threshold, spare);
        // Lock outside the `if let`: editions differ in how long a lock in its condition is held.
        let slot = self.slots[index].lock().ok();
        if let Some(mut slot) = slot {
            mem::swap(&mut slot.1, spare);
            slot.0 = true;
        }
        true
    }

    /// Answers the queries of the block with this index.
    fn answer(
        &self,
        index: usize,
        game: &mut G,
        threshold: &Threshold<Q>,
        answers: &mut Answers<G, Q>,
    ) {
        let Answers {
            ends,
            children,
            hashes,
            states,
            scores,
        } = answers;
        ends.clear();
        children.clear();
        hashes.clear();
        states.clear();
        scores.clear();
        let (layer, parents, block) = (self.layer, &self.parents, self.blocks[index].clone());
        let Some(candidates) = &self.candidates else {
            for survivor in &parents[0].survivors[block] {
                game.expand(layer, survivor, threshold.get(), children);
                ends.push(children.listed.len());
            }
            return;
        };
        for candidate in &candidates[block] {
            let at = parents.len() - candidate.advance as usize;
            parents[at].build(game, layer, candidate, states);
            hashes.push(game.hash(&states[hashes.len()]));
        }
        game.evaluate(layer, states, scores);
    }

    /// Cancels the batch, so that no thread claims more of its blocks.
    fn cancel(&self) {
        self.next_unclaimed
            .store(self.blocks.len(), Ordering::Relaxed);
    }
}

/// The latest threshold of the search, shared between the threads. A thread may read a mixture of old and
/// new scores. No score falls while the search lists the children of a layer, so an old score can only be
/// too low. A low score costs time, but does not change the result.
struct Threshold<const Q: usize>(AtomicI32, [AtomicI32; Q]);

impl<const Q: usize> Threshold<Q> {
    fn new() -> Self {
        let zero = AtomicI32::default;
        Self(zero(), array::from_fn(|_| zero()))
    }

    fn set(&self, scores: Scores<Q>) {
        self.0.store(scores.value, Ordering::Relaxed);
        for (shared, score) in self.1.iter().zip(scores.quota_scores) {
            shared.store(score, Ordering::Relaxed);
        }
    }

    fn get(&self) -> Scores<Q> {
        Scores {
            value: self.0.load(Ordering::Relaxed),
            quota_scores: array::from_fn(|at| self.1[at].load(Ordering::Relaxed)),
        }
    }
}

/// The leader's handle to its team. See the [module](self).
struct Team<'a, G: Game<Q>, const Q: usize> {
    workers: Vec<SyncSender<Arc<Batch<G, Q>>>>,
    threads: usize,
    /// A copy of the game, for the answers that the leader computes.
    game: G,
    threshold: &'a Threshold<Q>,
    batch: Arc<Batch<G, Q>>,
    /// The previous batch. Its memory is reused for the next batch, unless a worker still holds it.
    previous: Arc<Batch<G, Q>>,
    /// The index of the next block whose answers the leader takes.
    next_block: usize,
    /// The answers of the block that the leader took last.
    answers: Answers<G, Q>,
    /// The number of entries in `answers` that the search has already used.
    taken_count: usize,
}

impl<'a, G: Game<Q>, const Q: usize> Team<'a, G, Q> {
    /// Starts the workers. Each gets a copy of the game.
    fn start<'scope>(
        scope: &'scope Scope<'scope, 'a>,
        game: &G,
        threads: usize,
        threshold: &'a Threshold<Q>,
    ) -> Self
    where
        G: 'scope,
    {
        let mut workers = Vec::new();
        for _ in 1..threads {
            let mut game = game.clone();
            // The channel holds one batch. A worker that has lost its core misses the batches that the leader
            // offers in the meantime.
            let (sender, batches) = sync_channel::<Arc<Batch<G, Q>>>(1);
            let serve = move || {
                let mut spare = Answers::new();
                for batch in iter::from_fn(|| receive(&batches)) {
                    while batch.work(&mut game, threshold, &mut spare) {}
                }
            };
            if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                break;
            }
            workers.push(sender);
        }
        Self {
            workers,
            threads,
            game: game.clone(),
            threshold,
            batch: Arc::new(Batch::new()),
            previous: Arc::new(Batch::new()),
            next_block: 0,
            answers: Answers::new(),
            taken_count: 0,
        }
    }

    /// Cancels the current batch, and offers a new one to the workers. They build and evaluate `candidates`,
    /// whose parents are in `parents`. If `candidates` is `None`, they list the children of the only layer in
    /// `parents`.
    fn offer(
        &mut self,
        layer: usize,
        parents: Vec<Parents<G, Q>>,
        candidates: Option<Arc<Vec<Candidate<G, Q>>>>,
    ) {
        self.batch.cancel();
        let ([min, max], count) = match &candidates {
            Some(candidates) => (CHILDREN_PER_BLOCK, candidates.len()),
            None => (LISTS_PER_BLOCK, parents[0].survivors.len()),
        };
        let previous = mem::replace(&mut self.previous, self.batch.clone());
        let mut batch = Arc::try_unwrap(previous).unwrap_or_else(|_| Batch::new());
        batch.blocks.clear();
        let mut start = 0;
        while start < count {
            let size = (count - start) / (BLOCKS_PER_THREAD * self.threads);
            let end = count.min(start + size.clamp(min, max));
            batch.blocks.push(start..end);
            start = end;
        }
        let new_slot = || Mutex::new((false, Answers::new()));
        batch.slots.resize_with(batch.blocks.len(), new_slot);
        for slot in &mut batch.slots {
            if let Ok(slot) = slot.get_mut() {
                slot.0 = false;
            }
        }
        (batch.layer, batch.parents, batch.candidates) = (layer, parents, candidates);
        batch.next_unclaimed = AtomicUsize::new(0);
        self.batch = Arc::new(batch);
        for worker in &self.workers {
            let _ = worker.try_send(self.batch.clone());
        }
        self.next_block = 0;
        self.taken_count = usize::MAX;
    }

    /// Takes the next answer of the batch, from the next block if the current one has no more. Returns its
    /// index in the block. `count` returns the number of answers in a block.
    fn take_answer(&mut self, count: impl Fn(&Answers<G, Q>) -> usize) -> usize {
        if self.taken_count >= count(&self.answers) {
            self.take_block();
            self.taken_count = 0;
        }
        self.taken_count += 1;
        self.taken_count - 1
    }

    /// Takes the answers of the next block. While they are missing, answers other blocks.
    fn take_block(&mut self) {
        let Self {
            batch,
            game,
            threshold,
            answers,
            ..
        } = self;
        let index = self.next_block;
        self.next_block += 1;
        loop {
            // Do not wait for the lock: a worker may lose its core while it writes the answers.
            let slot = batch.slots[index].try_lock().ok();
            if let Some(mut slot) = slot {
                if slot.0 {
                    return mem::swap(&mut slot.1, answers);
                }
            }
            if !batch.work(game, threshold, answers) {
                return batch.answer(index, game, threshold, answers);
            }
        }
    }
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

/// Cancels the batch on drop, so that the workers end soon, even if the leader panics.
impl<G: Game<Q>, const Q: usize> Drop for Team<'_, G, Q> {
    fn drop(&mut self) {
        self.batch.cancel();
    }
}

impl<G: Game<Q>, const Q: usize> Executor<G, Q> for Team<'_, G, Q> {
    fn list(
        &mut self,
        _: &mut G,
        layer: usize,
        survivors: &Arc<Vec<G::State>>,
        index: usize,
        threshold: Scores<Q>,
        children: &mut Children<G::Move, G::ListedHash, Q, G::Memo>,
    ) {
        self.threshold.set(threshold);
        if index == 0 {
            let parents = Parents {
                survivors: survivors.clone(),
                memos: Arc::default(), // the children are not listed yet
            };
            self.offer(layer, vec![parents], None);
        }
        let at = self.take_answer(|answers| answers.ends.len());
        let Answers {
            ends,
            children: listed,
            ..
        } = &self.answers;
        let start = at.checked_sub(1).map_or(0, |at| ends[at]);
        for child in &listed.listed[start..ends[at]] {
            if child.scores.exceeds_any(&threshold) {
                let memo = listed.memos.get(child.memo as usize);
                let memo_index = memo.map_or(NO_MEMO, |_| children.memos.len() as u32);
                children.memos.extend(memo);
                children.listed.push(ListedChild {
                    parent: children.parent,
                    memo: memo_index,
                    ..*child
                });
            }
        }
    }

    fn build(
        &mut self,
        _: &mut G,
        layer: usize,
        layers: &Layers<G, Q>,
        chosen: &Arc<Vec<Candidate<G, Q>>>,
        range: Range<usize>,
        built: &mut BuiltStates<G, Q>,
    ) {
        if range.start == 0 {
            self.offer(layer, layers.recent_parents(), Some(chosen.clone()));
        }
        for candidate in &chosen[range] {
            let at = self.take_answer(|answers| answers.hashes.len());
            let answers = &self.answers;
            if candidate.is_new(answers.hashes[at], &mut built.known_hashes) {
                built.states.push(answers.states[at]);
                built.scores.push(answers.scores[at]);
                built.origins.push(*candidate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::costs::Costs;
    use super::super::search::tests::{DigitsGame, HookedGame};
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    /// The number of layers of each search. It is smaller under Miri, which is slow.
    const LAYERS: usize = if cfg!(miri) { 6 } else { 12 };
    /// The beam width of each search, in states. It is smaller under Miri, too.
    const WIDTH: usize = if cfg!(miri) { 8 } else { 60 };

    /// Searches with three threads, and compares the result with a search on one thread. Calls `on_build`
    /// whenever a child is built, with the layer of the parent, and whether the thread is a worker.
    fn check(on_build: &(dyn Fn(usize, bool) + Sync)) {
        let leader = thread::current().id();
        let hook = |method: &str, layer| match method {
            "build" => on_build(layer, thread::current().id() != leader),
            // Gives the workers time to take all earlier batches and fall asleep, before the children of a
            // layer are offered.
            "quota_shares" => thread::sleep(Duration::from_millis(20)),
            _ => {}
        };
        let mut game = HookedGame(&hook);
        let settings = Settings::default().with_threads(3);
        let (width, meter) = (Budget::Width(WIDTH), &|_: &Costs| 0.0);
        let result = search_on_threads(&mut game, (0, 0), LAYERS, &settings, width, meter, &mut ());
        let single_threaded = search(
            &mut DigitsGame,
            (0, 0),
            LAYERS,
            &settings,
            width,
            meter,
            &mut (),
        );
        assert_eq!(result, single_threaded);
    }

    /// Waits until `flag` is set, for at most `limit`.
    fn wait_for(flag: &AtomicBool, limit: Duration) {
        let start = Instant::now();
        while !flag.load(Ordering::SeqCst) && start.elapsed() < limit {
            thread::yield_now();
        }
    }

    /// The maximum time that the leader waits for a worker in a layer. On a busy machine, it may be too
    /// short.
    const MAX_WAIT: Duration = Duration::from_millis(500);

    /// The time after which a test gives up. It is longer under Miri, whose clock advances with each step.
    const TEST_TIMEOUT: Duration = Duration::from_secs(if cfg!(miri) { 3600 } else { 60 });

    #[test]
    fn workers_that_waited_long_answer_the_next_batch() {
        let answered = [(); LAYERS].map(|()| AtomicBool::new(false));
        let waited = [(); LAYERS].map(|()| AtomicBool::new(false));
        check(&|layer, is_worker| {
            if is_worker {
                answered[layer].store(true, Ordering::SeqCst);
            } else if !waited[layer].swap(true, Ordering::SeqCst) {
                wait_for(&answered[layer], MAX_WAIT);
            }
        });
        let answered = answered.iter().filter(|flag| flag.load(Ordering::SeqCst));
        assert!(answered.count() > LAYERS / 4);
    }

    #[test]
    fn the_leader_does_not_wait_for_a_worker_whose_core_is_taken() {
        let (has_block, is_free) = (AtomicBool::new(false), AtomicBool::new(false));
        let waited = [(); LAYERS].map(|()| AtomicBool::new(false));
        check(&|layer, is_worker| {
            if layer == LAYERS - 1 {
                is_free.store(true, Ordering::SeqCst);
            } else if is_worker {
                has_block.store(true, Ordering::SeqCst);
                wait_for(&is_free, TEST_TIMEOUT);
                assert!(is_free.load(Ordering::SeqCst), "the leader waits");
            } else if !waited[layer].swap(true, Ordering::SeqCst) {
                wait_for(&has_block, MAX_WAIT);
            }
        });
        assert!(has_block.load(Ordering::SeqCst));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_worker_that_panics_is_noticed() {
        let has_begun = AtomicBool::new(false);
        check(&|_, is_worker| {
            has_begun.fetch_or(is_worker, Ordering::SeqCst);
            assert!(!is_worker, "a fault of the test");
            wait_for(&has_begun, TEST_TIMEOUT);
        });
    }
}
