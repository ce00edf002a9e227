//! Runs one process under the contest's limits: the judge's side.
//!
//! The process reads a file and writes files, as in `bot < in > out 2> err`. So it can read and write in any order
//! without blocking, and the judge need not drain its output. Each process has its own [`crate::supervisor`], which
//! contains and measures it.

pub use crate::limits::{Finished, Limits};
use crate::os;
use crate::supervisor::{self, PULSE};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::{NamedTempFile, tempfile};
use wait_timeout::ChildExt;

/// Maximum size of standard output, in bytes. The longest plan takes 50 KB.
pub const OUTPUT_LIMIT: u64 = 1 << 20;

/// Maximum size of standard error, in bytes. A debug build may print its whole search.
const ERRORS_LIMIT: u64 = 1 << 30;

/// Maximum number of bytes that the judge reads from the end of standard error.
const ERRORS_READ: u64 = 1 << 20;

/// Time from the end of the limit until [`run`] stops the supervisor. The supervisor ends earlier by itself, unless a
/// signal has suspended it.
const PATIENCE: Duration = Duration::from_secs(3);

/// True once [`kill_all`] has been called.
pub static STOPPED: AtomicBool = AtomicBool::new(false);

/// Makes every [`run`] kill its process and fail, now and in the future.
pub fn kill_all() {
    STOPPED.store(true, Ordering::Relaxed);
}

/// Runs a command from [`supervisor::command`] with `input` on standard input, within `limits`.
///
/// # Errors
/// If the program cannot be started, or if [`kill_all`] has been called.
pub fn run(mut command: Command, input: &[u8], limits: Limits) -> io::Result<Finished> {
    let mut stdin = tempfile()?;
    stdin.write_all(input)?;
    stdin.rewind()?;
    let (stdout, stderr, report) = (tempfile()?, tempfile()?, NamedTempFile::new()?);
    let order = supervisor::order(limits, report.path())?;
    command.arg(order).stdin(stdin);
    command.stdout(stdout.try_clone()?);
    command.stderr(stderr.try_clone()?);
    let is_full = |file: &File, limit| file.metadata().is_ok_and(|file| file.len() >= limit);
    let start = Instant::now();
    let mut supervisor = command.spawn()?;
    while supervisor.wait_timeout(PULSE)?.is_none() {
        if STOPPED.load(Ordering::Relaxed)
            || is_full(&stdout, OUTPUT_LIMIT)
            || is_full(&stderr, ERRORS_LIMIT)
            || start.elapsed() > limits.time + PATIENCE
        {
            os::stop(&mut supervisor);
        }
    }
    if STOPPED.load(Ordering::Relaxed) {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let report = serde_json::from_reader(BufReader::new(report));
    let report: Result<Finished, String> = report.unwrap_or_else(|_| {
        Ok(Finished {
            failed: Some("its supervisor was killed".into()),
            wall: start.elapsed(),
            ..Finished::default()
        })
    });
    let mut finished = report.map_err(io::Error::other)?;
    if is_full(&stderr, ERRORS_LIMIT) {
        finished.failed = Some("more than 1 GiB on standard error".into());
    }
    finished.output = read(stdout, SeekFrom::Start(0), OUTPUT_LIMIT)?;
    let errors = read(stderr, SeekFrom::End(-(ERRORS_READ as i64)), ERRORS_READ)?;
    finished.errors = String::from_utf8_lossy(&errors).into_owned();
    Ok(finished)
}

/// Reads at most `limit` bytes of a file, starting at `from`. If that lies before the start of the file, reads from the
/// start.
fn read(mut file: File, from: SeekFrom, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(from).or_else(|_| file.rewind().map(|()| 0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
