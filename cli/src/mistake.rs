//! Mistakes: one line on standard error, status 2.

use std::io::Write;
use std::process::ExitCode;

/// Writes the line `NAME: MESSAGE` to standard error and returns the exit status of a mistake, 2.
pub fn fail(name: &str, message: &str) -> ExitCode {
    complain(name, message);
    ExitCode::from(2)
}

/// Writes the line `NAME: MESSAGE` to standard error.
pub fn complain(name: &str, message: &str) {
    tell(&format!("{name}: {}", one_line(message)));
}

/// Writes a line to standard error, such as how far long work has come.
pub fn tell(line: &str) {
    // If standard error is closed, there is no place to say so.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The message with nothing in it that would break the line or disturb a
/// terminal: file names and what a bot prints may hold anything.
pub fn one_line(message: &str) -> String {
    message
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_it_names() {
        assert_eq!(one_line("a\nb\x1b[31m"), "a\u{fffd}b\u{fffd}[31m");
        assert_eq!(one_line("9 × 16 …"), "9 × 16 …");
    }
}
