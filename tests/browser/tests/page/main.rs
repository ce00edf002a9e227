//! Tests of the page in a real browser.
//!
//! If Chromium or the compiler's WebAssembly target is not installed, the tests print a warning in capitals
//! and pass. With `COLUMNS_REQUIRE=browser`, they fail instead. The test in Firefox depends on Firefox and on
//! `COLUMNS_REQUIRE=firefox` in the same way.

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
mod screenshots;
mod session;
mod watch;
