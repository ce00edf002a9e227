//! The page in a real browser: Chromium without a window, driven through `chromedriver`.
//!
//! [`Browser`] opens the page and does what a visitor does; its tests and the pictures of
//! the README use it. Where there is no browser, [`missing`] says so.

mod axe;
mod build;
mod driver;
mod visit;

pub use axe::axe;
pub use build::{missing_target, page, program};
pub use driver::{missing, missing_firefox, Browser, Look};
pub use visit::visit;
