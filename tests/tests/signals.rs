//! Tests that a command continues to ignore the signals that were ignored when it started, as under
//! `nohup` or in a background job of a shell.

use crate::commands::program_path;
use columns_test_support::{kill, with_default_signals};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Command lines that run for a while and handle signals.
const COMMAND_LINES: [&str; 2] = [
    "judge run --seeds 1..=4 --jobs 1 --bot \"sh -c 'touch started; sleep 0.1; echo 0'\"",
    "tuner compare --b-network none --all --seeds 1..=6 --jobs 1 --work 10",
];

/// Starts a command with `signal` ignored, and waits until it has a handler for SIGTERM.
fn start(line: &str, signal: &str, folder: &Path) -> Child {
    let (name, options) = line.split_once(' ').unwrap();
    let script = format!(
        "trap '' {signal}; exec '{}' {options}",
        program_path(name).display()
    );
    let mut command = with_default_signals("sh");
    command.args(["-c", &script]).current_dir(folder);
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let has_handler = || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        // Bit 14 of the mask is SIGTERM, which no test ignores.
        let caught_signals = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:\t"));
        caught_signals.is_some_and(|set| u64::from_str_radix(set, 16).unwrap() & 1 << 14 != 0)
    };
    let clock = Instant::now();
    while !has_handler() {
        assert!(clock.elapsed() < Duration::from_secs(20), "{line}");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn an_ignored_signal_stays_ignored() {
    for line in COMMAND_LINES {
        for signal in ["HUP", "INT"] {
            let folder = tempfile::tempdir().unwrap();
            let mut child = start(line, signal, folder.path());
            kill(signal, child.id());
            let status = child.wait().unwrap();
            assert_eq!(status.code(), Some(0), "{line}: {signal}");
        }
    }
}
