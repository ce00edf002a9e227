//! The subcommands, one a file, and what `judge run` shows.

pub(crate) mod compare;
mod page;
pub(crate) mod run;
pub(crate) mod score;
mod screen;
