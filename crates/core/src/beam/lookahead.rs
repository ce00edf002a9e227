//! Divides the work of a search among several threads.
//!
//! The search processes a layer in a fixed order: it needs the children of one state, or one child, at
//! a time. [`Lookahead`] computes these answers in advance: it receives all queries of the search about
//! a layer, and a [team](crate::team) answers them. Each thread has a copy of the game.
//!
//! The result depends neither on the number of threads nor on their speed, since no answer does:
//!
//! * A child depends only on its parent and the move.
//! * A list of children depends on the threshold. The threshold rises from list to list, so a thread
//!   that runs ahead of the search may use one that is too low. When the search takes the list,
//!   [`Lookahead`] removes the children that do not beat the current threshold. Therefore neither the
//!   scores nor the work of a child may depend on the threshold, see [`Game::expand`].
//!
//! ```text
//! threshold            0       5       7     when the search takes the children of state 0, 1, 2
//! listed, with 0     9 5 3   8 5 4   7 6 2   by workers
//! used               9 5 3   8       -       children that beat the threshold, as on one thread
//! ```

use super::game::{Children, Game, Survivor};
use super::layers::{Candidate, CandidateOf, ListedChildOf};
use super::selector::Scores;
use crate::team::{self, Team};
use std::array;
use std::ops::Range;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// Calls `search` with the [`Lookahead`] of a team of `threads` threads. Each thread gets a copy of
/// `game`.
pub(super) fn with_lookahead<G: Game<Q>, R, const Q: usize>(
    game: &G,
    threads: usize,
    search: impl FnOnce(Lookahead<G, Q>) -> R,
) -> R {
    let threshold = &Threshold::new();
    let workers = (1..threads).map(|_| {
        let mut copy = game.clone();
        move |block: &Block<G, Q>, answers: &mut _| {
            answer_block(&mut copy, block, answers, threshold);
        }
    });
    team::with_team(workers, |team| {
        search(Lookahead {
            team,
            threads,
            game: game.clone(),
            threshold,
            taken_answer_count: 0,
        })
    })
}

/// The number of blocks that each thread would get if all remaining queries were divided into blocks of the
/// current size. Blocks get smaller towards the end of a layer, so that all threads finish at about the same
/// time.
const BLOCKS_PER_THREAD: usize = 4;
/// The minimum and the maximum number of lists of children in a block. These blocks are small, since the
/// threshold rises while a worker computes a block.
const LISTS_PER_BLOCK: [usize; 2] = [2, 8];
/// The minimum and the maximum number of children to build in a block. With fewer children, the
/// handover would take too large a share of the time.
const CHILDREN_PER_BLOCK: [usize; 2] = [4, 32];

/// The queries about one layer. All blocks share them: if each query counted a reference to its parents, the
/// threads would wait for each other's counts.
struct Queries<S, C> {
    /// The layer whose children are listed, or for which children are built.
    layer: usize,
    /// The survivors of `layer` alone, or those of the layers before it, the latest last.
    parents: Vec<Arc<Vec<Survivor<S>>>>,
    /// The candidates to build and evaluate. `None` to list the children of all survivors of `layer`.
    candidates: Option<Arc<Vec<Candidate<C>>>>,
}

type QueriesOf<G, const Q: usize> = Queries<<G as Game<Q>>::State, ListedChildOf<G, Q>>;

/// A range of queries that one thread answers together.
type Block<G, const Q: usize> = (Arc<QueriesOf<G, Q>>, Range<usize>);

/// The answers to the queries of a block.
#[derive(Default)]
struct Answers<C, B> {
    per_query: Vec<Answer>,
    /// The listed children of all states in the block.
    children: C,
    /// The states of the children that were built and evaluated.
    built_states: B,
}

type AnswersOf<G, const Q: usize> = Answers<
    Children<<G as Game<Q>>::Move, <G as Game<Q>>::ListedHash, Q>,
    Vec<<G as Game<Q>>::State>,
>;

/// The numbers in the answer to a query; its lists are in [`Answers`]. A number that the query does not ask
/// for is 0.
#[derive(Clone, Copy, Default)]
pub(super) struct Answer {
    /// The ends of the state's children and of its trials, as indices into the lists of the block.
    ends: [usize; 2],
    /// The hash of the child that was built.
    pub(super) hash: u64,
    /// The work of listing the children, or of building the child.
    pub(super) work: u64,
    /// The work of evaluating the child.
    pub(super) evaluation_work: u64,
}

/// Answers the queries of a block with a copy of the game.
fn answer_block<G: Game<Q>, const Q: usize>(
    game: &mut G,
    block: &Block<G, Q>,
    answers: &mut AnswersOf<G, Q>,
    threshold: &Threshold<Q>,
) {
    let Answers {
        per_query,
        children,
        built_states,
    } = answers;
    per_query.clear();
    children.listed.clear();
    children.trials.clear();
    built_states.clear();
    let (queries, range) = block;
    let Queries {
        layer,
        parents,
        candidates,
    } = &**queries;
    for at in range.clone() {
        let start = game.work();
        let mut answer = Answer::default();
        if let Some(candidates) = candidates {
            let candidate = &candidates[at];
            let parent_layer = candidate.parent_layer as usize;
            let parents = &parents[parents.len() + parent_layer - layer];
            let parent = &parents[candidate.parent_index as usize].state;
            let child = game.build(parent_layer, parent, candidate.child.mv);
            answer.hash = game.hash(&child);
            answer.work = game.work() - start;
            game.evaluate(*layer, slice::from_ref(&child), built_states);
            answer.evaluation_work = game.work() - start - answer.work;
        } else {
            game.expand(*layer, &parents[0][at].state, threshold.get(), children);
            answer.ends = [children.listed.len(), children.trials.len()];
            answer.work = game.work() - start;
        }
        per_query.push(answer);
    }
}

/// The latest threshold of the search, shared between the threads. A thread may read a mixture of old and
/// new scores. No score falls while the search lists the children of a layer, so an old score can only be
/// too low, which costs time but does not change the result.
pub(super) struct Threshold<const Q: usize>(AtomicI32, [AtomicI32; Q]);

impl<const Q: usize> Threshold<Q> {
    fn new() -> Self {
        let zero = AtomicI32::default;
        Self(zero(), array::from_fn(|_| zero()))
    }

    pub(super) fn set(&self, scores: Scores<Q>) {
        self.0.store(scores.value, Ordering::Relaxed);
        for (number, score) in self.1.iter().zip(scores.quota_scores) {
            number.store(score, Ordering::Relaxed);
        }
    }

    fn get(&self) -> Scores<Q> {
        Scores {
            value: self.0.load(Ordering::Relaxed),
            quota_scores: array::from_fn(|at| self.1[at].load(Ordering::Relaxed)),
        }
    }
}

/// Passes the queries of a search to a team, and takes the answers. See the [module](self).
pub(super) struct Lookahead<'a, G: Game<Q>, const Q: usize> {
    team: Team<Block<G, Q>, AnswersOf<G, Q>>,
    threads: usize,
    /// A copy of the game, for the answers that the search's own thread computes.
    game: G,
    pub(super) threshold: &'a Threshold<Q>,
    /// The number of answers of the current block that the search has taken. `usize::MAX` if it
    /// has taken no block of the current batch yet.
    taken_answer_count: usize,
}

impl<G: Game<Q>, const Q: usize> Lookahead<'_, G, Q> {
    /// Offers queries about layer `layer` to the team, in blocks: to build and evaluate `candidates`, whose
    /// parents are `parents`, or to list the children of the only layer in `parents`.
    pub(super) fn offer(
        &mut self,
        layer: usize,
        parents: Vec<Arc<Vec<Survivor<G::State>>>>,
        candidates: Option<Arc<Vec<CandidateOf<G, Q>>>>,
    ) {
        let ([min, max], count) = match &candidates {
            Some(candidates) => (CHILDREN_PER_BLOCK, candidates.len()),
            None => (LISTS_PER_BLOCK, parents[0].len()),
        };
        let queries = Arc::new(Queries {
            layer,
            parents,
            candidates,
        });
        let (mut blocks, mut start) = (Vec::new(), 0);
        while start < count {
            let size = (count - start) / (BLOCKS_PER_THREAD * self.threads);
            let end = count.min(start + size.clamp(min, max));
            blocks.push((queries.clone(), start..end));
            start = end;
        }
        self.team.offer_batch(blocks);
        self.taken_answer_count = usize::MAX;
    }

    /// Returns the answers of the block that contains the next answer, and the index of that answer.
    fn next_answer(&mut self) -> (&AnswersOf<G, Q>, usize) {
        let Self {
            team,
            game,
            threshold,
            taken_answer_count,
            ..
        } = self;
        if *taken_answer_count >= team.last_answer().per_query.len() {
            team.take_answer(&mut |block, answers| answer_block(game, block, answers, threshold));
            *taken_answer_count = 0;
        }
        *taken_answer_count += 1;
        (team.last_answer(), *taken_answer_count - 1)
    }

    /// Takes the next list of children, and adds its work to `game`. `threshold` is the current threshold
    /// of the search.
    pub(super) fn take_list(
        &mut self,
        threshold: Scores<Q>,
        game: &mut G,
        list: &mut Children<G::Move, G::ListedHash, Q>,
    ) {
        self.threshold.set(threshold);
        let (
            Answers {
                per_query,
                children,
                ..
            },
            at,
        ) = self.next_answer();
        let start = at.checked_sub(1).map_or([0; 2], |at| per_query[at].ends);
        let Answer { ends, work, .. } = per_query[at];
        let listed = children.listed[start[0]..ends[0]].iter();
        let listed = listed.filter(|child| child.scores.exceeds_any(&threshold));
        list.listed.extend(listed);
        let trials = children.trials[start[1]..ends[1]].iter();
        let trials = trials.filter(|trial| trial.0.exceeds_any(&threshold));
        list.trials.extend(trials);
        game.add_work(work);
    }

    /// Takes the next child, built and evaluated.
    pub(super) fn take_child(&mut self) -> (Answer, &G::State) {
        let (answers, at) = self.next_answer();
        (answers.per_query[at], &answers.built_states[at])
    }
}
