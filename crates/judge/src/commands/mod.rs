//! The subcommands, one per file, and their helper modules `against`, `moves` and `watcher`.

/// Name of the command, at the start of its error messages.
pub(crate) const NAME: &str = "judge";

pub(crate) mod against;
pub(crate) mod compare;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod moves;
pub(crate) mod open;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod show;
pub(crate) mod watch;
pub(crate) mod watcher;
