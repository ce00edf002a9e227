//! Ctrl-C, and the system's requests that this process ends.
//!
//! A signal that the process ignores from its start stays ignored. `nohup` and a shell that closes rely on it: the first ignores the
//! hangup, the second the interrupts of commands in the background.

use anyhow::{Context, Result};

/// Calls `request` for every signal that asks this process to end.
///
/// # Errors
/// If the system refuses to deliver the signals.
pub(crate) fn watch(mut request: impl FnMut() + Send + 'static) -> Result<()> {
    const REFUSED: &str = "cannot watch for Ctrl-C";
    #[cfg(unix)]
    {
        let mut signals = signal_hook::iterator::Signals::new(watched()).context(REFUSED)?;
        let serve = move || signals.forever().for_each(|_| request());
        let thread = std::thread::Builder::new().spawn(serve);
        thread.map(drop).context(REFUSED)
    }
    #[cfg(not(unix))]
    ctrlc::set_handler(request).context(REFUSED)
}

/// The signals that ask a process to end, without those that it ignores.
///
/// Linux reports the ignored ones. Other systems do not, so a hangup keeps the effect there that it had at the start.
#[cfg(unix)]
fn watched() -> Vec<i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let Some(ignored) = ignored(&status) else {
        return vec![SIGINT, SIGTERM];
    };
    let mut signals = vec![SIGHUP, SIGINT, SIGTERM];
    signals.retain(|signal| ignored & (1 << (signal - 1)) == 0);
    signals
}

/// The set of ignored signals in the text of `/proc/self/status`: bit 0 is signal 1.
#[cfg(unix)]
fn ignored(status: &str) -> Option<u64> {
    let set = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read() {
        assert_eq!(
            ignored("SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n"),
            Some(0x1001)
        );
        assert_eq!(ignored("Name:\tbot\n"), None);
    }
}
