//! Plays the bot against itself over many seeds, in this process.
//!
//! Games:
//! * [`play`]: one game, and what it is worth; [`objective`]: what many are worth;
//! * [`batch`]: many games, and who plays them; [`pool`]: several at a time;
//! * [`behaviour`]: whether two builds play alike.
//!
//! Comparing:
//! * [`sequential`]: pairs of games that may be looked at after every pair.
//!
//! Learning:
//! * [`learn`]: data sets of states, and a small network that ranks them.
//!
//! Searching:
//! * [`cma`]: CMA-ES, the search; [`space`]: what it searches;
//! * [`fit`]: generations of games, then the validation; [`mod@result`]: what they come to;
//! * [`seeds`]: those it plays, and those that validate it;
//! * [`source`]: the result in the bot's own source.
//!
//! Runs that survive every stop:
//! * [`run`]: the folder; [`journal`]: a file of records; [`record`]: the records of a fit;
//! * [`report`]: a run as a page;
//! * [`digest`], [`clock`], `normal`: what these need.

pub mod batch;
pub mod behaviour;
pub mod clock;
#[cfg(feature = "nats")]
pub mod cluster;
pub mod cma;
pub mod digest;
pub mod fit;
pub mod journal;
pub mod learn;
pub(crate) mod normal;
pub mod objective;
pub mod play;
pub mod pool;
pub mod record;
pub mod report;
pub mod result;
pub mod run;
pub mod seeds;
pub mod sequential;
pub mod source;
pub mod space;
