//! The interface between a game and the beam search.

use super::selector::Scores;

/// A game that the beam search can play. `Q` is the number of quotas: parts of the beam that are filled by a
/// score other than the value. In a search on several threads, each thread has a copy of the game.
pub trait Game<const Q: usize>: Clone + Send {
    /// A state. The search copies a state, turns the copy into a child, and evaluates it.
    type State: Copy + Send + Sync;
    /// A move, which leads from a state to a child.
    type Move: Copy + Send + Sync;
    /// The hash of a listed child: `[u64; 1]`, or `[u64; 0]` if the hash is unknown until the child is built.
    /// Of several children with the same known hash, the search builds only one: the first that it chooses,
    /// by value or for a quota.
    type ListedHash: AsRef<[u64]> + Copy + Send + Sync;
    /// Data that a game computes to list a child, and would otherwise compute again to build it; `()` if
    /// none.
    type Memo: Copy + Send + Sync;

    /// True if the search passes thresholds to [`Game::expand`], so that the game lists only children that
    /// the search may still select. Every move must then advance by one layer. If false, each threshold is
    /// [`Scores::MIN`].
    const IS_SELECTIVE: bool = false;

    /// Lists those children of `state` that beat at least one of the scores in `threshold`. The state is in
    /// layer `layer`. The scores of a child must not depend on `threshold`.
    fn expand(
        &mut self,
        layer: usize,
        state: &Self::State,
        threshold: Scores<Q>,
        children: &mut Children<Self::Move, Self::ListedHash, Q, Self::Memo>,
    );

    /// Returns the work that this copy of the game has done so far, for the [`Costs`](super::Costs) of a
    /// search. The game chooses the unit. The default returns 0.
    fn work(&self) -> u64 {
        0
    }

    /// Turns `state`, a copy of a state of layer `layer`, into the child that `mv` leads to. `memo` is what
    /// [`Children::push_with_memo`] stored with the listed child, or `None` for a child without a memo.
    fn build(
        &mut self,
        layer: usize,
        mv: Self::Move,
        memo: Option<&Self::Memo>,
        state: &mut Self::State,
    );

    /// Returns a hash that identifies a child within its layer. If several children of a layer have the same
    /// hash, the search keeps only one of them. Called after `build`, before `evaluate`.
    fn hash(&self, child: &Self::State) -> u64;

    /// Evaluates states of layer `layer`: the root, or children that were built. Appends to `scores`, in the
    /// same order, the scores by which the states compete with the others of their layer.
    fn evaluate(&mut self, layer: usize, states: &mut [Self::State], scores: &mut Vec<Scores<Q>>);

    /// Returns the final score if the game ended in this state. The search returns the path to the
    /// survivor with the highest score. On a tie, the latest layer wins; within a layer, the survivor that
    /// was selected first.
    fn score(&self, state: &Self::State) -> i64;

    /// Returns each quota's share of the places in layer `layer`; the sum is at most 1. A quota with a share
    /// above 0 gets at least one place, if that leaves a place to fill by value.
    fn quota_shares(&self, layer: usize) -> [f64; Q];
}

/// An observer of a search. `()` observes nothing.
pub trait Observer<G: Game<Q>, const Q: usize> {
    /// Called after all states of a layer are evaluated, if there is at least one. The first call receives
    /// only the root.
    fn on_evaluated(
        &mut self,
        _game: &G,
        _layer: usize,
        _states: &[G::State],
        _scores: &[Scores<Q>],
    ) {
    }
    /// Called with the survivors of a layer. Survivors selected by value come first, from best to worst;
    /// survivors selected for the quotas follow. Not called for a layer without survivors.
    fn on_survived(
        &mut self,
        _game: &G,
        _layer: usize,
        _survivors: &[G::State],
        _scores: &[Scores<Q>],
    ) {
    }
    /// Receives the moves that lead from the root to the end of the game. The caller of the search calls this
    /// method, not the search itself.
    fn on_best_path(&mut self, _game: &mut G, _root: G::State, _path: &[G::Move]) {}
}

impl<G: Game<Q>, const Q: usize> Observer<G, Q> for () {}

/// A child that is listed but not built.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedChild<M, H, const Q: usize> {
    /// The index of the parent among the survivors of its layer, `advance` layers back.
    pub(super) parent: u32,
    /// The number of layers that the move advances, at least 1.
    pub(super) advance: u16,
    pub(super) mv: M,
    pub(super) scores: Scores<Q>,
    pub(super) hash: H,
    /// The index of the child's memo, or [`NO_MEMO`].
    pub(super) memo: u32,
}

/// The value of [`ListedChild::memo`] for a child without a memo.
pub(super) const NO_MEMO: u32 = u32::MAX;

/// The list to which [`Game::expand`] adds the children of a state.
#[derive(Debug)]
pub struct Children<M, H, const Q: usize, N = ()> {
    pub(super) listed: Vec<ListedChild<M, H, Q>>,
    /// The memos to which the listed children refer.
    pub(super) memos: Vec<N>,
    /// The index of the state whose children are added next.
    pub(super) parent: u32,
}

impl<M, H, const Q: usize, N> Default for Children<M, H, Q, N> {
    fn default() -> Self {
        Self {
            listed: Vec::new(),
            memos: Vec::new(),
            parent: 0,
        }
    }
}

impl<M: Copy, H: Copy, const Q: usize, N: Copy> Children<M, H, Q, N> {
    /// Adds the child that `mv` leads to, `advance` ≥ 1 layers after its parent.
    pub fn push(&mut self, advance: u16, mv: M, scores: Scores<Q>, hash: H) {
        self.listed.push(ListedChild {
            parent: self.parent,
            advance,
            mv,
            scores,
            hash,
            memo: NO_MEMO,
        });
    }

    /// Adds a child like [`push`](Self::push). If the search builds the child, it passes `memo` to
    /// [`Game::build`].
    pub fn push_with_memo(&mut self, advance: u16, mv: M, scores: Scores<Q>, hash: H, memo: N) {
        self.push(advance, mv, scores, hash);
        let last = self.listed.len() - 1;
        self.listed[last].memo = self.memos.len() as u32;
        self.memos.push(memo);
    }

    /// Removes all children and their memos. Keeps the allocated memory.
    pub fn clear(&mut self) {
        self.listed.clear();
        self.memos.clear();
    }

    /// Returns the moves listed so far, each with the scores and the memo of its child.
    pub fn iter(&self) -> impl Iterator<Item = (M, Scores<Q>, Option<&N>)> + '_ {
        let listed = self.listed.iter();
        listed.map(|child| (child.mv, child.scores, self.memos.get(child.memo as usize)))
    }
}
