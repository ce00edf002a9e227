//! The results of a run, as they are kept: one JSON object.

use crate::row::Row;
use crate::run::Run;
use crate::summary::Summary;
use anyhow::{Context, Result};
use columns_cli::{input, json};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The `format` of reports that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Most bytes of a report that are read.
const LIMIT: u64 = 256 << 20;

/// The machine of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Threads that can run at a time.
    pub threads: usize,
    /// The processor's own name, where the system tells it.
    pub processor: Option<String>,
    /// Operating system and architecture, `linux x86_64`.
    pub system: String,
}

impl Host {
    /// This machine.
    pub fn here() -> Self {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mut lines = cpuinfo.lines();
        let processor = lines.find_map(|line| line.strip_prefix("model name\t: "));
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            processor: processor.map(Into::into),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// A run: a bot over many cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The file that it was read from, as messages name it.
    #[serde(skip_deserializing, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// [`FORMAT`].
    pub format: u32,
    /// Version of the judge.
    pub judge: String,
    /// The bot's command line.
    pub bot: String,
    /// What tells the bot from others: see [`Bot::version`](crate::bot::Bot::version).
    pub bot_version: String,
    /// What its user said of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Whether the run was interrupted, so that cases are missing.
    #[serde(default)]
    pub interrupted: bool,
    /// The seeds in the order of the rows, of those that have one.
    pub seeds: Vec<u64>,
    /// Where the cases came from, as options of `judge run`: `--in DIR`, or
    /// `--seeds 1..=20` and all that says what to generate.
    pub cases: String,
    /// Limit of wall time, in seconds.
    pub time_limit_s: f64,
    /// Limit of memory, in MiB.
    pub memory_limit_mib: u64,
    /// How many games were played at a time.
    pub jobs: usize,
    /// The machine.
    pub host: Host,
    /// When it started, in UTC.
    pub started: String,
    /// How long it took in all, in seconds.
    pub elapsed_s: f64,
    /// The rows, summed up.
    #[serde(skip_deserializing)]
    pub summary: Summary,
    /// The games, in the order of the seeds or file names.
    pub rows: Vec<Row>,
}

impl Report {
    /// A run that begins now; `cases` are its options that say where they come from.
    ///
    /// The bot is asked for its version now: it may be built anew while it plays.
    ///
    /// # Errors
    /// Those of [`Bot::version`](crate::bot::Bot::version).
    pub fn new(run: &Run, cases: String, comment: Option<String>) -> Result<Self> {
        Ok(Self {
            format: FORMAT,
            judge: env!("CARGO_PKG_VERSION").into(),
            bot: run.bot.to_string(),
            bot_version: run.bot.version()?,
            comment,
            cases,
            time_limit_s: run.limits.time.as_secs_f64(),
            memory_limit_mib: run.limits.memory,
            jobs: run.pool.jobs(),
            host: Host::here(),
            started: jiff::Timestamp::now().to_string(),
            ..Self::default()
        })
    }

    /// Reads a report.
    ///
    /// # Errors
    /// One line that names the file, the line in it, and what is wrong there.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, file) = (input::read(path, LIMIT)?, input::name(path));
        let report = json::parse_format(&text, "a report of `judge run --json`", FORMAT);
        let mut report: Self = report.with_context(|| file.clone())?;
        report.summary = Summary::of(&report.rows, None);
        report.file = file;
        Ok(report)
    }
}
