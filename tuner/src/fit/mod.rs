//! Better weights by playing.
//!
//! * [`cma`]: CMA-ES, the search; [`space`]: what it searches;
//! * [`runner`]: generations of games, then the validation; [`outcome`]: what they come to;
//! * [`seeds`]: those it plays, and those that validate it;
//! * [`run`]: the folder of a run; [`record`]: the records of its journal;
//! * [`source`]: the result in the bot's own source.

pub mod cma;
pub mod outcome;
pub mod record;
pub mod run;
pub mod runner;
pub mod seeds;
pub mod source;
pub mod space;
