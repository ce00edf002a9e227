//! Search observers, and explanations of moves.
//!
//! * [`work`]: counts the work of a search;
//! * [`meter`]: a clock that advances with the work done instead of with time;
//! * [`states`]: observes the states of a search, and plays rollouts from them;
//! * [`explain`]: explains the bot's moves to people.

pub mod explain;
pub mod meter;
pub mod states;
pub mod work;
