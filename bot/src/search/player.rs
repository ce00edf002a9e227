//! A player: the weights and the networks that evaluate the states of a search. And the part of the
//! machine that a search uses.

use crate::eval::weights::Weights;
use crate::learned::networks::Networks;
use columns_core::beam::Settings;
use columns_core::simd::Cpu;

/// The weights and the networks that evaluate a state.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "cli", derive(Debug))]
pub struct Player<'a> {
    /// The weights of the evaluation and the search.
    pub weights: &'a Weights,
    /// The learned evaluation, if there is one.
    pub network: Option<Networks<'a>>,
}

/// The part of the machine that a search uses. The plan does not depend on it, except under a time
/// limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cores {
    /// The instruction set.
    pub cpu: Cpu,
    /// The number of threads, 1 or more.
    #[cfg(feature = "threads")]
    pub threads: usize,
}

impl From<Cpu> for Cores {
    /// Uses one thread.
    fn from(cpu: Cpu) -> Self {
        Self {
            cpu,
            #[cfg(feature = "threads")]
            threads: 1,
        }
    }
}

impl Player<'_> {
    /// Returns the settings of the player's beam.
    #[allow(unused_variables)] // without the feature `threads`, `cores` is
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
