use std::ffi::OsStr;
use std::fmt::Display;
use std::process::Command;

/// Returns a command that runs `program` with the default action for every signal, as in a terminal.
///
/// Otherwise the program would inherit ignored signals from the test process, for example if the tests run
/// under `nohup` or in a background job of a script. On Linux, GNU `env` resets the signals. On other
/// systems, the program still inherits them.
pub fn with_default_signals(program: impl AsRef<OsStr>) -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Sends a signal, such as `INT`, to the process `id`. A negative `id` stands for a process group.
///
/// # Panics
/// Panics if the signal cannot be sent.
pub fn kill(signal: &str, id: impl Display) {
    // Unlike some `kill` programs, the one in the shell accepts the names of all signals.
    let command = format!("kill -s {signal} -- {id}");
    let status = Command::new("sh").args(["-c", &command]).status();
    assert!(status.unwrap().success(), "{command}");
}
