//! The upcoming layers: their candidates, and the parents of these candidates.

use super::game::{Listed, ListedHash, Node};
use super::selector::Scores;
use std::collections::VecDeque;

/// A child that is not built yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<M, H, const Q: usize> {
    pub(super) scores: Scores<Q>,
    /// The layer of the parent.
    pub(super) layer: u32,
    /// The index of the parent in its layer.
    parent: u32,
    pub(super) mv: M,
    pub(super) hash: H,
}

/// The candidates of the upcoming layers, and the survivors that they refer to. The vectors are
/// reused from layer to layer, since allocating them again would cost time.
pub(super) struct Layers<S, M, H, const Q: usize> {
    /// The candidates of each layer, the next layer first.
    candidates: VecDeque<Vec<Candidate<M, H, Q>>>,
    /// For each layer, the latest last: its survivors, and the last layer that has a child of one
    /// of them as a candidate.
    survivors: VecDeque<(Vec<Node<S>>, usize)>,
    /// The layer of the first entry of `survivors`.
    oldest: usize,
    spare_candidates: Vec<Candidate<M, H, Q>>,
    spare_survivors: Vec<Node<S>>,
}

impl<S, M: Copy, H: ListedHash, const Q: usize> Layers<S, M, H, Q> {
    pub(super) fn new() -> Self {
        Self {
            candidates: VecDeque::new(),
            survivors: VecDeque::new(),
            oldest: 0,
            spare_candidates: Vec::new(),
            spare_survivors: Vec::new(),
        }
    }

    /// Adds a child of the state with index `parent` in `layer`, which is the latest layer.
    #[inline]
    pub(super) fn push(&mut self, layer: usize, parent: usize, child: Listed<M, H, Q>) {
        while self.candidates.len() < child.advance as usize {
            let memory = std::mem::take(&mut self.spare_candidates);
            self.candidates.push_back(memory);
        }
        self.candidates[child.advance as usize - 1].push(Candidate {
            scores: child.scores,
            layer: layer as u32,
            parent: parent as u32,
            mv: child.mv,
            hash: child.hash,
        });
    }

    /// True if no upcoming layer has a candidate.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.iter().all(Vec::is_empty)
    }

    /// Keeps the survivors of layer `layer` while candidates refer to them: for the next `reach`
    /// layers.
    pub(super) fn keep(&mut self, layer: usize, survivors: Vec<Node<S>>, reach: usize) {
        self.survivors.push_back((survivors, layer + reach));
        for (survivors, until) in &mut self.survivors {
            if *until <= layer && !survivors.is_empty() {
                self.spare_survivors = std::mem::take(survivors);
            }
        }
        while matches!(self.survivors.front(), Some(&(_, until)) if until <= layer) {
            self.survivors.pop_front();
        }
        self.oldest = layer + 1 - self.survivors.len();
    }

    /// Removes and returns the candidates of the next layer.
    pub(super) fn next(&mut self) -> Vec<Candidate<M, H, Q>> {
        self.candidates.pop_front().unwrap_or_default()
    }

    /// Takes back the vector that [`Layers::next`] returned, to reuse its memory.
    pub(super) fn recycle(&mut self, mut candidates: Vec<Candidate<M, H, Q>>) {
        candidates.clear();
        self.spare_candidates = candidates;
    }

    /// Returns an empty vector for survivors, with memory of an earlier layer.
    pub(super) fn memory(&mut self) -> Vec<Node<S>> {
        let mut memory = std::mem::take(&mut self.spare_survivors);
        memory.clear();
        memory
    }

    /// Returns the layer of the candidate's parent, the parent, and the move.
    #[cfg(feature = "threads")]
    pub(super) fn origin(&self, candidate: &Candidate<M, H, Q>) -> (usize, &S, M) {
        let layer = candidate.layer as usize;
        let (survivors, _) = &self.survivors[layer - self.oldest];
        let parent = &survivors[candidate.parent as usize].state;
        (layer, parent, candidate.mv)
    }

    /// Returns the parent of a candidate.
    #[inline]
    pub(super) fn parent(&mut self, candidate: &Candidate<M, H, Q>) -> &mut Node<S> {
        let (survivors, _) = &mut self.survivors[candidate.layer as usize - self.oldest];
        &mut survivors[candidate.parent as usize]
    }
}
