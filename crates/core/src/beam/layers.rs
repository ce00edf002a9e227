//! The candidates of the upcoming layers, and their parents.

use super::game::{Game, ListedChild, Survivor};
use std::collections::VecDeque;
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

/// The survivors of a layer, whose children are candidates for later layers.
struct Parents<S> {
    survivors: Arc<Vec<Survivor<S>>>,
    /// For each survivor, the number of its children that the selection has considered.
    considered_counts: Vec<u32>,
    /// The last layer for which a child of these survivors can be a candidate.
    last_child_layer: usize,
}

/// The candidates of the upcoming layers, and the survivors that are their parents. The vectors are
/// reused from layer to layer, since allocation would cost time.
pub(super) struct Layers<S, C> {
    /// The candidates of each layer, the next layer first.
    candidates: VecDeque<Vec<Candidate<C>>>,
    /// The survivors of each recent layer, while candidates refer to them. The latest layer is last.
    parents: VecDeque<Parents<S>>,
    /// The layer of the first entry of `parents`.
    oldest_layer: usize,
    spare_candidates: Vec<Candidate<C>>,
    spare_survivors: Vec<Survivor<S>>,
}

impl<S, C> Layers<S, C> {
    pub(super) fn new() -> Self {
        Self {
            candidates: VecDeque::new(),
            parents: VecDeque::new(),
            oldest_layer: 0,
            spare_candidates: Vec::new(),
            spare_survivors: Vec::new(),
        }
    }

    /// Adds a child of the state with index `parent` in `layer`, the latest layer. The child is
    /// `advance` layers later.
    pub(super) fn push_candidate(&mut self, layer: usize, parent: usize, advance: usize, child: C) {
        while self.candidates.len() < advance {
            let buffer = std::mem::take(&mut self.spare_candidates);
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

    /// Stores the survivors of layer `layer` while candidates refer to them: for the next `reach`
    /// layers.
    pub(super) fn push_survivors(
        &mut self,
        layer: usize,
        survivors: Arc<Vec<Survivor<S>>>,
        reach: usize,
    ) {
        self.parents.push_back(Parents {
            considered_counts: vec![0; survivors.len()],
            survivors,
            last_child_layer: layer + reach,
        });
        let is_past = |parents: &Parents<S>| parents.last_child_layer <= layer;
        while self.parents.front().is_some_and(is_past) {
            let past = self.parents.pop_front();
            // A worker may still hold the survivors.
            let survivors = past.and_then(|parents| Arc::into_inner(parents.survivors));
            self.spare_survivors = survivors.unwrap_or_default();
        }
        self.oldest_layer = layer + 1 - self.parents.len();
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
        let mut buffer = std::mem::take(&mut self.spare_survivors);
        buffer.clear();
        buffer
    }

    /// Returns the parent of a candidate.
    pub(super) fn parent(&self, candidate: &Candidate<C>) -> &Survivor<S> {
        let parents = &self.parents[candidate.parent_layer as usize - self.oldest_layer];
        &parents.survivors[candidate.parent_index as usize]
    }

    /// Returns the survivors of each recent layer, the latest last.
    #[cfg(feature = "threads")]
    pub(super) fn recent_survivors(&self) -> Vec<Arc<Vec<Survivor<S>>>> {
        let parents = self.parents.iter();
        parents.map(|parents| parents.survivors.clone()).collect()
    }

    /// Counts a candidate that the selection considers. Returns the number of children of the same
    /// parent considered so far, including this one.
    pub(super) fn count_considered(&mut self, candidate: &Candidate<C>) -> usize {
        let parents = &mut self.parents[candidate.parent_layer as usize - self.oldest_layer];
        let considered = &mut parents.considered_counts[candidate.parent_index as usize];
        *considered += 1;
        *considered as usize
    }
}
