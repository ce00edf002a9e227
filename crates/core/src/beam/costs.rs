//! The costs of a search, counted in operations instead of time.

use std::ops::Add;

/// What a search has done so far. Unlike time, these numbers do not depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Costs {
    /// The number of states whose children were listed.
    pub expanded_states: u64,
    /// The number of children listed, whether or not they were built.
    pub listed_children: u64,
    /// The number of states built and evaluated, including the root.
    pub nodes: u64,
    /// The number of layers with at least one evaluated state, including the root's layer.
    pub layers: u64,
    /// The sum over all layers of n ⌊log₂ n⌋, where n is the number of states evaluated in the layer. It
    /// models the costs of sorting and of slower memory: a small layer fits into a cache, a large one only
    /// into RAM.
    pub sorting: u64,
    /// The [work](super::Game::work) that the game has counted, in the game's own unit.
    pub game_work: u64,
}

impl Costs {
    /// Counts a layer in which `states` states were evaluated.
    pub(super) fn add_layer(&mut self, states: usize) {
        if states > 0 {
            self.layers += 1;
            self.sorting += states as u64 * u64::from(states.ilog2());
        }
    }
}

impl Add for Costs {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            expanded_states: self.expanded_states + other.expanded_states,
            listed_children: self.listed_children + other.listed_children,
            nodes: self.nodes + other.nodes,
            layers: self.layers + other.layers,
            sorting: self.sorting + other.sorting,
            game_work: self.game_work + other.game_work,
        }
    }
}
