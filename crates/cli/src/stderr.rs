//! Prints one-line messages to standard error. [`fail`] also returns the exit status of a failed command.

use crate::progress;
use std::io::Write;
use std::process::ExitCode;

/// Prints the line `NAME: MESSAGE` to standard error, and returns the exit status 2.
pub fn fail(name: &str, message: &str) -> ExitCode {
    warn(name, message);
    ExitCode::from(2)
}

/// Prints the line `NAME: MESSAGE` to standard error.
pub fn warn(name: &str, message: &str) {
    log(&format!("{name}: {}", to_one_line(message)));
}

/// Prints a line to standard error, for example the progress of a long task.
pub fn log(line: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = progress::suspend(|| writeln!(std::io::stderr(), "{line}"));
}

/// Replaces each control character with U+FFFD, since it would break the line or confuse a terminal. File
/// names and the output of bots may contain any character.
pub fn to_one_line(message: &str) -> String {
    message
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_break_a_message() {
        assert_eq!(to_one_line("a\nb\x1b[31m"), "a\u{fffd}b\u{fffd}[31m");
        assert_eq!(to_one_line("9 × 16 …"), "9 × 16 …");
    }
}
