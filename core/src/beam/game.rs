//! A game, as the beam sees it.

use super::selector::{Scores, QUOTAS};

/// A game, as the beam sees it.
pub trait Game {
    /// All that is known of a position.
    type State: Copy;
    /// A move.
    type Move: Copy;

    /// Lists the children of `state`, which is in layer `layer`, that may be chosen.
    fn expand(&mut self, layer: usize, state: &Self::State, children: &mut Children<Self::Move>);

    /// Makes the child that `mv` leads to, not evaluated yet.
    fn build(&mut self, layer: usize, parent: &Self::State, mv: Self::Move) -> Self::State;

    /// Two states of one layer with the same hash are taken for the same.
    fn hash(&self, state: &Self::State) -> u64;

    /// Evaluates built states of layer `layer`.
    fn evaluate(&mut self, layer: usize, states: &mut [Node<Self::State>]);

    /// The numbers by which the state competes with others of its layer.
    fn scores(&self, state: &Self::State) -> Scores;

    /// What the state would be worth if the game ended here: the search returns the
    /// path to the state where this is highest, of several the first of the latest layer.
    fn score(&self, state: &Self::State) -> i64;

    /// The shares of layer `layer`, 0 to 1 together, that are filled by
    /// [`Scores::quotas`]. One that is not 0 gets a place wherever there are two.
    fn quotas(&self, _layer: usize) -> [f64; QUOTAS] {
        [0.0; QUOTAS]
    }

    /// Called with the survivors of every layer, best first.
    fn survivors(&mut self, _layer: usize, _states: &[Node<Self::State>]) {}
}

/// A state in the beam.
#[derive(Debug, Clone, Copy)]
pub struct Node<S> {
    /// The state.
    pub state: S,
    /// Its place in the path arena, once it has survived; before, its parent's.
    pub(super) path: u32,
    /// How many of its children have survived.
    pub(super) children_considered: u32,
}

/// Where [`Game::expand`] puts children.
#[derive(Debug)]
pub struct Children<Move> {
    /// By how many layers each advances, its move and its scores.
    pub(super) found: Vec<(u32, Move, Scores)>,
    /// One for each of `found`, or none at all.
    pub(super) hashes: Vec<u64>,
    /// What a child in the next layer has to beat, as far as is known from those listed before.
    pub(super) threshold: Scores,
}

impl<Move> Children<Move> {
    /// Whether a child in the next layer with these scores may be chosen, as far as is known. One
    /// that may not be chosen need not be listed.
    #[inline]
    pub fn admits(&self, scores: &Scores) -> bool {
        scores.beats(&self.threshold)
    }

    /// How many children of the present state are listed so far.
    #[inline]
    pub fn listed(&self) -> usize {
        self.found.len()
    }

    /// Adds the child that `mv` leads to, `advance` ≥ 1 layers further on.
    #[inline]
    pub fn push(&mut self, advance: u32, mv: Move, scores: Scores) {
        debug_assert!(advance >= 1);
        debug_assert!(self.hashes.is_empty());
        self.found.push((advance, mv, scores));
    }

    /// As [`Children::push`], for a game that knows the child's [`Game::hash`] without building
    /// it: of equal children only the best is then built. Such a game must list all its children
    /// this way.
    #[inline]
    pub fn push_hashed(&mut self, advance: u32, mv: Move, scores: Scores, hash: u64) {
        debug_assert!(advance >= 1);
        self.found.push((advance, mv, scores));
        self.hashes.push(hash);
        debug_assert_eq!(self.found.len(), self.hashes.len());
    }
}
