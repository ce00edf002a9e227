//! The subcommands, one a file, and what `judge run` shows.

/// How this command calls itself.
pub(crate) const NAME: &str = "judge";

pub(crate) mod compare;
pub(crate) mod history;
mod page;
pub(crate) mod run;
pub(crate) mod score;
mod screen;
pub(crate) mod show;
