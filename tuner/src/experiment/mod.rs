//! A search for a better player, from its first game to the verdict.
//!
//! * [`config`]: the configuration; [`run`]: a run in its folder;
//! * [`fit`]: the course of a run; [`stage`]: the results of its stages; [`state`]: the state between two
//!   stages; `seeds`: the seeds of each stage;
//! * `outcome`: the result of a run; [`folder`]: its files.

pub mod config;
pub mod fit;
pub mod folder;
mod outcome;
pub mod run;
mod seeds;
pub mod stage;
pub mod state;
