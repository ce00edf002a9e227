//! One process under the contest's limits.
//!
//! It reads a file and writes files, as in `bot < in > out 2> err`: it may read and write as much
//! at a time as it likes, in any order, and nothing has to keep up with it.

use crate::memory::Memory;
use crate::os::{self, Group};
use crate::runner::OUTPUT_LIMIT;
use clap::Args;
use columns_cli::options;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{ChildStdin, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use wait4::ResUse;

/// What a bot may use.
#[derive(Debug, Clone, Copy, PartialEq, Args)]
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

/// A bot still running this much after its time is killed. Until then it may
/// go on, to show by how much it was late.
const SLACK: Duration = Duration::from_millis(500);

/// How often a process is looked at.
const PULSE: Duration = Duration::from_millis(20);

/// Most bytes of standard error, which may well be a debug build's whole search.
const ERRORS_LIMIT: u64 = 1 << 30;

/// So many bytes of standard error are read: the last ones.
const ERRORS_READ: u64 = 1 << 20;

/// How long to wait for the end of what a bot has left behind.
const CLEAN_UP: Duration = Duration::from_secs(1);

/// What came of a process. It was killed if it was a little over its time, if it was seen with more
/// memory than it may use, or after [`OUTPUT_LIMIT`] bytes of output or 1 GiB of errors.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it failed, in words: its status, or the signal that ended it. `None` for status 0.
    pub failed: Option<String>,
    /// From before its start to its end.
    pub wall: Duration,
    /// Processor time of it and of the processes it waited for.
    pub cpu: Duration,
    /// Peak memory in MiB: of it and all processes below it together, as far as that was seen
    /// (what they share counts once), or the most of a single one. Never less than that of the
    /// judge itself (a few MiB), which a child starts as a copy of.
    pub peak_memory_mib: f64,
    /// What it wrote to standard output, at most [`OUTPUT_LIMIT`] bytes.
    pub output: Vec<u8>,
    /// The last of what it wrote to standard error, up to 1 MiB.
    pub errors: String,
}

/// Set by [`kill_all`].
pub static STOPPED: AtomicBool = AtomicBool::new(false);

/// The processes that run now. The guard is started before the first.
static RUNNING: LazyLock<Mutex<Running>> = LazyLock::new(|| {
    let (groups, guard) = (Vec::new(), os::guard());
    Mutex::new(Running { groups, guard })
});

struct Running {
    groups: Vec<u32>,
    guard: Option<ChildStdin>,
}

impl Running {
    fn lock() -> MutexGuard<'static, Self> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a process; tells when.
    fn start(&mut self, command: Command) -> io::Result<(Instant, Group)> {
        if STOPPED.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let start = Instant::now();
        let group = os::spawn(command)?;
        self.groups.push(group.id());
        self.tell();
        Ok((start, group))
    }

    /// Takes a process off that has ended, reaps it, and kills what it has left behind.
    fn end(&mut self, mut group: Group) -> io::Result<ResUse> {
        let _ = group.start_kill();
        self.groups.retain(|&other| other != group.id());
        self.tell();
        let used = os::reap(group);
        // What the killed ones started in turn shows only when they are gone.
        #[cfg(unix)]
        wait_until(|| !os::kill_orphans(&self.groups));
        used
    }

    /// Tells the guard what runs.
    fn tell(&mut self) {
        if let Some(guard) = &mut self.guard {
            let groups = self.groups.iter().map(|group| format!(" -{group}"));
            // A whole line at once, for this process can be killed at any moment.
            let _ = guard.write_all((groups.collect::<String>() + "\n").as_bytes());
        }
    }
}

/// Has every [`run`] kill its process, and start no other; returns when they are gone, or after a
/// second.
pub fn kill_all() {
    STOPPED.store(true, Ordering::Relaxed);
    wait_until(|| Running::lock().groups.is_empty());
}

/// Waits until something is so, but no longer than [`CLEAN_UP`].
fn wait_until(is_so: impl Fn() -> bool) {
    let until = Instant::now() + CLEAN_UP;
    while !is_so() && Instant::now() < until {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Runs a command with `input` on its standard input, within `limits`.
///
/// # Errors
/// If the command cannot be started, or by [`kill_all`].
pub fn run(mut command: Command, input: &[u8], limits: Limits) -> io::Result<Finished> {
    let mut stdin = tempfile::tempfile()?;
    stdin.write_all(input)?;
    stdin.rewind()?;
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(stdin);
    command.stdout(stdout.try_clone()?);
    command.stderr(stderr.try_clone()?);
    let (start, mut group) = Running::lock().start(command)?;
    let mut memory = Memory::default();
    let is_full = |file: &File, limit| file.metadata().is_ok_and(|file| file.len() >= limit);
    while !os::ended_within(&mut group, PULSE) {
        memory.look(group.id());
        if STOPPED.load(Ordering::Relaxed)
            || start.elapsed() > limits.time + SLACK
            || memory.most > limits.memory << 20
            || is_full(&stdout, OUTPUT_LIMIT)
            || is_full(&stderr, ERRORS_LIMIT)
        {
            // This fails when nobody is left, which is what was wanted.
            let _ = group.start_kill();
        }
    }
    let wall = start.elapsed();
    let used = Running::lock().end(group)?;
    if STOPPED.load(Ordering::Relaxed) {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let failed = if is_full(&stderr, ERRORS_LIMIT) {
        Some("more than 1 GiB on standard error".into())
    } else {
        (!used.status.success()).then(|| used.status.to_string())
    };
    let errors = read(stderr, SeekFrom::End(-(ERRORS_READ as i64)), ERRORS_READ)?;
    Ok(Finished {
        failed,
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        peak_memory_mib: used.rusage.maxrss.max(memory.most) as f64 / f64::from(1 << 20),
        output: read(stdout, SeekFrom::Start(0), OUTPUT_LIMIT)?,
        errors: String::from_utf8_lossy(&errors).into_owned(),
    })
}

/// At most `limit` bytes of a file, from some place or, where there is no such place, its start.
fn read(mut file: File, from: SeekFrom, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(from).or_else(|_| file.rewind().map(|()| 0))?;
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
