//! Layers that are still to come: their candidates, and the states that these come from.

use super::game::{Candidate, ListedHash};
use super::selector::Scores;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

/// A state that has survived.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The place of the state, see [`Survivors::state`].
    pub(super) place: u32,
    /// The place of its move in the [`Arena`](super::arena::Arena).
    pub(super) path: u32,
}

/// The survivors of a layer, best first. Threads share them; the states stay in the chunks where they were made.
pub(super) struct Survivors<S> {
    pub(super) chunks: Vec<Vec<S>>,
    pub(super) nodes: Vec<Node>,
}

/// A chunk has at most 2^8 states.
const CHUNK_BITS: u32 = 8;
/// The most states of a chunk.
pub(super) const CHUNK: usize = 1 << CHUNK_BITS;

/// The place of a state by its chunk and its place in the chunk.
pub(super) fn place(chunk: usize, at: usize) -> u32 {
    (chunk << CHUNK_BITS | at) as u32
}

/// The state at a place.
#[inline]
pub(super) fn at<S>(chunks: &[Vec<S>], place: u32) -> &S {
    &chunks[place as usize >> CHUNK_BITS][place as usize % CHUNK]
}

impl<S> Default for Survivors<S> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            nodes: Vec::new(),
        }
    }
}

impl<S> Survivors<S> {
    /// The state of a survivor.
    #[inline]
    pub(super) fn state(&self, index: usize) -> &S {
        at(&self.chunks, self.nodes[index].place)
    }

    /// The states, best first.
    pub(super) fn states(&self) -> impl Iterator<Item = &S> + Clone {
        self.nodes.iter().map(|node| at(&self.chunks, node.place))
    }
}

/// The survivors of a layer, while candidates refer to them.
struct Generation<S> {
    survivors: Arc<Survivors<S>>,
    /// For each survivor: how many of its children have come up for selection, best first.
    considered: Vec<u32>,
    /// The last layer that has a candidate from there.
    until: usize,
}

/// The candidates of a layer, and their scores.
pub(super) struct Listed<M, H, const Q: usize> {
    pub(super) scores: Vec<Scores<Q>>,
    pub(super) candidates: Vec<Candidate<M, H>>,
}

impl<M, H, const Q: usize> Default for Listed<M, H, Q> {
    fn default() -> Self {
        Self {
            scores: Vec::new(),
            candidates: Vec::new(),
        }
    }
}

/// The candidates of the layers to come, and the survivors that they refer to. Its memory is kept from layer to layer:
/// to ask the system for it again would cost time.
pub(super) struct Layers<S, M, H, const Q: usize> {
    /// Candidates, those of the next layer first.
    listed: VecDeque<Listed<M, H, Q>>,
    /// Those of the latest layer last.
    generations: VecDeque<Generation<S>>,
    /// The layer of the first of `generations`.
    pub(super) oldest: usize,
    spare_listed: Listed<M, H, Q>,
    spare_considered: Vec<u32>,
    spare_nodes: Vec<Node>,
    /// Empty chunks.
    pub(super) spare_chunks: Vec<Vec<S>>,
}

impl<S, M: Copy, H: ListedHash, const Q: usize> Layers<S, M, H, Q> {
    pub(super) fn new() -> Self {
        Self {
            listed: VecDeque::new(),
            generations: VecDeque::new(),
            oldest: 0,
            spare_listed: Listed::default(),
            spare_considered: Vec::new(),
            spare_nodes: Vec::new(),
            spare_chunks: Vec::new(),
        }
    }

    /// Adds a candidate that advances by `advance` layers.
    #[inline(always)]
    pub(super) fn push(&mut self, advance: u32, scores: Scores<Q>, candidate: Candidate<M, H>) {
        while self.listed.len() < advance as usize {
            self.listed.push_back(mem::take(&mut self.spare_listed));
        }
        let listed = &mut self.listed[advance as usize - 1];
        listed.scores.push(scores);
        listed.candidates.push(candidate);
    }

    /// True if no layer to come has a candidate.
    pub(super) fn is_empty(&self) -> bool {
        self.listed.iter().all(|listed| listed.scores.is_empty())
    }

    /// Keeps the survivors of layer `layer` while candidates refer to them: for `reach` layers.
    pub(super) fn keep(&mut self, layer: usize, survivors: Arc<Survivors<S>>, reach: usize) {
        let mut considered = mem::take(&mut self.spare_considered);
        considered.clear();
        considered.resize(survivors.nodes.len(), 0);
        self.generations.push_back(Generation {
            survivors,
            considered,
            until: layer + reach,
        });
        while matches!(self.generations.front(), Some(oldest) if oldest.until <= layer) {
            if let Some(Generation {
                survivors,
                considered,
                ..
            }) = self.generations.pop_front()
            {
                self.spare_considered = considered;
                // A worker may hold them still; then the memory is lost.
                if let Ok(Survivors { chunks, nodes }) = Arc::try_unwrap(survivors) {
                    self.spare_chunks.extend(chunks);
                    self.spare_nodes = nodes;
                }
            }
        }
        self.oldest = layer + 1 - self.generations.len();
    }

    /// Takes the candidates of the next layer.
    pub(super) fn next(&mut self) -> Listed<M, H, Q> {
        self.listed.pop_front().unwrap_or_default()
    }

    /// Takes back what [`Layers::next`] gave.
    pub(super) fn recycle(&mut self, mut listed: Listed<M, H, Q>) {
        listed.scores.clear();
        listed.candidates.clear();
        self.spare_listed = listed;
    }

    /// An empty chunk.
    pub(super) fn chunk(&mut self) -> Vec<S> {
        let mut chunk = self.spare_chunks.pop().unwrap_or_default();
        chunk.clear();
        chunk
    }

    /// Memory for nodes.
    pub(super) fn nodes(&mut self) -> Vec<Node> {
        let mut nodes = mem::take(&mut self.spare_nodes);
        nodes.clear();
        nodes
    }

    /// All survivors that candidates refer to, from layer [`Layers::oldest`] on.
    pub(super) fn parents(&self) -> Vec<Arc<Survivors<S>>> {
        let all = self.generations.iter();
        all.map(|generation| Arc::clone(&generation.survivors))
            .collect()
    }

    /// Counts one more child of a candidate's parent that comes up for selection, and returns their number.
    #[inline]
    pub(super) fn consider(&mut self, candidate: &Candidate<M, H>) -> usize {
        let generation = &mut self.generations[candidate.layer as usize - self.oldest];
        let considered = &mut generation.considered[candidate.parent as usize];
        *considered += 1;
        *considered as usize
    }

    /// The place of a candidate's parent in the arena.
    #[inline]
    pub(super) fn path(&self, candidate: &Candidate<M, H>) -> u32 {
        let generation = &self.generations[candidate.layer as usize - self.oldest];
        generation.survivors.nodes[candidate.parent as usize].path
    }
}
