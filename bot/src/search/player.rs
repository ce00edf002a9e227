//! A player: the weights and the networks that evaluate the states of a search.

use crate::eval::weights::Weights;
use crate::learned::networks::Networks;
use columns_core::beam::Settings;

/// The weights and the networks that evaluate a state.
#[derive(Debug, Clone, Copy)]
pub struct Player<'a> {
    /// The weights of the evaluation and the search.
    pub weights: &'a Weights,
    /// The learned evaluation, if there is one.
    pub network: Option<Networks<'a>>,
}

impl Player<'_> {
    /// Returns the settings of the player's beam.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            built_per_place: self.weights.built,
            max_children_per_parent: self.weights.siblings as usize,
            ..Settings::default()
        }
    }
}
