//! Search observers, and explanations of moves.
//!
//! * [`meter`]: limits a search by its work, not by a clock, so that every machine finds the same plan;
//! * [`states`]: observes the states of a search, and plays rollouts from them;
//! * [`explain`]: explains the bot's moves to people.

pub mod explain;
pub mod meter;
pub mod states;
