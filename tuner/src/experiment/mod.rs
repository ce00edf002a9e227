//! A search for a better player, from its first game to the verdict.
//!
//! * [`config`]: all that decides the outcome; [`event`]: what happens; both are in the ledger;
//! * [`state`]: how far a run has come, and what comes next; [`run`]: what is done then;
//! * [`folder`]: the files of a run; [`outcome`]: what it came to;
//! * [`rehearsal`]: how much of a known loss a search recovers.

pub mod config;
pub mod event;
pub mod folder;
pub mod outcome;
pub mod rehearsal;
pub mod run;
pub mod state;
