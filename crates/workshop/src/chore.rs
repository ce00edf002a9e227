//! Helpers that several chores share: output folders and Ctrl-C.

use anyhow::{Context, Result, ensure};
use columns_bot::submission::{NODES_VARIABLE, PORTABLE_VARIABLE};
use columns_cli::command::{self, interrupted_status};
use columns_cli::file::{self, FolderGuard};
use columns_cli::input;
use nix::sys::statvfs::{FsFlags, statvfs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tempfile::TempDir;

/// The maximum number of bytes of an existing output file that are searched for the mark of an earlier
/// result. The largest result, the page, is about a megabyte.
const MAX_RESULT_BYTES: u64 = 16 << 20;

/// Creates the folder of the output file `out`, and checks that the file can be written. If the file exists,
/// it must be empty or an earlier result, which contains `mark`: the user may have named a source file by
/// mistake. The returned guard removes the folder again if it stays empty.
///
/// # Errors
/// Returns an error that names the file if it is one of `sources` or inside one of them, if it is not empty
/// and lacks the mark, or if it cannot be written.
pub(crate) fn prepare_output(
    out: &Path,
    mark: &str,
    sources: &[PathBuf],
) -> Result<Option<FolderGuard>> {
    let path_text = out.display();
    let place = std::path::absolute(out).with_context(|| path_text.to_string())?;
    let is_source = |ancestor: &Path| {
        sources
            .iter()
            .any(|folder| file::is_same_file(ancestor, folder))
    };
    ensure!(
        !place.ancestors().any(is_source),
        "{path_text}: is one of the sources, or in their folder"
    );
    // Do not read a pipe or a terminal, such as /dev/stdout, since the read may block forever.
    let old = out
        .is_file()
        .then(|| input::read_start(out, MAX_RESULT_BYTES));
    let old = old.transpose()?.unwrap_or_default();
    ensure!(
        old.is_empty() || String::from_utf8_lossy(&old).contains(mark),
        "{path_text}: expected an earlier result here, found another file: choose another name"
    );
    let folder = place.parent().map(file::create_folder).transpose()?;
    file::check_outputs([out], [""; 0])?;
    Ok(folder)
}

/// Creates a temporary folder for compiled programs.
///
/// # Errors
/// Returns an error if the folder cannot be created, or if its file system does not allow programs to run.
pub(crate) fn temporary_folder() -> Result<TempDir> {
    let folder = tempfile::tempdir().context("a folder for the compiled submission")?;
    let flags = statvfs(folder.path()).map(|system| system.flags());
    ensure!(
        !flags.is_ok_and(|flags| flags.contains(FsFlags::ST_NOEXEC)),
        "{}: this file system is mounted noexec: set TMPDIR to a folder where programs can run",
        folder.path().display()
    );
    Ok(folder)
}

/// True once the chore must stop. The judge then kills its running games.
pub(crate) static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Runs a chore that plays games. The first Ctrl-C kills the games: the chore then cleans up, and ends with
/// the status of the signal. A second Ctrl-C ends the process immediately.
///
/// # Errors
/// Returns an error if the chore fails, or if the environment has a variable that the submission reads.
pub(crate) fn run_until_interrupted(chore: impl FnOnce() -> Result<ExitCode>) -> Result<ExitCode> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    // Games against the clock must not inherit these variables.
    for name in [NODES_VARIABLE, PORTABLE_VARIABLE] {
        let is_set = std::env::var_os(name).is_some();
        ensure!(!is_set, "expected no environment variable {name}");
    }
    command::on_interrupt(|| {
        INTERRUPTED.store(true, Relaxed);
        STOP_REQUESTED.store(true, Relaxed);
    })?;
    let result = chore();
    // `STOP_REQUESTED` does not prove an interruption: a game that cannot be played also sets it, to stop the
    // other games.
    if INTERRUPTED.load(Relaxed) {
        return Ok(ExitCode::from(interrupted_status()));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn an_output_that_is_a_pipe_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(prepare_output(&pipe, "mark", &[]).is_ok()));
        assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(true));
    }
}
