//! Drives the page in a real browser: headless Chromium or Firefox, each through its driver.
//!
//! [`Browser`] opens the page and acts like a user, for the page's tests and the benchmark.
//! [`missing_browser`] and [`missing_firefox`] report programs that are not installed.

mod axe;
mod build;
mod driver;
mod test_page;

pub use axe::load_axe_script;
pub use build::{build_page, build_program, missing_wasm_target};
pub use driver::{Browser, Screen, missing_browser, missing_firefox};
pub use test_page::{test_page, test_page_on};
