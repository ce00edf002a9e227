//! Search observers, and explanations of moves.
//!
//! * [`meter`]: a budget of work, which takes about as long as a budget of time;
//! * [`states`]: observes the states of a search, and plays rollouts from them;
//! * [`explain`]: explains the bot's moves to people.

pub mod explain;
pub mod meter;
pub mod states;
