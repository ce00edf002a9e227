//! Scores plans, plays bots on many cases, and compares runs.
//!
//! * [`cases`]: the cases of a run, from a generator or from files;
//! * [`bot`]: the command line of a bot;
//! * [`process`]: runs one process under the contest's limits; [`supervisor`]: contains and measures that process;
//! * [`runner`]: plays one game and decides its verdict; [`run`]: plays many games in parallel;
//! * [`row`]: the result of one game; [`summary`]: the results of all games in a few numbers;
//! * [`record`]: the games of a run on disk, so that it can be resumed;
//! * [`report`]: the results as JSON; [`table`]: as text; [`page`]: in the page `columns.html`;
//! * [`standing`]: several reports, relative to the best score of each case;
//! * [`compare`]: two reports, case by case, with the statistics of [`columns_stats`].

pub mod bot;
pub mod cases;
pub mod compare;
mod descendants;
mod limits;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod os;
pub mod page;
pub mod process;
pub mod record;
pub mod report;
pub mod row;
pub mod run;
pub mod runner;
pub mod standing;
pub mod summary;
pub mod supervisor;
pub mod table;
