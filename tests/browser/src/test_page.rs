//! Runs a test with the page open in a browser.

use crate::build::missing_wasm_target;
use crate::{Browser, Screen, build_page, missing_browser};
use anyhow::Result;
use columns_test_support::{Requirement, report_untested};
use std::sync::{Mutex, PoisonError};

/// Ensures that only one browser runs at a time: several browsers would slow each other down.
static BROWSER_LOCK: Mutex<()> = Mutex::new(());

/// Runs a test with the page open at `hash` on [`Screen::DESKTOP`], as [`test_page_on`] does.
///
/// # Panics
/// Panics as [`test_page_on`] does.
pub fn test_page(hash: &str, test: impl FnOnce(&Browser) -> Result<()>) {
    test_page_on(Screen::DESKTOP, hash, test);
}

/// Runs a test with the page open at `hash`. If the browser or the compiler's WebAssembly target is not
/// installed, prints a warning in capitals instead.
///
/// # Panics
/// Panics if the test fails (with the page's message and the console messages), if the page cannot be built
/// or opened, or if `COLUMNS_REQUIRE` requires a missing tool.
pub fn test_page_on(screen: Screen, hash: &str, test: impl FnOnce(&Browser) -> Result<()>) {
    let _lock = BROWSER_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(lacking) = missing_browser().or_else(missing_wasm_target) {
        // The test harness names each thread after its test.
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("the page in a browser");
        return report_untested(Requirement::Browser, name, &lacking);
    }
    let browser = Browser::open(build_page().unwrap(), hash, screen).unwrap();
    if let Err(error) = test(&browser) {
        let message = browser.run_js("return document.getElementById('message').textContent");
        let console = browser.console_messages();
        panic!("{error:#}\nmessage: {message:?}\nconsole: {console:?}");
    }
}
