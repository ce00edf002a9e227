//! Search observers, and explanations of moves.
//!
//! * `work`: what a search has done; [`meter`]: a clock that shows it;
//! * [`watch`]: the states of a search, and rollouts from them;
//! * [`explain`]: why the bot likes what it likes, for people.

pub mod explain;
pub mod meter;
pub mod watch;
pub mod work;
