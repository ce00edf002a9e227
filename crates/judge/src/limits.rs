//! The limits and the measurements of a process. The judge sends the limits to a supervisor, and receives the
//! measurements from the supervisor.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits of a game; a game that exceeds one fails.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time. The judge does not pass it to the bot.
    pub time: Duration,
    /// Memory of the bot and all its descendants, in MiB.
    pub memory_mib: u64,
}

impl Limits {
    /// The limits of the contest (statement, section Submissions).
    pub const CONTEST: Self = Self {
        time: Duration::from_secs(4),
        memory_mib: 1024,
    };
}

/// A process that has ended: its output, and the resources that it used.
///
/// The supervisor kills a process half a second after its time limit, or if it exceeds its memory limit, or
/// if it prints 1 MiB to standard output.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FinishedProcess {
    /// The exit status or the signal that ended the process, as text; `None` for status 0.
    pub failure: Option<String>,
    /// The time from just before the start of the process until its end.
    pub wall_time: Duration,
    /// Processor time of the process and all its descendants.
    pub cpu_time: Duration,
    /// Peak memory in MiB: the larger of two values. The first is the largest sum over the process and its
    /// descendants that two successive samples of the supervisor reached, with shared memory counted once.
    /// The second is the peak of any single process.
    ///
    /// The value is at least the few MiB of the supervisor, because a process starts as a copy of the
    /// supervisor.
    pub peak_memory_mib: f64,
    /// True if the supervisor itself was stopped during the game, for example by a frozen container. The
    /// measurements then say little about the process.
    pub was_frozen: bool,
    /// Standard output, at most 1 MiB.
    #[serde(skip)]
    pub stdout: Vec<u8>,
    /// The end of standard error, at most 1 MiB.
    #[serde(skip)]
    pub stderr: Vec<u8>,
}

/// The message of a supervisor to the judge about the process that it was to run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum SupervisorReport {
    /// The process has ended by itself, or the supervisor has killed it.
    Finished(FinishedProcess),
    /// The system could not start the process; the value is `errno`.
    NotStarted(i32),
    /// The supervisor could not do its work; the text is the reason.
    Failed(String),
}
