//! Drives the page in a real browser: headless Chromium, through `chromedriver`.
//!
//! [`Browser`] opens the page and acts like a user, for the tests of the page, the screenshots and the
//! benchmark. [`missing_browser`] reports a missing browser.

mod axe;
mod build;
mod driver;
mod visit;

pub use axe::axe_script;
pub use build::{missing_wasm_target, page_path, program_path};
pub use driver::{Browser, Screen, missing_browser, missing_firefox};
pub use visit::visit;
