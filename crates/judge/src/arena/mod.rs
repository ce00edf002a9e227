//! Runs a game: a process under time and memory limits, contained by a supervisor.

mod descendants;
pub mod process;
pub mod supervisor;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other_unix.rs")]
mod system;
