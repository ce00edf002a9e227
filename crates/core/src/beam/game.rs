//! The interface between a game and the beam search.

use super::selector::Scores;

/// A game that the beam search can play. `Q` is the number of quotas: parts of the beam that are filled by a
/// score other than the value. In a search on several threads, each thread has a copy of the game.
pub trait Game<const Q: usize>: Clone + Send {
    /// An evaluated state, which the search can expand.
    type State: Copy + Send + Sync;
    /// A child that is built but not evaluated yet.
    type Child;
    /// A move, which leads from a state to a child.
    type Move: Copy + Send + Sync;
    /// The hash of a listed child: `u64`, or `()` if the hash is unknown until the child is built.
    type ListedHash: ListedHash;

    /// True if the search passes thresholds to [`Game::expand`], so that the game lists only children that
    /// the search may still select. Every move must then advance by one layer. If false, each threshold is
    /// [`Scores::MIN`].
    const IS_SELECTIVE: bool = false;

    /// Lists the children of `state`, a state of layer `layer`, that beat at least one of the scores in
    /// `threshold`. Neither the scores of a child nor the [work](Self::work) may depend on `threshold`. Work
    /// that does depend on it must be reported as a [trial](Children::add_trial).
    fn expand(
        &mut self,
        layer: usize,
        state: &Self::State,
        threshold: Scores<Q>,
        children: &mut Children<Self::Move, Self::ListedHash, Q>,
    );

    /// Returns the work that this copy of the game has done so far. The game chooses the unit.
    #[cfg(feature = "threads")]
    fn work(&self) -> u64 {
        0
    }

    /// Adds to the work of this copy: the work of a trial, or work that another copy has done.
    fn add_work(&mut self, _work: u64) {}

    /// Builds the child that `mv` leads to from `parent`, a state of layer `layer`.
    fn build(&mut self, layer: usize, parent: &Self::State, mv: Self::Move) -> Self::Child;

    /// Returns a hash that identifies the child within its layer. The search drops all but one of the
    /// children of a layer that have equal hashes.
    fn hash(&self, child: &Self::Child) -> u64;

    /// Evaluates children of layer `layer`, and appends their states to `states` in the same order.
    fn evaluate(&mut self, layer: usize, children: &[Self::Child], states: &mut Vec<Self::State>);

    /// Returns the scores by which the state competes with the other states of its layer.
    fn scores(&self, state: &Self::State) -> Scores<Q>;

    /// Returns the final score if the game ended in this state. The search returns the path to the
    /// survivor with the highest score. On a tie, the latest layer wins; within a layer, the survivor that
    /// was selected first.
    fn score(&self, state: &Self::State) -> i64;

    /// Returns the share of the places of layer `layer` that each quota gets; the sum is at most 1. A quota
    /// with a share above 0 gets at least one place, as long as one place remains for the value.
    fn quota_shares(&self, layer: usize) -> [f64; Q];
}

/// The hash of a listed child, which may be unknown until the child is built.
pub trait ListedHash: Copy + Send + Sync {
    /// Returns the hash if it is known. Of several children with the same known hash, the search builds
    /// only one: the first that it chooses, by value or for a quota.
    fn get(self) -> Option<u64>;
}

impl ListedHash for () {
    fn get(self) -> Option<u64> {
        None
    }
}

impl ListedHash for u64 {
    fn get(self) -> Option<u64> {
        Some(self)
    }
}

/// An observer of a search. `()` observes nothing.
pub trait Observer<G: Game<Q>, const Q: usize> {
    /// Called after `_states` states of a layer are expanded; `_listed` of their children are listed.
    fn on_expanded(&mut self, _game: &G, _states: usize, _listed: u64) {}
    /// Called after a batch of children is built. `_evaluated` of them were not duplicates and are
    /// now evaluated.
    fn on_built(&mut self, _game: &G, _evaluated: usize) {}
    /// Called after all states of a layer are evaluated, if there is at least one. The first call
    /// gets the root alone.
    fn on_evaluated(&mut self, _game: &G, _layer: usize, _states: &[G::State]) {}
    /// Called with the states of a layer that survived: those selected by value, best first, then those of
    /// the quotas. Not called for a layer without survivors.
    fn on_survived(&mut self, _game: &G, _layer: usize, _survivors: &[Survivor<G::State>]) {}
    /// Receives the moves that lead from the root to the end of the game. The caller of the search
    /// makes this call, not the search.
    fn on_played(&mut self, _game: &mut G, _root: G::Child, _path: &[G::Move]) {}
}

impl<G: Game<Q>, const Q: usize> Observer<G, Q> for () {}

/// A state that survived the selection of its layer.
#[derive(Debug, Clone, Copy)]
pub struct Survivor<S> {
    /// The state itself, a [`Game::State`].
    pub state: S,
    /// The index of the state in the path arena.
    pub(super) path_index: u32,
}

/// A child that is listed but not built.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedChild<M, H, const Q: usize> {
    /// The number of layers that the move advances, at least 1.
    pub(super) advance: u32,
    pub(super) mv: M,
    pub(super) scores: Scores<Q>,
    pub(super) hash: H,
}

/// The list to which [`Game::expand`] adds the children of a state.
#[derive(Debug)]
pub struct Children<M, H, const Q: usize> {
    pub(super) listed: Vec<ListedChild<M, H, Q>>,
    /// The scores and the work of each trial, see [`Children::add_trial`].
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
    /// Adds the child that `mv` leads to, `advance` ≥ 1 layers after its parent.
    pub fn push(&mut self, advance: u32, mv: M, scores: Scores<Q>, hash: H) {
        debug_assert!(advance >= 1);
        self.listed.push(ListedChild {
            advance,
            mv,
            scores,
            hash,
        });
    }

    /// Adds a trial: work that was done only because `scores`, an estimate for a child, beat the
    /// threshold.
    #[inline(never)] // rare, and the kernels that call it must stay small
    pub fn add_trial(&mut self, scores: Scores<Q>, work: u32) {
        self.trials.push((scores, work));
    }

    /// Removes the trials, and returns their total work.
    pub fn take_trial_work(&mut self) -> u64 {
        self.trials.drain(..).map(|trial| u64::from(trial.1)).sum()
    }

    /// Returns the moves listed so far, each with the scores of its child.
    pub fn moves_and_scores(&self) -> impl Iterator<Item = (M, Scores<Q>)> + '_
    where
        M: Copy,
    {
        self.listed.iter().map(|child| (child.mv, child.scores))
    }
}
