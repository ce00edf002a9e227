//! Runs one process under the contest's limits: the judge's side.
//!
//! The process reads a file and writes into two pipes, as in `bot < in | judge`. So it may read, seek and map its input
//! as it likes, and no temporary file is needed. Each process has its own [`crate::supervisor`], which contains and
//! measures it, and appends its report to standard error when all processes of the bot have ended.

use crate::limits::Report;
pub use crate::limits::{Finished, Limits};
use crate::supervisor::{self, PULSE};
use crate::system;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum size of standard output, in bytes. The longest plan takes 50 KB.
pub const OUTPUT_LIMIT: u64 = 1 << 20;

/// Maximum size of standard error, in bytes. A debug build may print its whole search.
const ERRORS_LIMIT: u64 = 1 << 30;

/// Number of bytes that the judge keeps of the end of standard error.
const ERRORS_KEPT: usize = 1 << 20;

/// Time from the end of the limit until [`run`] stops the supervisor. The supervisor ends earlier by itself, unless a
/// signal has suspended it.
const SUPERVISOR_TIMEOUT: Duration = Duration::from_secs(3);

/// Why a process has no result.
#[derive(Debug)]
pub enum Failure {
    /// The caller has stopped it.
    Stopped,
    /// The system refuses to start the program, for example because it does not exist.
    NotStarted(Errno),
    /// The machine could not run the process: what failed.
    Machine(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("interrupted"),
            Self::NotStarted(errno) => io::Error::from(*errno).fmt(f),
            Self::Machine(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Failure {}

/// Runs a command from [`supervisor::command`] with `input` on standard input, within `limits`. Kills the process once
/// `stop` is true.
///
/// # Errors
/// Returns an error if the process has no result.
pub fn run(
    mut command: Command,
    input: &[u8],
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Finished, Failure> {
    let input = input_file(input).map_err(|error| machine("the input of a bot", &error))?;
    command.arg(supervisor::order(limits)).stdin(input);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let supervisor = command.spawn();
    let mut supervisor = supervisor.map_err(|error| {
        if cfg!(target_os = "linux") && !Path::new(supervisor::OWN).exists() {
            return Failure::Machine("/proc is not mounted here, and the judge needs it".into());
        }
        machine("cannot start a supervisor", &error)
    })?;
    let streams = watch(&mut supervisor, limits, stop);
    let streams = streams.map_err(|error| machine("cannot read what a bot prints", &error))?;
    let status = supervisor.wait();
    let status = status.map_err(|error| machine("cannot wait for a supervisor", &error))?;
    if stop.load(Ordering::Relaxed) {
        return Err(Failure::Stopped);
    }
    let [output, mut errors] = streams;
    let report = status.success().then(|| take_report(&mut errors.kept));
    let mut finished = match report.flatten() {
        Some(Report::Finished(finished)) => finished,
        Some(Report::NotStarted(errno)) => return Err(not_started(Errno::from_raw(errno))),
        Some(Report::Trouble(what)) => return Err(Failure::Machine(what)),
        None => {
            return Err(Failure::Machine(format!(
                "a supervisor was killed ({status})"
            )));
        }
    };
    if errors.is_full() {
        finished.failed = Some("more than 1 GiB on standard error".into());
    }
    (finished.output, finished.errors) = (output.kept, errors.kept);
    Ok(finished)
}

fn machine(what: &str, error: &io::Error) -> Failure {
    Failure::Machine(format!("{what}: {error}"))
}

/// Sorts a refusal to start a program into trouble of the machine, which passes, and faults of the program.
fn not_started(errno: Errno) -> Failure {
    use Errno::{EAGAIN, EIO, EMFILE, ENFILE, ENOMEM, ETXTBSY};
    match errno {
        EAGAIN | EIO | EMFILE | ENFILE | ENOMEM | ETXTBSY => {
            Failure::Machine(format!("cannot start a bot: {}", io::Error::from(errno)))
        }
        _ => Failure::NotStarted(errno),
    }
}

/// Returns a file in memory with this text.
#[cfg(target_os = "linux")]
fn input_file(text: &[u8]) -> io::Result<File> {
    use nix::sys::memfd::{MFdFlags, memfd_create};
    filled(memfd_create(c"case", MFdFlags::MFD_CLOEXEC)?.into(), text)
}

/// Returns a temporary file with this text.
#[cfg(not(target_os = "linux"))]
fn input_file(text: &[u8]) -> io::Result<File> {
    filled(tempfile::tempfile()?, text)
}

fn filled(mut file: File, text: &[u8]) -> io::Result<File> {
    file.write_all(text)?;
    file.rewind().map(|()| file)
}

/// What a process prints into one pipe.
struct Stream {
    /// The pipe; `None` once all its writers have ended.
    pipe: Option<File>,
    /// Number of bytes printed.
    total: u64,
    /// Maximum number of bytes that the process may print.
    limit: u64,
    /// The bytes that are kept: the first ones of standard output, the last ones of standard error.
    kept: Vec<u8>,
    /// True for standard error.
    keeps_end: bool,
}

impl Stream {
    fn new(pipe: impl Into<std::os::fd::OwnedFd>, limit: u64, keeps_end: bool) -> Self {
        Self {
            pipe: Some(File::from(pipe.into())),
            total: 0,
            limit,
            kept: Vec::new(),
            keeps_end,
        }
    }

    fn is_full(&self) -> bool {
        self.total >= self.limit
    }

    /// Reads what the pipe holds. Blocks if it holds nothing.
    fn read(&mut self) -> io::Result<()> {
        let mut buffer = [0; 1 << 14];
        let count = match &mut self.pipe {
            Some(pipe) => pipe.read(&mut buffer)?,
            None => 0,
        };
        if count == 0 {
            self.pipe = None;
        }
        let bytes = &buffer[..count];
        let room = (self.limit - self.total.min(self.limit)) as usize;
        self.total += count as u64;
        if self.keeps_end {
            self.kept.extend(bytes);
            if self.kept.len() > 2 * ERRORS_KEPT {
                self.kept.drain(..self.kept.len() - ERRORS_KEPT);
            }
        } else {
            self.kept.extend(&bytes[..count.min(room)]);
        }
        Ok(())
    }
}

/// Reads standard output and standard error until the supervisor has ended. Stops it when the process prints too much or
/// `stop` is true, or if the supervisor does not end in time.
fn watch(supervisor: &mut Child, limits: Limits, stop: &AtomicBool) -> io::Result<[Stream; 2]> {
    let start = Instant::now();
    let pipes = supervisor.stdout.take().zip(supervisor.stderr.take());
    let (stdout, stderr) = pipes.expect("both are pipes");
    let mut streams = [
        Stream::new(stdout, OUTPUT_LIMIT, false),
        Stream::new(stderr, ERRORS_LIMIT, true),
    ];
    let pulse = PollTimeout::try_from(PULSE).expect("a short time");
    loop {
        let mut open: Vec<&mut Stream> = streams.iter_mut().collect();
        open.retain(|stream| stream.pipe.is_some());
        if open.is_empty() {
            return Ok(streams);
        }
        let pipes = open.iter().filter_map(|stream| stream.pipe.as_ref());
        let mut polled: Vec<PollFd> = pipes
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN))
            .collect();
        match poll(&mut polled, pulse) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let ready: Vec<bool> = polled.iter().map(|pipe| pipe.any() == Some(true)).collect();
        // A process that escaped, or that outlives a killed supervisor, may keep a pipe open.
        if !ready.contains(&true) && supervisor.try_wait()?.is_some() {
            return Ok(streams);
        }
        for (stream, _) in open
            .into_iter()
            .zip(ready)
            .filter(|(_, is_ready)| *is_ready)
        {
            stream.read()?;
        }
        if stop.load(Ordering::Relaxed)
            || streams.iter().any(Stream::is_full)
            || start.elapsed() > limits.time + SUPERVISOR_TIMEOUT
        {
            system::stop(supervisor);
        }
    }
}

/// Removes the report of the supervisor, the last line, from the end of standard error. `None` if there is none.
fn take_report(errors: &mut Vec<u8>) -> Option<Report> {
    let text = errors.strip_suffix(b"\n")?;
    let start = text.iter().rposition(|&byte| byte == b'\n')?;
    let report = serde_json::from_slice(&text[start + 1..]).ok()?;
    errors.truncate(start);
    errors.drain(..errors.len().saturating_sub(ERRORS_KEPT));
    Some(report)
}
