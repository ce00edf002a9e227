//! What every test of the page begins with.

use crate::{missing, page, Browser, Look};
use anyhow::Result;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// One browser at a time: two would only slow each other down.
static TURN: Mutex<()> = Mutex::new(());

/// Says in capitals what was not tested.
///
/// # Panics
/// With `COLUMNS_BROWSER=required`.
pub fn untested(line: &str) {
    let required = std::env::var_os("COLUMNS_BROWSER").is_some_and(|value| value == "required");
    assert!(!required, "{line}");
    // Past the test harness, which would keep it to itself.
    let _ = std::io::stderr().write_all(line.to_uppercase().as_bytes());
}

/// Runs a test with the page opened at `hash`, or says in capitals that it did not run:
/// without a browser, or where the page cannot be made. With `COLUMNS_BROWSER=required`
/// that is a failure.
///
/// # Panics
/// If the test fails, with what the page told the console.
pub fn visit(name: &str, hash: &str, look: Look, test: impl FnOnce(&Browser) -> Result<()>) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let lacking = missing().or_else(|| page().err().map(|error| format!("{error:#}")));
    if let Some(lacking) = lacking {
        untested(&format!("NOT TESTED IN A BROWSER: {name} ({lacking})\n"));
        return;
    }
    let browser = Browser::open(page().unwrap(), hash, look).unwrap();
    if let Err(error) = test(&browser) {
        let told = browser.js("return document.getElementById('message').textContent");
        let console = browser.complaints();
        panic!("{error:#}\nmessage: {told:?}\nconsole: {console:?}");
    }
}
