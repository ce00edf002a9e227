//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`player`]: weights and networks; [`contestant`]: who plays, these or any program;
//! * [`game`]: one game; [`executor`]: many;
//! * [`units`]: what is made large, and by how much one game is better than another;
//! * [`search`]: which players are tried next; [`experiment`]: from the first game to the verdict;
//! * [`stats`]: which of two is better;
//! * [`learn`]: data sets of states, and a small network that ranks them;
//! * [`report`]: a run as a page; `cluster`: games played by other machines, over a
//!   server ([`options`]);
//! * [`ledger`]: records that survive every stop, and that show every damage;
//! * [`digest`]: whether bytes are the same.

#[cfg(feature = "nats")]
pub mod cluster;
pub mod contestant;
pub mod digest;
pub mod executor;
pub mod experiment;
pub mod game;
pub mod learn;
pub mod ledger;
pub(crate) mod normal;
pub mod options;
pub mod player;
pub mod report;
pub mod search;
pub mod stats;
pub mod units;
