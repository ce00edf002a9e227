//! The command `judge`, as a user runs it.

// The bots of these tests are shell commands.
#![cfg(unix)]

mod compare;
mod desk;
#[cfg(target_os = "linux")]
mod escapes;
mod resume;
mod run;
mod score;
