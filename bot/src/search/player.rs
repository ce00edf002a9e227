//! A player: weights and networks, which value the states of a search.

use crate::eval::weights::Weights;
use crate::learned::networks::Networks;
use columns_core::beam::Settings;

/// A player: the weights and the networks that value a state.
#[derive(Debug, Clone, Copy)]
pub struct Player<'a> {
    /// The weights.
    pub weights: &'a Weights,
    /// The learned evaluation, if there is one.
    pub network: Option<Networks<'a>>,
}

impl Player<'_> {
    /// Returns the settings of its beam.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            built_per_place: self.weights.built,
            max_children_per_parent: self.weights.siblings as usize,
            ..Settings::default()
        }
    }
}
