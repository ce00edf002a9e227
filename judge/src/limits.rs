//! What a bot may use in a game, and what it used: the judge and its supervisors exchange both.

use clap::Args;
use columns_cli::options;
use serde::{Deserialize, Serialize};
use std::time::Duration;

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

/// The result of a process. A process is killed if it exceeds its time by half a second, uses too
/// much memory, or prints 1 MiB of output or 1 GiB of errors.
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
    /// Standard output, at most 1 MiB.
    #[serde(skip)]
    pub output: Vec<u8>,
    /// The last part of standard error, up to 1 MiB.
    #[serde(skip)]
    pub errors: String,
}
