//! One process under the contest's limits, on the judge's side.
//!
//! It reads a file and writes files, as in `bot < in > out 2> err`: it may read and write as much
//! at a time as it likes, in any order, and nothing has to keep up with it. A
//! [`crate::supervisor`] of its own contains and measures it.

use crate::os;
use crate::supervisor::{self, PULSE};
use clap::Args;
use columns_cli::options;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::{tempfile, NamedTempFile};
use wait_timeout::ChildExt;

/// What a bot may use.
#[derive(Debug, Clone, Copy, PartialEq, Args, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time for a game, in seconds; the bot is not told
    #[arg(long = "time-limit", value_name = "SECONDS", default_value = "4",
        value_parser = options::seconds)]
    pub time: Duration,
    /// Memory for a game, in MiB
    #[arg(long = "memory-limit", value_name = "MIB", default_value_t = Self::CONTEST.memory,
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub memory: u64,
}

impl Limits {
    /// Those of the contest (statement, section Submissions).
    pub const CONTEST: Self = Self {
        time: Duration::from_secs(4),
        memory: 1024,
    };
}

/// Maximum size of standard output in bytes. The longest plan has 60 KB.
pub const OUTPUT_LIMIT: u64 = 1 << 20;

/// Maximum size of standard error in bytes: a debug build may print its whole search.
const ERRORS_LIMIT: u64 = 1 << 30;

/// Size of the last part of standard error that is read, in bytes.
const ERRORS_READ: u64 = 1 << 20;

/// A supervisor that has not ended this much after the time is woken: somebody has stopped it.
const PATIENCE: Duration = Duration::from_secs(3);

/// The result of a process. A process is killed if it exceeds its time by half a second, uses too
/// much memory, or prints [`OUTPUT_LIMIT`] bytes of output or 1 GiB of errors.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Finished {
    /// How it failed, in words: its status, or the signal that ended it. `None` for status 0.
    pub failed: Option<String>,
    /// Time from just before its start to its end.
    pub wall: Duration,
    /// Processor time of the process and of all processes below it.
    pub cpu: Duration,
    /// Peak memory in MiB: the largest sum over the process and all processes below it that the
    /// supervisor observed (shared memory counts once), or the peak of a single one. At least the
    /// few MiB of the supervisor, as whose copy a process starts.
    pub peak_memory_mib: f64,
    /// Standard output, at most [`OUTPUT_LIMIT`] bytes.
    #[serde(skip)]
    pub output: Vec<u8>,
    /// The last part of standard error, up to 1 MiB.
    #[serde(skip)]
    pub errors: String,
}

/// Set by [`kill_all`].
pub static STOPPED: AtomicBool = AtomicBool::new(false);

/// Makes every [`run`] kill its process and fail. No other process starts.
pub fn kill_all() {
    STOPPED.store(true, Ordering::Relaxed);
}

/// Runs a [`supervisor::command`] with `input` on its standard input, within `limits`.
///
/// # Errors
/// If the program cannot be started, or after [`kill_all`].
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

/// At most `limit` bytes of a file, from a position, or from its start if it is shorter than that.
fn read(mut file: File, from: SeekFrom, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(from).or_else(|_| file.rewind().map(|()| 0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
