//! The limits of a process and its measurements. The judge sends the limits to a supervisor and receives the
//! measurements.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits of a game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, in seconds. The bot does not see it.
    pub time: Duration,
    /// Memory, in MiB.
    pub memory: u64,
}

impl Limits {
    /// The limits of the contest (statement, section Submissions).
    pub const CONTEST: Self = Self {
        time: Duration::from_secs(4),
        memory: 1024,
    };
}

/// The result of running a process.
///
/// A process is killed half a second after its time limit, or if it uses too much memory. It is also killed
/// if it prints 1 MiB to standard output.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Finished {
    /// Reason for a failure, such as the exit status or the signal that ended the process. `None` for status
    /// 0.
    pub failed: Option<String>,
    /// Time from just before the start of the process to its end.
    pub wall: Duration,
    /// Processor time of the process and all its descendants.
    pub cpu: Duration,
    /// Peak memory in MiB: the larger of two values. The first is the largest sum over the process and its
    /// descendants that the supervisor observed, with shared memory counted once. The second is the peak of
    /// any single process.
    ///
    /// It is never below the few MiB of the supervisor, because a process starts as a copy of the supervisor.
    pub peak_memory_mib: f64,
    /// True if the supervisor itself was stopped during the game, for example by a frozen container. The
    /// measurements then say little about the process.
    pub frozen: bool,
    /// Standard output, at most 1 MiB.
    #[serde(skip)]
    pub output: Vec<u8>,
    /// The end of standard error, at most 1 MiB.
    #[serde(skip)]
    pub errors: Vec<u8>,
}

/// The report of a supervisor about a process.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The process has ended.
    Finished(Finished),
    /// The process could not be started, for this reason of the system (`errno`).
    NotStarted(i32),
    /// The supervisor could not do its work, for this reason.
    Trouble(String),
}
