//! Ctrl-C, and the requests to end that systems send.

use anyhow::{Context, Result};
use columns_cli::command::STOPPED;
use columns_judge::process::kill_all;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// A flag that the first Ctrl-C sets, so that the games that have begun can be finished. A second
/// Ctrl-C ends the process at once; no run is damaged by that.
pub(crate) fn watch() -> Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            kill_all();
            std::process::exit(i32::from(STOPPED));
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(&STOP)
}
