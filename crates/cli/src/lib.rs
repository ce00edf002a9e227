//! The parts that all commands of the project share.
//!
//! * [`command`]: the main function of a command, from its command line to its exit status; [`options`]:
//!   common options;
//! * [`stderr`]: one-line messages on standard error;
//! * [`input`]: functions that read files and standard input;
//! * [`mod@file`]: atomic writes; [`lock`]: files that only one process may use at a time;
//! * [`mod@json`]: values as JSON text; [`ledger`]: files of records that survive any interruption and reveal
//!   damage;
//! * [`output`]: printing to standard output; [`table`]: tables as text; [`shell`]: paths in command lines;
//! * [`progress`]: progress bars; [`pool`]: work in several threads.

pub mod command;
pub mod file;
pub mod input;
pub mod json;
pub mod ledger;
pub mod lock;
pub mod options;
pub mod output;
pub mod pool;
pub mod progress;
pub mod shell;
mod signals;
pub mod stderr;
pub mod table;
