//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`player`]: weights and networks; [`contestant`]: who plays, these or any program;
//! * [`game`]: the result of a game; [`executor`]: many games; [`kept`]: games in a ledger;
//! * [`units`]: the objective, and the difference of two games in its unit;
//! * [`comparison`]: candidates against a base;
//! * [`search`]: which players are tried next; [`experiment`]: from the first game to the verdict;
//! * [`stats`]: which of two is better;
//! * [`learn`]: data sets of states, and a small network that ranks them;
//! * [`report`]: a run as a page; [`cluster`]: games played by other machines, over a server
//!   ([`options`]), all that needs NATS;
//! * [`ledger`]: records that survive every stop, and that show every damage;
//! * [`digest`]: whether bytes are the same.

#[cfg_attr(not(feature = "nats"), path = "cluster/absent.rs")]
pub mod cluster;
pub mod comparison;
pub mod contestant;
pub mod digest;
pub mod executor;
pub mod experiment;
pub mod game;
pub mod kept;
pub mod learn;
pub mod ledger;
pub(crate) mod normal;
pub mod options;
pub mod player;
pub mod report;
pub mod search;
pub mod stats;
pub mod units;
