//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`play`]: one game, and what it is worth;
//! * [`learn`]: a small network that ranks states.

pub mod learn;
pub mod play;
