//! Scores plans, plays bots on many cases, keeps the runs, and compares them.
//!
//! * [`bot`]: the command line of a bot; [`options`]: what to play, on the command line and in [`config`],
//!   the file `columns.toml`;
//! * [`program`]: identifies the program of a bot, and plays single games with it;
//! * [`arena`]: runs one process under limits, contained by a supervisor;
//! * [`verdict`]: judges one game; [`games`]: plays many games in parallel;
//! * [`cases`]: the cases of a run, from a generator or from files;
//! * [`row`]: the results of the games, and their summary;
//! * [`head`]: the bot, the cases and the conditions of a run; [`store`]: the runs on disk;
//!   [`best`]: the best known scores;
//! * [`table`]: a run as text; [`compare`]: two runs, case by case, with the statistics of [`columns_stats`].

pub mod arena;
pub mod best;
pub mod bot;
pub mod cases;
pub mod compare;
pub mod config;
pub mod games;
pub mod head;
pub mod options;
pub mod program;
pub mod row;
pub mod store;
pub mod table;
pub mod verdict;
