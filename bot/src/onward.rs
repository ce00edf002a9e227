//! A game from some layer on, as a game of its own.

use columns_core::beam::{Children, Domain, Node, Rank, RESERVES};

/// A game of which the first layers have been played already.
pub(crate) struct Onward<D> {
    /// The game.
    pub(crate) game: D,
    /// How many layers have been played.
    pub(crate) first: usize,
    /// The highest value in the last layer that had a state, whichever that is.
    pub(crate) value: i32,
}

impl<D> Onward<D> {
    /// The game from layer `first` on.
    pub(crate) fn new(game: D, first: usize) -> Self {
        Self {
            game,
            first,
            value: i32::MIN,
        }
    }
}

impl<D: Domain> Domain for Onward<D> {
    type State = D::State;
    type Op = D::Op;

    fn expand(&mut self, layer: usize, state: &Self::State, children: &mut Children<Self::Op>) {
        self.game.expand(self.first + layer, state, children);
    }

    fn build(&mut self, layer: usize, parent: &Self::State, op: Self::Op) -> Self::State {
        self.game.build(self.first + layer, parent, op)
    }

    fn hash(&self, state: &Self::State) -> u64 {
        self.game.hash(state)
    }

    fn evaluate(&mut self, layer: usize, states: &mut [Node<Self::State>]) {
        self.game.evaluate(self.first + layer, states);
    }

    fn rank(&self, state: &Self::State) -> Rank {
        self.game.rank(state)
    }

    fn score(&self, state: &Self::State) -> i64 {
        self.game.score(state)
    }

    fn reserves(&self, layer: usize) -> [f64; RESERVES] {
        self.game.reserves(self.first + layer)
    }

    fn survivors(&mut self, layer: usize, states: &[Node<Self::State>]) {
        self.game.survivors(self.first + layer, states);
        let values = states.iter().map(|node| self.game.rank(&node.state).value);
        self.value = values.max().unwrap_or(i32::MIN);
    }
}
