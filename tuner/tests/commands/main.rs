//! The command `tuner`, run as a user runs it.

mod compare;
mod eval;
mod export;
mod fit;
mod learn;
mod mistakes;
mod refine;
mod rehearse;
mod sample;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

/// The command with these options.
fn tuner<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    command.args(args);
    command
}

/// Runs the command with options separated by blanks.
fn run(line: &str) -> Output {
    tuner(line.split_whitespace()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts that all was well, and gives standard output.
fn good(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    stdout(output)
}

/// Asserts that a mistake was told in one line, with status 2 and nothing on standard output.
fn refused(output: &Output) -> String {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("tuner: "), "{told}");
    assert_eq!(stdout(output), "");
    told
}

/// Writes a file.
fn put(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

#[cfg(not(feature = "nats"))]
#[test]
fn runs_over_nats_need_the_feature() {
    use columns_untested::{untested, Lack};
    let why = "the feature `nats` is off: cargo test --all-features";
    untested(Lack::Nats, "runs over NATS, tuner/tests/nats.rs", why);
}
