//! End-to-end tests of the command `judge`. Their bots are shell commands.

// Tests start in the order of their names, so the long ones, of `judge watch`, are in `changes`.
mod changes;
mod compare;
mod config;
#[cfg(target_os = "linux")]
mod escapes;
mod faults;
mod games;
mod program;
mod run;
mod score;
mod store;
mod surroundings;
mod temp_folder;
