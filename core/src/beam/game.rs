//! A game, as the beam sees it.

use super::selector::Scores;

/// A game, as the beam sees it. `Q` is the number of its quotas: parts of the beam that are filled
/// by other scores than the value.
pub trait Game<const Q: usize> {
    /// A position that is evaluated.
    type State: Copy + Send;
    /// A position that is built and not evaluated yet.
    type Child;
    /// A move.
    type Move: Copy + Send;
    /// What is known of a child's hash before it is built: `u64`, or `()` for nothing.
    type ListedHash: ListedHash;

    /// Called before the states of a layer are expanded. About `places` of their children will be
    /// chosen, so a game may keep from listing others.
    fn begin_layer(&mut self, _layer: usize, _places: usize, _states: &[Node<Self::State>]) {}

    /// Lists the children of `state`, which is in layer `layer`, that may be chosen.
    fn expand(
        &mut self,
        layer: usize,
        state: &Self::State,
        children: &mut Children<Self::Move, Self::ListedHash, Q>,
    );

    /// Called before children of layer `layer` are built: those of these parents, each with its
    /// layer and a move, in this order.
    #[cfg(feature = "threads")]
    fn begin_building<'s>(
        &mut self,
        _layer: usize,
        _children: impl ExactSizeIterator<Item = (usize, &'s Self::State, Self::Move)>,
    ) where
        Self::State: 's,
    {
    }

    /// Makes the child that `mv` leads to from a state of layer `layer`.
    fn build(&mut self, layer: usize, parent: &Self::State, mv: Self::Move) -> Self::Child;

    /// Two children of one layer with the same hash are taken for the same.
    fn hash(&self, child: &Self::Child) -> u64;

    /// Evaluates children, which are in layer `layer`, and adds their states in the same order.
    fn evaluate(&mut self, layer: usize, children: &[Self::Child], states: &mut Vec<Self::State>);

    /// The numbers by which the state competes with others of its layer.
    fn scores(&self, state: &Self::State) -> Scores<Q>;

    /// What the state would be worth if the game ended here: the search returns the path to the
    /// state where this is highest, of several the first of the latest layer.
    fn score(&self, state: &Self::State) -> i64;

    /// The share of layer `layer` that each quota fills, 0 to 1 together. The first that is not 0
    /// gets a place wherever there are two, the second wherever there are three, and so on.
    fn quotas(&self, layer: usize) -> [f64; Q];
}

/// What is known of a child's hash before it is built.
pub trait ListedHash: Copy + Send {
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

/// An observer of a search. `()` observes nothing.
pub trait Observer<G: Game<Q>, const Q: usize> {
    /// The children of a state were listed.
    fn expanded(&mut self, _game: &G, _listed: usize) {}
    /// Children were built, and so many of them, which are no duplicates, evaluated.
    fn built(&mut self, _game: &G, _evaluated: usize) {}
    /// All states of a layer were evaluated; there is at least one. The first layer is the root.
    fn evaluated(&mut self, _game: &G, _layer: usize, _states: &[G::State]) {}
    /// These of them survived, best first.
    fn survived(&mut self, _game: &G, _layer: usize, _states: &[Node<G::State>]) {}
    /// The game is played: these moves lead from the root to its end. Called by who searches.
    fn played(&mut self, _game: &mut G, _root: G::Child, _path: &[G::Move]) {}
}

impl<G: Game<Q>, const Q: usize> Observer<G, Q> for () {}

/// A state that has survived.
#[derive(Debug, Clone, Copy)]
pub struct Node<S> {
    /// The state.
    pub state: S,
    /// Its place in the path arena.
    pub(super) path: u32,
    /// How many of its children have come up for selection, best first.
    pub(super) children_considered: u32,
}

/// A child that is listed and not built.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed<M, H, const Q: usize> {
    /// By how many layers it advances.
    pub(super) advance: u32,
    pub(super) mv: M,
    pub(super) scores: Scores<Q>,
    pub(super) hash: H,
}

/// Where [`Game::expand`] puts the children of one state.
#[derive(Debug)]
pub struct Children<M, H, const Q: usize> {
    pub(super) listed: Vec<Listed<M, H, Q>>,
    /// The work of each trial, and the scores that were required for it.
    pub(super) trials: Vec<(Scores<Q>, u32)>,
}

impl<M, H, const Q: usize> Default for Children<M, H, Q> {
    fn default() -> Self {
        Self {
            listed: Vec::new(),
            trials: Vec::new(),
        }
    }
}

impl<M, H, const Q: usize> Children<M, H, Q> {
    /// Adds the child that `mv` leads to, `advance` ≥ 1 layers further on.
    #[inline]
    pub fn push(&mut self, advance: u32, mv: M, scores: Scores<Q>, hash: H) {
        debug_assert!(advance >= 1);
        self.listed.push(Listed {
            advance,
            mv,
            scores,
            hash,
        });
    }

    /// Adds work that is only done because `scores`, an estimate of a child, beat those required.
    #[inline(never)] // rare, and the kernels that call it shall stay small
    pub fn add_trial(&mut self, scores: Scores<Q>, work: u32) {
        self.trials.push((scores, work));
    }

    /// Removes the trials, and returns their work.
    #[inline]
    pub fn take_trials(&mut self) -> u64 {
        self.trials.drain(..).map(|trial| u64::from(trial.1)).sum()
    }

    /// The moves listed so far, each with the scores of its child.
    pub fn listed(&self) -> impl Iterator<Item = (M, Scores<Q>)> + '_
    where
        M: Copy,
    {
        self.listed.iter().map(|child| (child.mv, child.scores))
    }

    /// The scores of those listed so far.
    #[inline]
    pub fn scores(&self) -> impl Iterator<Item = &Scores<Q>> {
        self.listed.iter().map(|child| &child.scores)
    }
}
