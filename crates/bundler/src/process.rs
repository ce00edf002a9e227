//! Runs the compiler and cargo. A stop request kills them together with all processes that they have started.

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks of a running process, or of a stop request.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The maximum time to wait for killed processes to end.
pub(crate) const KILL_TIMEOUT: Duration = Duration::from_millis(300);

/// A running process. If it is dropped before it ends, it is killed with its descendants.
pub(crate) struct RunningProcess {
    child: Child,
    /// The files that receive standard output and standard error.
    files: [PathBuf; 2],
    stop: &'static AtomicBool,
    has_ended: bool,
}

impl RunningProcess {
    /// Starts a process in its own process group. Its output goes to the files `name.out` and `name.err` in
    /// `folder`.
    pub(crate) fn start(
        command: &mut Command,
        folder: &Path,
        name: &str,
        stop: &'static AtomicBool,
    ) -> Result<Self> {
        let files = ["out", "err"].map(|kind| folder.join(format!("{name}.{kind}")));
        let create = |file: &PathBuf| File::create(file).context(file.display().to_string());
        command
            .stdout(create(&files[0])?)
            .stderr(create(&files[1])?);
        let child = command.process_group(0).spawn()?;
        Ok(Self {
            child,
            files,
            stop,
            has_ended: false,
        })
    }

    /// Waits until the process ends. Returns its status, its standard output and its standard error.
    ///
    /// # Errors
    /// Returns an error after a stop request, or if the output cannot be read.
    pub(crate) fn finish(mut self) -> Result<(ExitStatus, String, String)> {
        let status = loop {
            ensure!(!self.stop.load(Ordering::Relaxed), "interrupted");
            match self.child.try_wait()? {
                Some(status) => break status,
                None => thread::sleep(POLL_INTERVAL),
            }
        };
        self.has_ended = true;
        let [output, errors] = [0, 1].map(|i| fs::read(&self.files[i]));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok((status, text(output?), text(errors?)))
    }
}

impl Drop for RunningProcess {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let group = Pid::from_raw(self.child.id() as i32);
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.child.wait();
        // Wait until all processes of the group have ended, since they write to a folder that the caller then
        // removes.
        let start = Instant::now();
        while killpg(group, None).is_ok() && start.elapsed() < KILL_TIMEOUT {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_request_kills_the_process_and_its_children() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 600 & echo $!; wait"]);
        let running = RunningProcess::start(&mut shell, folder.path(), "shell", &STOP).unwrap();
        let output = folder.path().join("shell.out");
        let child = loop {
            match fs::read_to_string(&output).unwrap().trim().parse::<i32>() {
                Ok(child) => break child,
                Err(_) => thread::sleep(POLL_INTERVAL),
            }
        };
        STOP.store(true, Ordering::Relaxed);
        let error = running.finish().unwrap_err();
        assert_eq!(error.to_string(), "interrupted");
        // The child may not have been reaped yet: it is either gone or a zombie.
        let status = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        assert!(status.is_empty() || status.contains(") Z "), "{status}");
    }
}
