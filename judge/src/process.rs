//! One bot process under the contest's limits.

use crate::os::{Group, PULSE};
use crate::verdict::OUTPUT_LIMIT;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What a bot may use (statement, section Submissions).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Wall time from start to end.
    pub time: Duration,
    /// Resident memory, in bytes.
    pub memory: u64,
}

/// A bot still running this much after its time is killed. Until then it may
/// go on, to show by how much it was late.
pub const SLACK: Duration = Duration::from_millis(500);

/// Most bytes of standard error that are kept: the last ones.
const ERRORS_KEPT: usize = 4096;

/// How long to wait for output after the end of a bot, in case something that
/// it started has left its process group with the pipe.
const DRAIN: Duration = Duration::from_secs(1);

/// Reads a limit of time, 0.001 to 86400 seconds.
///
/// # Errors
/// Says what was expected.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let expected = "expected seconds from 0.001 to 86400";
    let seconds: f64 = text.parse().map_err(|_| expected)?;
    if (0.001..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(expected.into())
    }
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with status 0.
    Exited,
    /// By itself, with another status or a signal, in words.
    Failed(String),
    /// Killed, [`SLACK`] after its time.
    OutOfTime,
    /// Killed when it was seen with more memory than it may use.
    OutOfMemory,
    /// Killed after [`OUTPUT_LIMIT`] bytes of output.
    TooMuchOutput,
}

/// What came of a process.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// From before its start to its end.
    pub wall: Duration,
    /// Processor time of it and of the processes it waited for.
    pub cpu: Duration,
    /// Peak resident memory in bytes, of it or of the largest process that it
    /// waited for. Never less than that of the judge itself (a few MiB), which
    /// a child starts as a copy of.
    pub peak_memory: u64,
    /// What it wrote to standard output, at most [`OUTPUT_LIMIT`] bytes.
    pub output: Vec<u8>,
    /// The last of what it wrote to standard error.
    pub errors: String,
}

/// The processes that run now.
static RUNNING: Mutex<Vec<Group>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every process that [`play`] runs now. While the returned guard lives, [`play`] starts no
/// other.
pub fn kill_all() -> impl Drop {
    let running = lock(&RUNNING);
    for group in running.iter() {
        group.kill();
    }
    running
}

enum Event {
    Ended(Instant),
    TooMuchOutput,
}

/// Runs a command with `input` on its standard input, within `limits`.
///
/// # Errors
/// If the command cannot be started.
pub fn play(command: &mut Command, input: String, limits: Limits) -> io::Result<Finished> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (events, happened) = mpsc::channel();
    let (group, mut child, start) = {
        let mut running = lock(&RUNNING);
        let start = Instant::now();
        let (group, child) = Group::spawn(command)?;
        running.push(group);
        (group, child, start)
    };
    let ended = events.clone();
    group.when_ended(move || drop(ended.send(Event::Ended(Instant::now()))));

    // Input, output and errors each have a thread: a bot may leave any of them
    // unread or unwritten for as long as it likes.
    if let Some(mut stdin) = child.stdin.take() {
        // A bot that ends without reading breaks the pipe, as it may.
        thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    let output = child.stdout.take().map(|stdout| {
        Kept::reading(stdout, OUTPUT_LIMIT, move |kept, bytes| {
            kept.extend(bytes);
            if kept.len() as u64 >= OUTPUT_LIMIT {
                let _ = events.send(Event::TooMuchOutput);
            }
        })
    });
    let errors = child.stderr.take().map(|stderr| {
        Kept::reading(stderr, u64::MAX, |kept, bytes| {
            kept.extend(bytes);
            let surplus = kept.len().saturating_sub(ERRORS_KEPT);
            kept.drain(..surplus);
        })
    });

    let mut killed = None;
    // What is killed below a bot is in no account of the system.
    let mut seen_memory = 0;
    let ended_at = loop {
        match happened.recv_timeout(PULSE) {
            Ok(Event::Ended(at)) => break at,
            Ok(Event::TooMuchOutput) => killed = killed.or(Some(End::TooMuchOutput)),
            Err(RecvTimeoutError::Disconnected) => thread::sleep(PULSE),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if Group::has_ended(&mut child) {
            break Instant::now();
        }
        if killed.is_none() {
            seen_memory = seen_memory.max(group.resident().unwrap_or(0));
            if start.elapsed() > limits.time + SLACK {
                killed = Some(End::OutOfTime);
            } else if seen_memory > limits.memory {
                killed = Some(End::OutOfMemory);
            }
        }
        if killed.is_some() {
            group.kill();
            let _ = child.kill();
        }
    };
    // Whatever it started and left behind would keep the pipes open.
    group.kill();
    let used = {
        let mut running = lock(&RUNNING);
        running.retain(|&other| other != group);
        child.wait4()?
    };
    let deadline = Instant::now() + DRAIN;
    let output = output.map_or_else(Vec::new, |kept| kept.take(deadline));
    let errors = errors.map_or_else(Vec::new, |kept| kept.take(deadline));
    let end = match killed {
        Some(end) => end,
        None if output.len() as u64 >= OUTPUT_LIMIT => End::TooMuchOutput,
        None if used.status.success() => End::Exited,
        None => End::Failed(used.status.to_string()),
    };
    Ok(Finished {
        end,
        wall: ended_at - start,
        cpu: used.rusage.utime + used.rusage.stime,
        peak_memory: used.rusage.maxrss.max(seen_memory),
        output,
        errors: String::from_utf8_lossy(&errors).into_owned(),
    })
}

/// What a thread has read from a pipe so far.
struct Kept {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    done: mpsc::Receiver<()>,
}

impl Kept {
    /// Reads at most `limit` bytes of `pipe`; `keep` puts each piece to those
    /// kept.
    fn reading(
        pipe: impl Read + Send + 'static,
        limit: u64,
        keep: impl Fn(&mut VecDeque<u8>, &[u8]) + Send + 'static,
    ) -> Self {
        let bytes = Arc::new(Mutex::new(VecDeque::new()));
        let (finished, done) = mpsc::channel();
        let shared = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut pipe = pipe.take(limit);
            let mut piece = [0; 8192];
            loop {
                match pipe.read(&mut piece) {
                    Ok(0) => break,
                    Ok(n) => keep(&mut lock(&shared), &piece[..n]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            let _ = finished.send(());
        });
        Self { bytes, done }
    }

    /// All that was read until the end of the pipe or the deadline.
    fn take(self, deadline: Instant) -> Vec<u8> {
        let _ = self
            .done
            .recv_timeout(deadline.saturating_duration_since(Instant::now()));
        let bytes = std::mem::take(&mut *lock(&self.bytes));
        bytes.into()
    }
}
