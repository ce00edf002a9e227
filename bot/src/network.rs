//! The learned evaluation of the Columns Game.

use crate::features::FEATURES;
use crate::trained::TRAINED;
use std::sync::OnceLock;

/// Pairs of features.
pub const PAIRS: usize = FEATURES / 2;

/// A network that says what a state is worth beside the weights.
pub type Network = columns_core::network::Network<PAIRS>;

/// The network in use, if there is one.
pub fn in_use() -> Option<&'static Network> {
    static NETWORK: OnceLock<Option<Box<Network>>> = OnceLock::new();
    NETWORK.get_or_init(|| Network::parse(TRAINED)).as_deref()
}
