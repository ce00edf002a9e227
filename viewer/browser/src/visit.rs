//! What every test of the page begins with.

use crate::build::missing_target;
use crate::{missing, page, Browser, Look};
use anyhow::Result;
use columns_untested::{untested, Lack};
use std::sync::{Mutex, PoisonError};

/// One browser at a time: two would only slow each other down.
static TURN: Mutex<()> = Mutex::new(());

/// Runs a test with the page opened at `hash`, or says in capitals that it did not run:
/// without a browser, or without the compiler's target for WebAssembly.
///
/// # Panics
/// If the test fails, with what the page told the console; or if the page cannot be made.
pub fn visit(name: &str, hash: &str, look: Look, test: impl FnOnce(&Browser) -> Result<()>) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(lacking) = missing().or_else(missing_target) {
        return untested(Lack::Browser, name, &lacking);
    }
    let browser = Browser::open(page().unwrap(), hash, look).unwrap();
    if let Err(error) = test(&browser) {
        let told = browser.js("return document.getElementById('message').textContent");
        let console = browser.complaints();
        panic!("{error:#}\nmessage: {told:?}\nconsole: {console:?}");
    }
}
