//! The candidates of the upcoming layers, and their parents.

use super::game::{Game, ListedChild, ListedHash, Survivor};
use super::hashes::Hashes;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

/// A child `C` that is listed but not built, with a reference to its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<C> {
    pub(super) child: C,
    pub(super) parent_layer: u32,
    /// The index of the parent in its layer.
    pub(super) parent_index: u32,
}

pub(super) type ListedChildOf<G, const Q: usize> =
    ListedChild<<G as Game<Q>>::Move, <G as Game<Q>>::ListedHash, Q>;

pub(super) type CandidateOf<G, const Q: usize> = Candidate<ListedChildOf<G, Q>>;

pub(super) type LayersOf<G, const Q: usize> =
    Layers<<G as Game<Q>>::State, <G as Game<Q>>::Memo, ListedChildOf<G, Q>>;

impl<M, H: ListedHash, const Q: usize> Candidate<ListedChild<M, H, Q>> {
    /// Inserts the hash of the built child. Returns true if the child is not a duplicate. If its hash was
    /// known when it was listed, the selection of the candidates has already dropped its duplicates.
    pub(super) fn is_new(&self, hash: u64, known: &mut Hashes) -> bool {
        self.child.hash.get().is_some() || known.insert(hash)
    }
}

/// The survivors of a layer, whose children are candidates for later layers, and the memos of these children.
/// Threads share both.
#[derive(Clone)]
pub(super) struct Parents<S, N> {
    pub(super) survivors: Arc<Vec<Survivor<S>>>,
    pub(super) memos: Arc<Vec<N>>,
}

impl<S: Copy, N: Copy> Parents<S, N> {
    /// Builds a child of these parents, and appends its state to `states`.
    pub(super) fn build<G: Game<Q, State = S, Memo = N>, const Q: usize>(
        &self,
        game: &mut G,
        candidate: &CandidateOf<G, Q>,
        states: &mut Vec<S>,
    ) {
        let memo = self.memos.get(candidate.child.memo as usize);
        let layer = candidate.parent_layer as usize;
        states.push(self.survivors[candidate.parent_index as usize].state);
        let at = states.len() - 1;
        game.build(layer, candidate.child.mv, memo, &mut states[at]);
    }
}

/// A recent layer.
struct RecentLayer<S, N> {
    parents: Parents<S, N>,
    /// For each survivor, the number of its children that the selection has considered.
    considered_counts: Vec<u32>,
    /// The last layer for which a child of these survivors can be a candidate.
    last_child_layer: usize,
}

/// The candidates of the upcoming layers, and the survivors that are their parents. The vectors are
/// reused from layer to layer, since allocation would cost time.
pub(super) struct Layers<S, N, C> {
    /// The candidates of each layer, the next layer first.
    candidates: VecDeque<Vec<Candidate<C>>>,
    /// The recent layers to which candidates still refer. The latest layer is last.
    recent: VecDeque<RecentLayer<S, N>>,
    /// The layer of the first entry of `recent`.
    oldest_layer: usize,
    spare_candidates: Vec<Candidate<C>>,
    spare_survivors: Vec<Survivor<S>>,
    spare_memos: Vec<N>,
}

impl<S: Copy, N: Copy, C> Layers<S, N, C> {
    pub(super) fn new() -> Self {
        Self {
            candidates: VecDeque::new(),
            recent: VecDeque::new(),
            oldest_layer: 0,
            spare_candidates: Vec::new(),
            spare_survivors: Vec::new(),
            spare_memos: Vec::new(),
        }
    }

    /// Adds a child of the state with index `parent` in `layer`, the latest layer. The child is
    /// `advance` layers later.
    pub(super) fn push_candidate(&mut self, layer: usize, parent: usize, advance: usize, child: C) {
        while self.candidates.len() < advance {
            let buffer = mem::take(&mut self.spare_candidates);
            self.candidates.push_back(buffer);
        }
        self.candidates[advance - 1].push(Candidate {
            child,
            parent_layer: layer as u32,
            parent_index: parent as u32,
        });
    }

    /// True if no upcoming layer has a candidate.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.iter().all(Vec::is_empty)
    }

    /// Stores the survivors of layer `layer` and the memos of their children while candidates refer to them:
    /// for the next `reach` layers. Leaves an empty vector in `memos`.
    pub(super) fn push_survivors(
        &mut self,
        layer: usize,
        survivors: Arc<Vec<Survivor<S>>>,
        memos: &mut Vec<N>,
        reach: usize,
    ) {
        let spare = mem::take(&mut self.spare_memos);
        self.recent.push_back(RecentLayer {
            considered_counts: vec![0; survivors.len()],
            parents: Parents {
                survivors,
                memos: Arc::new(mem::replace(memos, spare)),
            },
            last_child_layer: layer + reach,
        });
        let is_past = |recent: &RecentLayer<S, N>| recent.last_child_layer <= layer;
        while self.recent.front().is_some_and(is_past) {
            let Some(RecentLayer { parents, .. }) = self.recent.pop_front() else {
                break;
            };
            // If a worker still holds the vectors, their memory is not reused.
            self.spare_survivors = Arc::try_unwrap(parents.survivors).unwrap_or_default();
            self.spare_memos = Arc::try_unwrap(parents.memos).unwrap_or_default();
            self.spare_memos.clear();
        }
        self.oldest_layer = layer + 1 - self.recent.len();
    }

    /// Removes and returns the candidates of the next layer.
    pub(super) fn pop_candidates(&mut self) -> Vec<Candidate<C>> {
        self.candidates.pop_front().unwrap_or_default()
    }

    /// Takes back the vector that [`Layers::pop_candidates`] returned, to reuse its memory.
    pub(super) fn recycle_candidates(&mut self, mut candidates: Vec<Candidate<C>>) {
        candidates.clear();
        self.spare_candidates = candidates;
    }

    /// Returns an empty vector for survivors. It reuses the memory of an earlier layer.
    pub(super) fn survivor_buffer(&mut self) -> Vec<Survivor<S>> {
        let mut buffer = mem::take(&mut self.spare_survivors);
        buffer.clear();
        buffer
    }

    /// Returns the parent of a candidate.
    pub(super) fn parent(&self, candidate: &Candidate<C>) -> &Survivor<S> {
        &self.parents(candidate).survivors[candidate.parent_index as usize]
    }

    /// Returns the layer of a candidate's parent.
    pub(super) fn parents(&self, candidate: &Candidate<C>) -> &Parents<S, N> {
        &self.recent[candidate.parent_layer as usize - self.oldest_layer].parents
    }

    /// Counts a candidate that the selection considers. Returns the number of children of the same
    /// parent considered so far, including this one.
    pub(super) fn count_considered(&mut self, candidate: &Candidate<C>) -> usize {
        let recent = &mut self.recent[candidate.parent_layer as usize - self.oldest_layer];
        let considered = &mut recent.considered_counts[candidate.parent_index as usize];
        *considered += 1;
        *considered as usize
    }

    /// Returns the parents of each recent layer, the latest last.
    #[cfg(feature = "threads")]
    pub(super) fn recent_parents(&self) -> Vec<Parents<S, N>> {
        let recent = self.recent.iter();
        recent.map(|recent| recent.parents.clone()).collect()
    }
}
