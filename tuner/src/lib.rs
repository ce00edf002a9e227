//! Plays the bot against itself over many seeds, in this process.
//!
//! * [`cma`]: the search for better weights;
//! * [`play`]: one game, and what it is worth;
//! * [`sequential`]: a paired comparison that may be looked at after every pair.

pub mod cma;
pub mod play;
pub mod sequential;
