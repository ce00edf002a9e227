//! Fitting the weights of the evaluation by playing.
//!
//! * [`search`]: which points are played next; [`space`]: the space of the points;
//! * [`runner`]: generations, challenges, the judgement; [`stage`]: their games; [`outcome`]: what
//!   they come to;
//! * [`run`]: the folder of a run; [`config`]: what decides its outcome; [`state`]: how far it has
//!   come; [`record`]: the records of its journal;
//! * [`rehearsal`]: how much of a known loss a fit recovers;
//! * [`source`]: the result in the bot's own source.

pub mod config;
pub mod outcome;
pub mod record;
pub mod rehearsal;
pub mod run;
pub mod runner;
pub mod search;
pub mod source;
pub mod space;
pub mod stage;
pub mod state;
