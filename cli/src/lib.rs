//! What every command of the project does alike.
//!
//! * [`command`]: from the command line to the exit status;
//! * [`mistake`]: one line on standard error;
//! * [`input`]: reading a file or standard input;
//! * [`mod@file`]: writing files that are whole or not there;
//! * [`output`]: printing to standard output.

pub mod command;
pub mod file;
pub mod input;
pub mod mistake;
pub mod output;
