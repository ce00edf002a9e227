//! Self-play over many seeds: evaluates, compares and fits players of the Columns Game.
//!
//! * [`player`]: the bot or any program, with its limits; [`bot_player`]: the bot's weights and networks;
//! * [`game_result`]: the result of a game; [`executor`]: plays batches of games;
//! * [`record`]: the games of a run in a file; [`games`]: reads games from the record, then plays more;
//! * [`comparison`]: candidates against a base;
//! * [`learn`]: networks that rank the states of a layer;
//! * [`search`]: proposes the players of the next games; [`experiment`]: a run from its first game to the
//!   verdict;
//! * [`sources`]: the sources of the bot with its weights and networks;
//! * [`report`]: a run as a page; [`options`]: options that several commands share;
//! * [`cluster`]: games on other machines, and all code that needs NATS.

pub mod bot_player;
#[cfg_attr(not(feature = "nats"), path = "cluster/absent.rs")]
pub mod cluster;
pub mod comparison;
pub mod executor;
pub mod experiment;
pub mod game_result;
pub mod games;
pub mod learn;
pub mod options;
pub mod player;
pub mod record;
pub mod report;
pub mod search;
pub mod sources;
