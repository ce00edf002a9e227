//! The upcoming layers: their candidates, and the parents of these candidates.

use super::game::Node;
use std::collections::VecDeque;

/// A child `C` that is listed but not built, and its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<C> {
    pub(super) child: C,
    /// The layer of the parent.
    pub(super) layer: u32,
    /// The index of the parent in its layer.
    parent: u32,
}

/// The candidates of the upcoming layers, and the survivors that they refer to. The vectors are
/// reused from layer to layer, since allocating them again would cost time.
pub(super) struct Layers<S, C> {
    /// The candidates of each layer, the next layer first.
    candidates: VecDeque<Vec<Candidate<C>>>,
    /// For each layer, the latest last: its survivors, and the last layer that has a child of one
    /// of them as a candidate.
    survivors: VecDeque<(Vec<Node<S>>, usize)>,
    /// The layer of the first entry of `survivors`.
    oldest: usize,
    spare_candidates: Vec<Candidate<C>>,
    spare_survivors: Vec<Node<S>>,
}

impl<S, C> Layers<S, C> {
    pub(super) fn new() -> Self {
        Self {
            candidates: VecDeque::new(),
            survivors: VecDeque::new(),
            oldest: 0,
            spare_candidates: Vec::new(),
            spare_survivors: Vec::new(),
        }
    }

    /// Adds a child of the state with index `parent` in `layer`, which is the latest layer. The
    /// child is `advance` layers later.
    #[inline]
    pub(super) fn push(&mut self, layer: usize, parent: usize, advance: usize, child: C) {
        while self.candidates.len() < advance {
            let memory = std::mem::take(&mut self.spare_candidates);
            self.candidates.push_back(memory);
        }
        self.candidates[advance - 1].push(Candidate {
            child,
            layer: layer as u32,
            parent: parent as u32,
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
    pub(super) fn next(&mut self) -> Vec<Candidate<C>> {
        self.candidates.pop_front().unwrap_or_default()
    }

    /// Takes back the vector that [`Layers::next`] returned, to reuse its memory.
    pub(super) fn recycle(&mut self, mut candidates: Vec<Candidate<C>>) {
        candidates.clear();
        self.spare_candidates = candidates;
    }

    /// Returns an empty vector for survivors, with memory of an earlier layer.
    pub(super) fn memory(&mut self) -> Vec<Node<S>> {
        let mut memory = std::mem::take(&mut self.spare_survivors);
        memory.clear();
        memory
    }

    /// Returns the parent of a candidate.
    #[inline]
    pub(super) fn parent(&mut self, candidate: &Candidate<C>) -> &mut Node<S> {
        let (survivors, _) = &mut self.survivors[candidate.layer as usize - self.oldest];
        &mut survivors[candidate.parent as usize]
    }
}
