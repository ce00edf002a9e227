//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`cma`]: the search for better weights;
//! * [`play`]: one game, and what it is worth.

pub mod cma;
pub mod play;
