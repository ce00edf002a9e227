//! The choice between the network for two colours and the network for any number of colours.

use super::{trained, trained_two};
use crate::eval::scaled::Value;
use crate::learned::features::{Describe, FEATURES};
use columns_core::simd::{Isa, Kernel};
use std::sync::OnceLock;

/// The number of pairs of features.
pub const PAIRS: usize = FEATURES / 2;

/// A network for the features of this game. The evaluation adds its value to the hand-set one.
pub type Network = columns_core::network::Mlp<PAIRS>;

/// The largest number of colours for which the two-colour network is used. With two colours nearly
/// every placement clears something, which is a different game.
pub const TWO_COLOURS: u8 = 2;

/// The networks. The number of upcoming colours decides which one evaluates a state.
#[derive(Debug, Clone, Copy)]
pub struct Networks<'a> {
    /// The network for any number of colours.
    pub any: &'a Network,
    /// The network for two colours, if there is one.
    pub two: Option<&'a Network>,
}

impl<'a> Networks<'a> {
    /// Uses one network for any number of colours.
    pub fn one(any: &'a Network) -> Self {
        Self { any, two: None }
    }

    /// Returns the network for this number of colours.
    #[inline(always)]
    pub fn for_colours(self, colours: u8) -> &'a Network {
        self.two
            .filter(|_| colours <= TWO_COLOURS)
            .unwrap_or(self.any)
    }
}

/// The kernel that computes the network's value of a state.
pub(crate) struct LearnedValue<'a> {
    /// The state to evaluate.
    pub(crate) state: Describe<'a>,
    /// The network that evaluates the state.
    pub(crate) network: &'a Network,
}

impl Kernel for LearnedValue<'_> {
    type Answer = Value;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Value {
        Value(self.network.value(isa, &self.state.numbers()))
    }
}

/// Returns which of the networks in the sources fit the bot's features: the one for any number of
/// colours, and the one for two. The bot plays without a network that does not fit.
pub fn fit() -> [bool; 2] {
    [trained::TRAINED, trained_two::TRAINED_TWO].map(|text| Network::parse(text).is_some())
}

/// Returns the networks in use, or `None` if the built-in network does not fit the features.
pub fn in_use() -> Option<Networks<'static>> {
    static NETWORKS: OnceLock<[Option<Box<Network>>; 2]> = OnceLock::new();
    let texts = [trained::TRAINED, trained_two::TRAINED_TWO];
    let [any, two] = NETWORKS.get_or_init(|| texts.map(Network::parse));
    Some(Networks {
        any: any.as_deref()?,
        two: two.as_deref(),
    })
}
