//! Scores plans and plays bots over many cases.
//!
//! * [`cases`]: where the cases of a run come from;
//! * [`process`]: one process under the contest's limits; [`supervisor`]: what contains it;
//!   [`bot`]: a bot's command line;
//! * [`runner`]: a game of a bot: its plan, its verdict, and what it took; [`run`]: many games, in
//!   parallel;
//! * [`row`]: the result of one game; [`summary`]: the results of all, in a few numbers;
//! * [`record`]: the games of a run that continues;
//! * [`report`]: the results as JSON; [`page`]: in the page `columns.html`; [`table`]: as text;
//! * [`standing`]: reports against the best scores that any of them has;
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
