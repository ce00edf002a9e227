//! The candidates of the upcoming layers, and their parents.

use super::game::{Game, ListedChild};
use super::hashes::Hashes;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

/// A child that is listed for an upcoming layer.
pub(super) type Candidate<G, const Q: usize> =
    ListedChild<<G as Game<Q>>::Move, <G as Game<Q>>::ListedHash, Q>;

impl<M, H: AsRef<[u64]>, const Q: usize> ListedChild<M, H, Q> {
    /// Inserts the hash of the built child into `known_hashes`. Returns true if the child is not a
    /// duplicate. If the hash was known when the child was listed, returns true without inserting it, since
    /// `Beam::choose` has already dropped the duplicates.
    pub(super) fn is_new(&self, hash: u64, known_hashes: &mut Hashes) -> bool {
        !self.hash.as_ref().is_empty() || known_hashes.insert(hash)
    }
}

/// The survivors of a layer, whose children are candidates for later layers, and the memos of these children.
/// Threads share both.
#[derive(Clone)]
pub(super) struct Parents<G: Game<Q>, const Q: usize> {
    pub(super) survivors: Arc<Vec<G::State>>,
    pub(super) memos: Arc<Vec<G::Memo>>,
}

impl<G: Game<Q>, const Q: usize> Parents<G, Q> {
    /// Builds a child of these parents for layer `layer`, and appends its state to `states`.
    pub(super) fn build(
        &self,
        game: &mut G,
        layer: usize,
        candidate: &Candidate<G, Q>,
        states: &mut Vec<G::State>,
    ) {
        let memo = self.memos.get(candidate.memo as usize);
        states.push(self.survivors[candidate.parent as usize]);
        let (at, parent_layer) = (states.len() - 1, layer - candidate.advance as usize);
        game.build(parent_layer, candidate.mv, memo, &mut states[at]);
    }
}

/// A layer whose survivors may still have children among the candidates.
struct RecentLayer<G: Game<Q>, const Q: usize> {
    parents: Parents<G, Q>,
    /// The path index of the first survivor. The entries of the other survivors follow in the path arena.
    first_path_index: u32,
    /// For each survivor, the number of its children that the selection has considered.
    considered_counts: Vec<u32>,
    /// The last layer for which a child of these survivors can be a candidate.
    last_child_layer: usize,
}

/// The candidates of the upcoming layers, and the survivors that are their parents. The vectors are
/// reused from layer to layer, since allocation would cost time.
pub(super) struct Layers<G: Game<Q>, const Q: usize> {
    /// The candidates of each layer, the next layer first.
    candidates: VecDeque<Vec<Candidate<G, Q>>>,
    /// The recent layers to which candidates still refer. The latest layer is last.
    recent: VecDeque<RecentLayer<G, Q>>,
    spare_candidates: Vec<Candidate<G, Q>>,
    /// An empty vector for the survivors of a layer.
    pub(super) spare_survivors: Vec<G::State>,
    spare_memos: Vec<G::Memo>,
}

impl<G: Game<Q>, const Q: usize> Layers<G, Q> {
    pub(super) fn new() -> Self {
        Self {
            candidates: VecDeque::new(),
            recent: VecDeque::new(),
            spare_candidates: Vec::new(),
            spare_survivors: Vec::new(),
            spare_memos: Vec::new(),
        }
    }

    /// Adds a child of the latest layer to the candidates of the layer that is `child.advance` layers later.
    pub(super) fn push_candidate(&mut self, child: Candidate<G, Q>) {
        let advance = child.advance as usize;
        while self.candidates.len() < advance {
            let buffer = mem::take(&mut self.spare_candidates);
            self.candidates.push_back(buffer);
        }
        self.candidates[advance - 1].push(child);
    }

    /// Moves `candidates` to the next layer, which has none so far. Leaves an empty vector in their place.
    pub(super) fn swap_candidates(&mut self, candidates: &mut Vec<Candidate<G, Q>>) {
        let spare = mem::take(&mut self.spare_candidates);
        self.candidates.push_front(mem::replace(candidates, spare));
    }

    /// True if no upcoming layer has a candidate.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.iter().all(Vec::is_empty)
    }

    /// Keeps the survivors of layer `layer` and the memos of their children for the next `reach` layers, in
    /// which candidates may still refer to them. Leaves an empty vector in `memos`.
    pub(super) fn push_survivors(
        &mut self,
        layer: usize,
        survivors: Arc<Vec<G::State>>,
        first_path_index: u32,
        memos: &mut Vec<G::Memo>,
        reach: usize,
    ) {
        let memos = mem::replace(memos, mem::take(&mut self.spare_memos));
        self.recent.push_back(RecentLayer {
            first_path_index,
            considered_counts: vec![0; survivors.len()],
            parents: Parents {
                survivors,
                memos: Arc::new(memos),
            },
            last_child_layer: layer + reach,
        });
        while let Some(oldest) = self.recent.pop_front() {
            if oldest.last_child_layer > layer {
                self.recent.push_front(oldest);
                break;
            }
            self.spare_survivors = reclaim(oldest.parents.survivors);
            self.spare_memos = reclaim(oldest.parents.memos);
        }
    }

    /// Removes and returns the candidates of the next layer.
    pub(super) fn pop_candidates(&mut self) -> Vec<Candidate<G, Q>> {
        self.candidates.pop_front().unwrap_or_default()
    }

    /// Takes back the vector that [`Layers::pop_candidates`] returned, to reuse its memory.
    pub(super) fn recycle_candidates(&mut self, mut candidates: Vec<Candidate<G, Q>>) {
        candidates.clear();
        self.spare_candidates = candidates;
    }

    /// Returns the survivors of the layer that contains the candidate's parent, and the memos of their
    /// children.
    pub(super) fn parents(&self, candidate: &Candidate<G, Q>) -> &Parents<G, Q> {
        &self.recent[self.position(candidate)].parents
    }

    /// Returns the path index of a candidate's parent.
    pub(super) fn parent_path_index(&self, candidate: &Candidate<G, Q>) -> u32 {
        let first_path_index = self.recent[self.position(candidate)].first_path_index;
        first_path_index.wrapping_add(candidate.parent)
    }

    /// Counts a candidate that the selection considers. Returns the number of children of the same
    /// parent considered so far, including this one.
    pub(super) fn count_considered(&mut self, candidate: &Candidate<G, Q>) -> usize {
        let position = self.position(candidate);
        let considered = &mut self.recent[position].considered_counts[candidate.parent as usize];
        *considered += 1;
        *considered as usize
    }

    /// Returns the position in `recent` of the layer that contains a candidate's parent.
    fn position(&self, candidate: &Candidate<G, Q>) -> usize {
        self.recent.len() - candidate.advance as usize
    }

    /// Returns the parents of each recent layer, the latest last.
    #[cfg(feature = "threads")]
    pub(super) fn recent_parents(&self) -> Vec<Parents<G, Q>> {
        let recent = self.recent.iter();
        recent.map(|recent| recent.parents.clone()).collect()
    }
}

/// Returns the vector without its elements, or a new one if a worker still holds the vector.
fn reclaim<T>(shared: Arc<Vec<T>>) -> Vec<T> {
    let mut vector = Arc::try_unwrap(shared).unwrap_or_default();
    vector.clear();
    vector
}
