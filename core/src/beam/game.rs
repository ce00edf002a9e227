//! A game, as the beam sees it.

use super::selector::Scores;

/// A game, as the beam sees it. `Q` is the number of its quotas: parts of the beam that are filled by other scores than
/// the value.
///
/// Several threads may ask it at the same time.
pub trait Game<const Q: usize>: Sync {
    /// A position that is evaluated.
    type State: Copy + Send + Sync;
    /// A position that is built and not evaluated yet.
    type Child: Send;
    /// A move.
    type Move: Copy + Send + Sync;
    /// What is known of a child's hash before it is built: `u64`, or `()` for nothing.
    type ListedHash: ListedHash;
    /// Memory that a thread keeps between two calls.
    type Scratch: Default + Send;

    /// True if [`Game::expand`] lists all children, whatever is required of them.
    const LISTS_ALL: bool = false;

    /// Lists the children of `parent`, which is in layer `layer`, that beat `required`. Returns the work that this took,
    /// in units of the game.
    fn expand(
        &self,
        scratch: &mut Self::Scratch,
        layer: usize,
        parent: &Self::State,
        required: &Scores<Q>,
        children: &mut Children<Self::Move, Self::ListedHash, Q>,
    ) -> u32;

    /// Makes the child that `mv` leads to from a state of layer `layer`.
    fn build(
        &self,
        scratch: &mut Self::Scratch,
        layer: usize,
        parent: &Self::State,
        mv: Self::Move,
    ) -> Self::Child;

    /// Two children of one layer with the same hash are taken for the same.
    fn hash(&self, child: &Self::Child) -> u64;

    /// Evaluates children, which are in layer `layer`, and adds their states in the same order.
    fn evaluate(&self, layer: usize, children: &[Self::Child], states: &mut Vec<Self::State>);

    /// The numbers by which the state competes with others of its layer.
    fn scores(&self, state: &Self::State) -> Scores<Q>;

    /// What the state would be worth if the game ended here: the search returns the path to the
    /// state where this is highest, of several the first of the latest layer.
    fn score(&self, state: &Self::State) -> i64;

    /// The share of layer `layer` that each quota fills, 0 to 1 together. The first that is not 0 gets
    /// a place wherever there are two, the second wherever there are three, and so on.
    fn quotas(&self, layer: usize) -> [f64; Q];
}

/// What is known of a child's hash before it is built.
pub trait ListedHash: Copy + Send + Sync {
    /// The hash, if it is known. Of equal children only the best is then built.
    fn get(self) -> Option<u64>;
}

impl ListedHash for () {
    #[inline]
    fn get(self) -> Option<u64> {
        None
    }
}

impl ListedHash for u64 {
    #[inline]
    fn get(self) -> Option<u64> {
        Some(self)
    }
}

/// An observer of a search. `()` observes nothing. The thread that called the search calls it, in an order that does not
/// depend on the number of threads.
pub trait Observer<G: Game<Q>, const Q: usize> {
    /// The children of `parents` states were listed, `listed` in all, with this work.
    fn expanded(&mut self, _parents: usize, _listed: usize, _work: u64) {}
    /// A state was built that is no duplicate.
    fn built(&mut self, _state: &G::State) {}
    /// All states of a layer were evaluated; there is at least one. The first layer is the root.
    fn evaluated<'s>(
        &mut self,
        _: &G,
        _layer: usize,
        _: impl ExactSizeIterator<Item = &'s G::State>,
    ) where
        G::State: 's,
    {
    }
    /// These of them survived, best first.
    fn survived<'s>(&mut self, _: &G, _layer: usize, _: impl Iterator<Item = &'s G::State>)
    where
        G::State: 's,
    {
    }
    /// The game is played: these moves lead from the root to its end. The caller invokes this after the search.
    fn played(&mut self, _: &G, _root: G::Child, _path: &[G::Move]) {}
}

impl<G: Game<Q>, const Q: usize> Observer<G, Q> for () {}

/// A child that is listed and not built.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<M, H> {
    /// The layer of its parent, and the parent's place in it.
    pub(super) layer: u32,
    pub(super) parent: u32,
    pub(super) mv: M,
    pub(super) hash: H,
}

/// Where [`Game::expand`] puts the children of one state.
#[derive(Debug)]
pub struct Children<M, H, const Q: usize> {
    /// By how many layers each advances, its scores, and the candidate.
    pub(super) listed: Vec<(u32, Scores<Q>, Candidate<M, H>)>,
    /// The layer of the parent, and the parent's place in it.
    pub(super) layer: u32,
    pub(super) parent: u32,
}

impl<M, H, const Q: usize> Default for Children<M, H, Q> {
    fn default() -> Self {
        Self {
            listed: Vec::new(),
            layer: 0,
            parent: 0,
        }
    }
}

impl<M, H, const Q: usize> Children<M, H, Q> {
    /// Adds the child that `mv` leads to, `advance` ≥ 1 layers further on.
    #[inline]
    pub fn push(&mut self, advance: u32, mv: M, scores: Scores<Q>, hash: H) {
        debug_assert!(advance >= 1);
        let candidate = Candidate {
            layer: self.layer,
            parent: self.parent,
            mv,
            hash,
        };
        self.listed.push((advance, scores, candidate));
    }

    /// The moves listed so far, each with the scores of its child.
    pub fn listed(&self) -> impl Iterator<Item = (M, Scores<Q>)> + '_
    where
        M: Copy,
        H: Copy,
    {
        let listed = self.listed.iter();
        listed.map(|&(_, scores, candidate)| (candidate.mv, scores))
    }
}
