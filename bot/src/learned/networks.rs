//! The learned evaluation of the Columns Game.

use super::{trained, trained_two};
use crate::eval::scaled::Value;
use crate::learned::features::{Describe, FEATURES};
use columns_core::simd::{Isa, Kernel};
use std::sync::OnceLock;

/// Pairs of features.
pub const PAIRS: usize = FEATURES / 2;

/// A network whose value is added to that of the hand-set evaluation.
pub type Network = columns_core::network::Mlp<PAIRS>;

/// The most colours for which the network for two colours is used. With so few nearly every
/// placement clears something, and what is good elsewhere is not good there.
pub const TWO: u8 = 2;

/// The networks, one of which values a state by the number of colours that come.
#[derive(Debug, Clone, Copy)]
pub struct Networks<'a> {
    /// The network for any number of colours.
    pub any: &'a Network,
    /// The network for two colours, if there is one.
    pub two: Option<&'a Network>,
}

impl<'a> Networks<'a> {
    /// One network for any number of colours.
    pub fn one(any: &'a Network) -> Self {
        Self { any, two: None }
    }

    /// The network for this many colours.
    #[inline(always)]
    pub fn of(self, colours: u8) -> &'a Network {
        self.two.filter(|_| colours <= TWO).unwrap_or(self.any)
    }
}

/// Computes the network's value of a state.
pub(crate) struct LearnedValue<'a> {
    /// The state.
    pub(crate) state: Describe<'a>,
    /// The network.
    pub(crate) network: &'a Network,
}

impl Kernel for LearnedValue<'_> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Value {
        Value(self.network.value(isa, &self.state.numbers()))
    }
}

/// True for each network in the sources that is of the bot's features. The bot plays without a
/// network that is not.
pub fn fit() -> [bool; 2] {
    [trained::TRAINED, trained_two::TRAINED_TWO].map(|text| Network::parse(text).is_some())
}

/// The networks in use; none if those in the sources are of other features.
pub fn in_use() -> Option<Networks<'static>> {
    static NETWORKS: OnceLock<[Option<Box<Network>>; 2]> = OnceLock::new();
    let texts = [trained::TRAINED, trained_two::TRAINED_TWO];
    let [any, two] = NETWORKS.get_or_init(|| texts.map(Network::parse));
    Some(Networks {
        any: any.as_deref()?,
        two: two.as_deref(),
    })
}
