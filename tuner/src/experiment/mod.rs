//! A search for a better player, from its first game to the verdict.
//!
//! * [`config`]: the configuration; [`event`]: the events; the ledger holds both;
//! * [`state`]: the state after some events, and the next step;
//! * [`run`]: a run in progress; `stages`: the loop over the stages, and the stages of a fit; `seeds`: the seeds of each stage;
//! * `outcome`: the result of a run; [`folder`]: its files.

pub mod config;
pub mod event;
pub mod folder;
mod outcome;
pub mod run;
mod seeds;
mod stages;
pub mod state;
