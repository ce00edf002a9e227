//! What a command has said.

use std::process::Output;

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Asserts that a mistake was told in one line, with status 2 and nothing on standard output.
pub(crate) fn refused(output: &Output) -> String {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("tuner: "), "{told}");
    assert_eq!(stdout(output), "");
    told
}

/// Asserts that a text has another in it.
#[track_caller]
pub(crate) fn says(told: impl AsRef<str>, expected: impl AsRef<str>) {
    let (told, expected) = (told.as_ref(), expected.as_ref());
    assert!(told.contains(expected), "expected {expected:?} in: {told}");
}
