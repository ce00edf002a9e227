//! End-to-end tests of the command `judge`.

// The bots of these tests are shell commands.
#![cfg(unix)]

mod compare;
#[cfg(target_os = "linux")]
mod escapes;
mod resume;
mod run;
mod score;
mod temp_folder;
