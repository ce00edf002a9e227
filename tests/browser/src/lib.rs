//! Drives the page in a real browser: headless Chromium, through `chromedriver`.
//!
//! [`Browser`] opens the page and acts like a user, for the tests of the page, the screenshots and the
//! benchmark. [`missing_browser`] reports a missing browser.

mod axe;
mod build;
mod driver;
mod test_page;

pub use axe::load_axe_script;
pub use build::{build_page, build_program, missing_wasm_target};
pub use driver::{Browser, Screen, missing_browser, missing_firefox};
pub use test_page::{test_page, test_page_on};
