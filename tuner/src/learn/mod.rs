//! Learning to rank the states of a layer.
//!
//! * [`dataset`]: files of groups of states, of any game;
//! * [`columns`]: groups from games of the Columns Game;
//! * [`model`]: the small network, in real numbers;
//! * [`train`]: fitting it, and how well it ranks.

pub mod columns;
pub mod dataset;
pub mod model;
pub mod train;
