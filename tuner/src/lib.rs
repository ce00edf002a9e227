//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`play`]: one game, and what it is worth.

pub mod play;
