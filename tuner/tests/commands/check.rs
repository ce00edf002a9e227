//! Assertions about the output of a command.

use std::process::Output;

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts that a command failed with status 2, one line on standard error, and nothing on standard output.
/// Returns that line.
pub(crate) fn refusal(output: &Output) -> String {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("tuner: "), "{message}");
    assert_eq!(stdout(output), "");
    message
}

#[track_caller]
pub(crate) fn assert_contains(text: impl AsRef<str>, expected: impl AsRef<str>) {
    let (text, expected) = (text.as_ref(), expected.as_ref());
    assert!(text.contains(expected), "expected {expected:?} in: {text}");
}
