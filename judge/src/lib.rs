//! Scores plans and plays bots over many cases.
//!
//! * [`verdict`]: what a bot's output is worth on a case;
//! * [`cases`]: where the cases of a run come from;
//! * [`process`]: one bot process under the contest's limits;
//! * [`run`]: a bot over many cases, in parallel;
//! * [`row`]: the result of one game; [`summary`]: the results of all, in a few numbers;
//! * [`report`]: the results as JSON; [`page`]: in the page `columns.html`; [`table`]: as text;
//! * [`history`]: runs that were kept, and the best scores;
//! * [`compare`]: two reports, case by case; [`classes`]: its groups; [`stats`]: its statistics.

pub mod cases;
pub mod compare;
pub mod history;
mod os;
pub mod page;
pub mod process;
pub mod report;
pub mod row;
pub mod run;
pub mod stats;
pub mod summary;
pub mod table;
pub mod verdict;

pub use columns_generator::classes;
