use std::ffi::OsStr;
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
