//! A player: the weights and the networks of a search.

use crate::eval::weights::Weights;
use crate::learned::networks::Networks;
use columns_core::beam::Settings;

/// The weights and the networks that evaluate a state.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "tools", derive(Debug))]
pub struct Player<'a> {
    /// The weights of the evaluation and the search.
    pub weights: &'a Weights,
    /// The networks of the learned evaluation. Without them, only the hand-set evaluation counts.
    pub networks: Option<Networks<'a>>,
}

impl Player<'_> {
    /// Returns the settings of the player's beam.
    pub(crate) fn settings(&self) -> Settings {
        Settings::default()
            .with_built_per_place(self.weights.built_per_place)
            .with_max_children_per_parent(self.weights.max_siblings as usize)
    }
}
