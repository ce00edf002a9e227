use std::ffi::OsStr;
use std::process::Command;

/// Returns a command that runs `program` with the default action for every signal, as in a terminal.
///
/// Otherwise the program would inherit the signals that the tests ignore, for example under `nohup` or
/// as a background job of a script. Only Linux has an `env` that can reset them: on other systems the
/// program inherits them.
pub fn with_default_signals(program: impl AsRef<OsStr>) -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(program);
        command
    } else {
        Command::new(program)
    }
}
