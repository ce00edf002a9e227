//! End-to-end tests of the command `judge`. Their bots are shell commands.

mod compare;
mod config;
#[cfg(target_os = "linux")]
mod escapes;
mod faults;
mod run;
mod score;
mod store;
mod temp_folder;
mod watch;
