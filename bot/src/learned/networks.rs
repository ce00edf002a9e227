//! The choice between the network for two colours and the network for any number of colours.

use crate::eval::scaled::Value;
use crate::learned::features::{FEATURE_COUNT, FeatureSource};
use columns_core::simd::{Isa, Kernel};
use std::sync::OnceLock;

/// The number of pairs of features. A network reads its features in pairs.
pub const FEATURE_PAIR_COUNT: usize = FEATURE_COUNT / 2;

/// A network for the features of this game. The evaluation adds the network's output to the hand-set value.
pub type Network = columns_core::network::Mlp<FEATURE_PAIR_COUNT>;

/// The maximum number of upcoming colours for which the two-colour network is used. With two colours, the
/// game is very different: nearly every placement clears something.
pub const TWO_COLOUR_NETWORK_MAX_COLOURS: u8 = 2;

/// The networks of the learned evaluation. The number of upcoming colours decides which of them evaluates
/// a state.
#[derive(Debug, Clone, Copy)]
pub struct Networks<'a> {
    /// The network for any number of colours.
    pub any_colours: &'a Network,
    /// The network for up to two upcoming colours. Without it, `any_colours` evaluates these states, too.
    pub two_colours: Option<&'a Network>,
}

impl<'a> Networks<'a> {
    /// Uses the network `any` for every number of colours.
    pub fn new(any: &'a Network) -> Self {
        Self {
            any_colours: any,
            two_colours: None,
        }
    }

    /// Returns the network for states with this number of upcoming colours.
    #[inline(always)]
    pub fn for_colour_count(self, count: u8) -> &'a Network {
        self.two_colours
            .filter(|_| count <= TWO_COLOUR_NETWORK_MAX_COLOURS)
            .unwrap_or(self.any_colours)
    }
}

pub(crate) struct LearnedValueKernel<'a> {
    pub(crate) feature_source: FeatureSource<'a>,
    pub(crate) network: &'a Network,
}

impl Kernel for LearnedValueKernel<'_> {
    type Output = Value;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Value {
        Value(
            self.network
                .compute_value(isa, &self.feature_source.compute_features()),
        )
    }
}

/// The built-in networks as text: the one for any number of colours, then the one for two colours. An empty
/// string means that there is no network.
const TEXTS: [&str; 2] = [include_str!("any.txt"), include_str!("two.txt")];

/// Parses a built-in network from the text of its file. Trims only line breaks, since a space at the end is
/// part of the encoding.
fn parse(text: &str) -> Option<Box<Network>> {
    Network::parse(text.trim_end_matches('\n'))
}

/// Parses the built-in networks: the one for any number of colours, then the one for two. Each result is
/// true if the network fits the bot's features. [`solve`](crate::solve) plays without a network that does
/// not fit, and without either if the first one does not fit.
pub fn built_in_networks_fit() -> [bool; 2] {
    TEXTS.map(|text| parse(text).is_some())
}

/// Returns the built-in networks. The first call parses them. Returns `None` if the network for any number of
/// colours does not fit the features.
pub fn built_in_networks() -> Option<Networks<'static>> {
    static NETWORKS: OnceLock<[Option<Box<Network>>; 2]> = OnceLock::new();
    let [any, two] = NETWORKS.get_or_init(|| TEXTS.map(parse));
    Some(Networks {
        any_colours: any.as_deref()?,
        two_colours: two.as_deref(),
    })
}
