//! Tests across the crates: the commands as a user runs them, and the documents.
//!
//! Before the first test, `cargo test` builds all commands. To test this package alone, run `cargo build`
//! first.

mod bot;
mod commands;
mod docs;
mod help;
mod judge;
mod malformed;
mod signals;
