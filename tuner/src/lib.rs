//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`games`]: games, several at a time, and what they are worth;
//! * [`fit`]: better weights by playing; [`stats`]: which of two is better;
//! * [`learn`]: data sets of states, and a small network that ranks them;
//! * `report`: a run as a page; `cluster`: games played by other machines;
//! * [`ledger`]: records that survive every stop, and that show every damage;
//! * [`units`]: by how much one game is better than another;
//! * [`store`]: files that outlive every stop.

#[cfg(feature = "nats")]
pub mod cluster;
pub mod fit;
pub mod games;
pub mod learn;
pub mod ledger;
pub(crate) mod normal;
pub mod report;
pub mod stats;
pub mod store;
pub mod units;
