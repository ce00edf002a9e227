//! Ctrl-C, and the requests to end that systems send.

use anyhow::{Context, Result};
use columns_cli::command::STOPPED;
use columns_judge::process::kill_all;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// A flag that the first Ctrl-C sets, so that the games that have begun can be finished. A second
/// Ctrl-C ends the process at once; no run is damaged by that.
pub(crate) fn watch() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            kill_all();
            std::process::exit(i32::from(STOPPED));
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
