//! The report of a run: its results as one JSON object.

use crate::cases::Entry;
use crate::row::Row;
use crate::summary::Summary;
use anyhow::{Context, Result};
use columns_cli::{input, json};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// The format number of the reports that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Maximum size of a report, in bytes.
const LIMIT: u64 = 256 << 20;

/// The machine of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Number of threads that the machine can run at the same time.
    pub threads: usize,
    /// Model name of the processor; `None` if `/proc/cpuinfo` does not list one.
    pub processor: Option<String>,
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
}

impl Host {
    /// Describes this machine.
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

/// The report of a run: a bot on many cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the file that the report was read from; empty for a new report.
    #[serde(skip_deserializing, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Format number: [`FORMAT`].
    pub format: u32,
    /// Version of the judge.
    pub judge: String,
    /// The bot's command line.
    pub bot: String,
    /// Version of the bot: see [`Bot::version`](crate::bot::Bot::version).
    pub bot_version: String,
    /// Digest of the bot's files, of which messages show the first 8 digits; empty in reports of version 0.1.
    #[serde(default)]
    pub bot_digest: String,
    /// The user's `--comment`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// True if the run was interrupted before it had played all cases.
    #[serde(default)]
    pub interrupted: bool,
    /// Seeds of the rows, in the order of the rows. Rows without a seed are left out.
    pub seeds: Vec<u64>,
    /// Source of the cases, as options of `judge run`: `--in DIR`, or `--seeds 1..=20` and the options of the generator.
    pub cases: String,
    /// Wall time limit per game, in seconds.
    pub time_limit_s: f64,
    /// Memory limit per game, in MiB.
    pub memory_limit_mib: u64,
    /// Number of games that run in parallel.
    pub jobs: usize,
    /// True if the judge reserved processors for each game (`--pin`).
    #[serde(default)]
    pub pinned: bool,
    /// The machine of the run.
    pub host: Host,
    /// Start of the run in UTC, in the format of RFC 3339.
    pub started: String,
    /// Duration of the run in seconds, summed over all invocations of the command.
    pub elapsed_s: f64,
    /// Summary of the rows.
    #[serde(skip_deserializing)]
    pub summary: Summary,
    /// The games, in the order of the cases.
    pub rows: Vec<Row>,
}

impl Report {
    /// Returns the conditions of the games, by name. The scores of two runs are comparable if all conditions are equal.
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

    /// Completes the report with the games of a run with these cases, and sorts them in the order of the cases. An
    /// interrupted run has fewer games than cases.
    pub fn end(&mut self, mut rows: Vec<Row>, cases: &[Entry]) {
        let order: HashMap<String, usize> = cases.iter().map(Entry::name).zip(0..).collect();
        rows.sort_by_key(|row| order[&row.name]);
        self.interrupted = rows.len() < cases.len();
        self.summary = Summary::of(&rows);
        self.seeds = rows.iter().filter_map(|row| row.seed).collect();
        self.rows = rows;
    }

    /// Returns the version and the build of the bot: `bot 0.2.0, build 1a2b3c4d`.
    pub fn identity(&self) -> String {
        match self.bot_digest.as_str() {
            "" => self.bot_version.clone(),
            digest => format!("{}, build {digest:.8}", self.bot_version),
        }
    }

    /// Reads a report from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a report. The error names the file and the line, and says what is wrong there.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, file) = (input::read(path, LIMIT)?, input::name(path));
        let report = json::parse_format(&text, "a report of `judge run --json`", FORMAT);
        let mut report: Self = report.with_context(|| file.clone())?;
        report.summary = Summary::of(&report.rows);
        report.file = file;
        Ok(report)
    }
}
