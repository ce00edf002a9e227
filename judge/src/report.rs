//! The results of a run, as they are kept: one JSON object.

use crate::row::Row;
use crate::summary::Summary;
use anyhow::{Context, Result};
use columns_cli::{input, json};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The `format` of reports that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Most bytes of a report that are read.
pub(crate) const LIMIT: u64 = 256 << 20;

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
    /// The name of the bot's version: see [`Identity`](crate::bot::Identity).
    pub bot_version: String,
    /// The digest of the bot's files; empty in reports of version 0.1.
    #[serde(default)]
    pub bot_digest: String,
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
    /// True if each of these games had processors of its own.
    #[serde(default)]
    pub pinned: bool,
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
    /// The conditions under which the games were played, by name: two runs are alike if all of them are.
    pub fn conditions(&self) -> [(&'static str, String); 5] {
        let processor = self.host.processor.clone().unwrap_or_default();
        [
            ("time limit in s", self.time_limit_s.to_string()),
            ("memory limit in MiB", self.memory_limit_mib.to_string()),
            ("games at a time", self.jobs.to_string()),
            ("processor", processor),
            ("pinned", if self.pinned { "yes" } else { "no" }.into()),
        ]
    }

    /// Takes the games of a run, in the order of its cases; some of these are missing if it was interrupted.
    pub fn end(&mut self, rows: Vec<Row>, cases: usize) {
        self.interrupted = rows.len() < cases;
        self.summary = Summary::of(&rows);
        self.seeds = rows.iter().filter_map(|row| row.seed).collect();
        self.rows = rows;
    }

    /// What played: `bot 0.2.0, build 1a2b3c4d`.
    pub fn identity(&self) -> String {
        match self.bot_digest.as_str() {
            "" => self.bot_version.clone(),
            digest => format!("{}, build {digest:.8}", self.bot_version),
        }
    }

    /// Reads a report.
    ///
    /// # Errors
    /// One line that names the file, the line in it, and what is wrong there.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, file) = (input::read(path, LIMIT)?, input::name(path));
        let mut report = Self::parse(&text).with_context(|| file.clone())?;
        report.summary = Summary::of(&report.rows);
        report.file = file;
        Ok(report)
    }

    /// Reads the text of a report, or of its head, which has no rows.
    ///
    /// # Errors
    /// The line of the mistake, and what was expected there.
    pub fn parse(text: &str) -> Result<Self> {
        json::parse_format(text, "a report of `judge run --json`", FORMAT)
    }
}
