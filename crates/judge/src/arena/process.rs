//! The judge's side of a game: runs one process under time and memory limits.
//!
//! The standard input of the process is a file, which it may seek in and map into memory. On Linux, the file
//! exists only in memory. Standard output and standard error are pipes. Each process has its own
//! [supervisor], which contains and measures it, and appends a report to standard error when all processes of
//! the bot have ended.

use super::supervisor::{self, CHECK_INTERVAL, SupervisorReport};
pub use super::supervisor::{FinishedProcess, Limits};
use super::system;
use anyhow::{Context, Result, bail};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The size of standard output, in bytes, at which the judge kills the bot. The longest plan takes 50 KB.
pub const MAX_OUTPUT_BYTES: u64 = 1 << 20;

/// The maximum number of bytes that the judge keeps from the end of standard error.
const MAX_STDERR_BYTES: usize = 1 << 20;

/// How long [`run`] waits after the time limit before it stops the supervisor. The supervisor
/// normally ends by itself before that, unless a signal has suspended it.
const SUPERVISOR_TIMEOUT: Duration = Duration::from_secs(3);

/// Runs a command from [`supervisor::command`] with `input` on standard input, within `limits`. Kills the
/// process when `stop` is set.
///
/// # Errors
/// Returns an [`Errno`] if the program itself prevents its start, for example because its file does not
/// exist. Returns [`io::ErrorKind::Interrupted`] if `stop` is true. Any other error means that the machine
/// cannot run the process now, for example because it has run out of memory.
pub fn run(
    mut command: Command,
    input: &[u8],
    limits: Limits,
    stop: &AtomicBool,
) -> Result<FinishedProcess> {
    let input = create_input_file(input).context("the input of a bot")?;
    command.arg(supervisor::order_argument(limits)).stdin(input);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut supervisor = command.spawn().with_context(|| {
        let program = system::own_executable();
        format!("cannot start a supervisor, {}", program.display())
    })?;
    let streams = watch(&mut supervisor, limits, stop);
    let [stdout, mut stderr] = streams.context("cannot read what a bot prints")?;
    let status = supervisor.wait().context("cannot wait for a supervisor")?;
    if stop.load(Ordering::Relaxed) {
        return Err(io::Error::from(io::ErrorKind::Interrupted).into());
    }
    let report = status.success().then(|| take_report(&mut stderr));
    match report.flatten() {
        Some(SupervisorReport::Finished(finished)) => Ok(FinishedProcess {
            stdout,
            stderr,
            ..finished
        }),
        Some(SupervisorReport::NotStarted(errno)) => Err(start_error(Errno::from_raw(errno))),
        Some(SupervisorReport::Failed(what)) => bail!(what),
        None => bail!("a supervisor was killed ({status})"),
    }
}

/// Returns the error for a program that did not start. This is an [`io::Error`] if the cause is temporary,
/// such as a lack of memory or a file that is being written, and an [`Errno`] if the program is at fault.
fn start_error(errno: Errno) -> anyhow::Error {
    use Errno::{EAGAIN, EIO, EMFILE, ENFILE, ENOMEM, ETXTBSY};
    match errno {
        EAGAIN | EIO | EMFILE | ENFILE | ENOMEM | ETXTBSY => {
            anyhow::Error::from(io::Error::from(errno)).context("cannot start a bot")
        }
        _ => errno.into(),
    }
}

/// Returns an unnamed file that contains this text, positioned at its start.
fn create_input_file(text: &[u8]) -> io::Result<File> {
    let mut file = system::create_unnamed_file()?;
    file.write_all(text)?;
    file.rewind().map(|()| file)
}

/// Reads the start of standard output and the end of standard error until the supervisor has ended. Stops the
/// supervisor if standard output reaches [`MAX_OUTPUT_BYTES`], if `stop` is set, or if the supervisor does
/// not end in time.
fn watch(supervisor: &mut Child, limits: Limits, stop: &AtomicBool) -> io::Result<[Vec<u8>; 2]> {
    let start = Instant::now();
    let pipes = supervisor.stdout.take().zip(supervisor.stderr.take());
    let (stdout, stderr) = pipes.expect("both are pipes");
    let pipes = [OwnedFd::from(stdout), stderr.into()].map(File::from);
    let mut texts = [Vec::new(), Vec::new()];
    let mut buffer = [0; 1 << 14];
    let poll_timeout = PollTimeout::try_from(CHECK_INTERVAL).expect("a short time");
    loop {
        let mut polled = pipes
            .each_ref()
            .map(|pipe| PollFd::new(pipe.as_fd(), PollFlags::POLLIN));
        match poll(&mut polled, poll_timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let ready = polled.map(|poll| poll.any() == Some(true));
        let mut count = 0;
        for ((mut pipe, is_ready), text) in pipes.iter().zip(ready).zip(&mut texts) {
            if is_ready {
                let length = pipe.read(&mut buffer)?;
                text.extend(&buffer[..length]);
                count += length;
            }
        }
        // The supervisor holds both pipes open until it ends, so both reach their end at the same time. A
        // process that escaped, or that outlives a killed supervisor, may hold the pipes open longer, so also
        // check whether the supervisor has ended.
        if count == 0 && (ready.contains(&true) || supervisor.try_wait()?.is_some()) {
            return Ok(texts);
        }
        let [output, stderr] = &mut texts;
        output.truncate(MAX_OUTPUT_BYTES as usize);
        if stderr.len() > 2 * MAX_STDERR_BYTES {
            stderr.drain(..stderr.len() - MAX_STDERR_BYTES);
        }
        if stop.load(Ordering::Relaxed)
            || output.len() as u64 == MAX_OUTPUT_BYTES
            || start.elapsed() > limits.time_limit() + SUPERVISOR_TIMEOUT
        {
            supervisor::stop(supervisor);
        }
    }
}

/// Removes the last line of standard error, which is the supervisor's report, and returns the report. Returns
/// `None` if there is no report.
fn take_report(stderr: &mut Vec<u8>) -> Option<SupervisorReport> {
    let text = stderr.strip_suffix(b"\n")?;
    let start = text.iter().rposition(|&byte| byte == b'\n')?;
    let report = serde_json::from_slice(&text[start + 1..]).ok()?;
    stderr.truncate(start);
    stderr.drain(..stderr.len().saturating_sub(MAX_STDERR_BYTES));
    Some(report)
}
