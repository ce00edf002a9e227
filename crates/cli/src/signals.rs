//! Watches for Ctrl-C and other termination signals.
//!
//! Signals that are ignored when the process starts stay ignored: `nohup` makes its command ignore hangups,
//! and shells make background commands ignore interrupts.

use anyhow::{Context, Result};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Starts a thread that calls `on_signal` with the number of each termination signal.
///
/// # Errors
/// Returns an error if the signal handlers or the thread cannot be created.
pub(crate) fn watch(mut on_signal: impl FnMut(i32) + Send + 'static) -> Result<()> {
    const REFUSED: &str = "cannot watch for Ctrl-C";
    let mut signals = Signals::new(termination_signals()).context(REFUSED)?;
    let serve = move || signals.forever().for_each(&mut on_signal);
    let thread = std::thread::Builder::new().spawn(serve);
    thread.map(drop).context(REFUSED)
}

/// Makes a write that exceeds the file size limit (`ulimit -f`) fail like a write to a full disk. Otherwise,
/// the signal SIGXFSZ would end the process. Programs that this process starts are not affected.
pub(crate) fn catch_sigxfsz() {
    let flag = Arc::new(AtomicBool::new(false));
    // Ignore a failure: the signal then ends the process, as it does by default.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
}

/// Lists the termination signals that this process does not ignore.
///
/// Only Linux reports which signals are ignored. On other systems, the process does not watch for hangups, so
/// that `nohup` works there, too.
fn termination_signals() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let Some(ignored) = parse_ignored(&status) else {
        return vec![SIGINT, SIGTERM];
    };
    let mut signals = vec![SIGHUP, SIGINT, SIGTERM];
    signals.retain(|signal| ignored & (1 << (signal - 1)) == 0);
    signals
}

/// Parses the set of ignored signals from the text of `/proc/self/status`; `None` if the text has no such
/// set. Bit 0 is signal 1.
fn parse_ignored(status: &str) -> Option<u64> {
    let set = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_parsed() {
        assert_eq!(
            parse_ignored("SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n"),
            Some(0x1001)
        );
        assert_eq!(parse_ignored("Name:\tbot\n"), None);
    }
}
