//! A search for a better player, from its first game to the verdict.
//!
//! * [`config`]: all that decides the outcome; [`event`]: what happens; both are in the ledger;
//! * [`state`]: what the events have made of a run, and what comes next;
//! * [`run`]: a run that this process works on; `stages`, `rehearsal`: what is played; `work`: the
//!   loop over the stages; `change`: how much better one player did than another;
//! * [`outcome`]: the result of a run; [`folder`]: its files.

mod change;
pub mod config;
pub mod event;
pub mod folder;
pub mod outcome;
mod rehearsal;
pub mod run;
mod stages;
pub mod state;
mod work;
