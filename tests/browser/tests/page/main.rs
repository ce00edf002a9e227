//! Tests of the page in a real browser.
//!
//! If the browser or the compiler's WebAssembly target is not installed, every test prints a warning in
//! capitals and passes. With `COLUMNS_REQUIRE=browser`, it fails instead.

mod actions;
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
