//! What every command of the project does alike.
//!
//! * [`command`]: from the command line to the exit status; [`options`]: values of options;
//! * [`mistake`]: one line on standard error;
//! * [`input`]: reading a file or standard input;
//! * [`paths`]: all files that a command reads and writes, checked before it works;
//! * [`mod@file`]: writing files that are whole or not there; [`lock`]: files that one process at a
//!   time works on;
//! * [`mod@json`]: JSON files;
//! * [`output`]: printing to standard output; [`table`]: tables as text;
//! * [`progress`]: progress bars; [`pool`]: work by several threads; [`pins`]: each on processors of its
//!   own.

pub mod command;
pub mod file;
pub mod input;
pub mod json;
pub mod lock;
pub mod mistake;
pub mod options;
pub mod output;
pub mod paths;
pub mod pins;
pub mod pool;
pub mod progress;
mod signals;
pub mod table;
