//! Drives the page in a real browser: headless Chromium, through `chromedriver`.
//!
//! [`Browser`] opens the page and acts like a user. The tests of the page and the screenshots use
//! it. [`missing`] reports a missing browser.

mod axe;
mod build;
mod driver;
mod visit;

pub use axe::axe;
pub use build::{missing_target, page, program};
pub use driver::{Browser, Screen, missing, missing_firefox};
pub use visit::visit;
