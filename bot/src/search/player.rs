//! A player: the weights and the networks that evaluate the states of a search.

use crate::eval::weights::Weights;
use crate::learned::networks::Networks;
use crate::search::cores::Cores;
use columns_core::beam::Settings;

/// The weights and the networks that evaluate a state.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "tools", derive(Debug))]
pub struct Player<'a> {
    /// The weights of the evaluation and the search.
    pub weights: &'a Weights,
    /// The learned evaluation, if there is one.
    pub network: Option<Networks<'a>>,
}

impl Player<'_> {
    /// Returns the settings of the player's beam.
    #[allow(unused_variables)] // `cores` is used only with the feature `threads`
    pub(crate) fn settings(&self, cores: Cores) -> Settings {
        Settings {
            built_per_place: self.weights.built,
            max_children_per_parent: self.weights.siblings as usize,
            #[cfg(feature = "threads")]
            threads: cores.threads,
            ..Settings::default()
        }
    }
}
