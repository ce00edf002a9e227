//! One bot process under the contest's limits.

use crate::os::{self, Group, Guard, PULSE};
use crate::verdict::OUTPUT_LIMIT;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
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

/// How long to wait for output after the end of a bot, and for the end of what it has left
/// behind.
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
    /// Peak resident memory in bytes: of it and all processes below it together, as far as that
    /// was seen, or the most of a single one. Never less than that of the judge itself (a few MiB), which
    /// a child starts as a copy of.
    pub peak_memory: u64,
    /// What it wrote to standard output, at most [`OUTPUT_LIMIT`] bytes.
    pub output: Vec<u8>,
    /// The last of what it wrote to standard error.
    pub errors: String,
}

/// The processes that run now.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: Vec::new(),
    guard: None,
});

struct Running {
    groups: Vec<Group>,
    /// Started with the first process.
    guard: Option<Guard>,
}

impl Running {
    /// Starts a process.
    fn start(&mut self, command: &mut Command) -> io::Result<(Group, Child)> {
        if self.guard.is_none() {
            os::adopt();
            self.guard = Guard::start();
        }
        let (group, child) = Group::spawn(command)?;
        self.groups.push(group);
        self.tell();
        Ok((group, child))
    }

    /// Takes a process off that has ended.
    fn end(&mut self, group: Group) {
        self.groups.retain(|&other| other != group);
        self.tell();
    }

    fn tell(&mut self) {
        if let Some(guard) = &mut self.guard {
            guard.tell(&self.groups);
        }
    }

    /// Kills what ended processes have left behind. What these started in turn shows only when
    /// they are gone.
    fn clean_up(&self) {
        let until = Instant::now() + DRAIN;
        while os::kill_orphans(&self.groups) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every process that [`play`] runs now. While the returned guard lives, [`play`] starts no
/// other.
pub fn kill_all() -> impl Drop {
    let running = lock(&RUNNING);
    for group in &running.groups {
        group.kill();
    }
    running.clean_up();
    running
}

enum Event {
    Ended(Instant),
    TooMuchOutput,
}

/// Whether a bot is held up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// Whether it stands still.
    pub stopped: bool,
    /// Until when, since its start.
    pub until: Duration,
}

impl Pause {
    /// Nothing holds the bot up.
    pub const NEVER: Self = Self {
        stopped: false,
        until: Duration::MAX,
    };
}

/// Runs a command with `input` on its standard input, within `limits`.
///
/// # Errors
/// If the command cannot be started.
pub fn play(command: &mut Command, input: String, limits: Limits) -> io::Result<Finished> {
    play_paused(command, input, limits, |_| Pause::NEVER)
}

/// As [`play`], for a bot that is held up: `pause` gets the time since its start and says how it
/// goes on. Only on Unix can a bot be stopped.
///
/// # Errors
/// If the command cannot be started.
pub fn play_paused(
    command: &mut Command,
    input: String,
    limits: Limits,
    mut pause: impl FnMut(Duration) -> Pause,
) -> io::Result<Finished> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (events, happened) = mpsc::channel();
    let (group, mut child, start) = {
        let mut running = lock(&RUNNING);
        let start = Instant::now();
        let (group, child) = running.start(command)?;
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
    let mut now = pause(start.elapsed());
    // What is killed below a bot is in no account of the system.
    let mut seen_memory = 0;
    let ended_at = loop {
        if start.elapsed() >= now.until {
            now = pause(start.elapsed());
            group.stop(now.stopped);
        }
        let left = now.until.saturating_sub(start.elapsed());
        match happened.recv_timeout(left.min(PULSE)) {
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
        running.end(group);
        let used = child.wait4();
        running.clean_up();
        used?
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
