//! The weights files of the command `bot`.

pub mod weights_file;
