//! Tests across the crates: the commands as a user runs them, and the documents.
//!
//! `cargo test` builds all commands before the first test. To test this package alone, run `cargo build`
//! first.

mod bot;
mod commands;
mod docs;
mod help;
mod judge;
mod malformed;
mod signals;
