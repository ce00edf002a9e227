//! End-to-end tests of the command `judge`. Their bots are shell commands.

// Tests start in the order of their names. Those of `judge watch` take longest, so their module is named
// `changes`, which sorts first.
mod changes;
mod compare;
mod config;
mod environments;
#[cfg(target_os = "linux")]
mod escapes;
mod faults;
mod games;
mod program;
mod run;
mod score;
mod store;
mod temp_folder;
