//! Tests of the page in a real browser.
//!
//! Without a browser or the compiler's target for WebAssembly, every test prints a warning in capitals and
//! passes. With `COLUMNS_REQUIRE=browser`, it fails.

mod actions;
mod compare;
mod files;
mod firefox;
mod keyboard;
mod layout;
mod numbers;
mod play;
mod puzzles;
mod results;
mod review;
mod session;
mod watch;
