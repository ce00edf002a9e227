//! The files that the command `bot` reads.

pub mod weights_file;
