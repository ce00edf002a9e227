//! The results of a run, as they are kept: one JSON object.

use crate::classes::Kind;
use crate::summary::Summary;
use anyhow::{bail, Context, Result};
use columns_cli::input;
use columns_generator::Palette;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The `format` of reports that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Most bytes of a report that are read.
const LIMIT: u64 = 256 << 20;

/// What became of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// All columns landed.
    Ok,
    /// A column did not fit before all had landed; the points count.
    Died,
    /// Over the time limit; scores 0.
    Tle,
    /// Over the memory limit; scores 0.
    Mle,
    /// No valid plan; scores 0.
    Invalid,
    /// Ended by a signal or with a status that is not 0; scores 0.
    Crashed,
}

impl Mark {
    /// Whether the game counts as lost: over a limit, invalid or crashed.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::Ok | Self::Died)
    }
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What the case is called.
    pub name: String,
    /// Its seed, where there is one.
    pub seed: Option<u64>,
    /// 64 bits of FNV-1a of the case's text, in hexadecimal.
    pub digest: String,
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: usize,
    /// Number of columns, k.
    pub columns: usize,
    /// How many of them are magic.
    pub magic: usize,
    /// Number of colours.
    pub colours: usize,
    /// Whether all colours are there from the start, as the generator has it; a
    /// guess for cases from files.
    pub palette: Palette,
    /// Points, 0 for a game lost.
    pub score: u64,
    /// Points by the number of columns in the case.
    pub points_per_column: f64,
    /// Points of the quickstart rule on this case.
    pub quickstart: u64,
    /// How many columns landed; `None` without a valid plan.
    pub placed: Option<usize>,
    /// Steps of the longest chain; `None` without a valid plan.
    pub longest_chain: Option<usize>,
    /// Wall time from start to end of the bot, in seconds.
    pub wall_s: f64,
    /// Processor time of the bot, in seconds.
    pub cpu_s: f64,
    /// Peak resident memory of the bot, in MiB.
    pub peak_memory_mib: f64,
    /// What became of it.
    pub mark: Mark,
    /// Why, if it is a failure.
    pub reason: Option<String>,
}

impl Row {
    /// What kind of case it is.
    pub fn kind(&self) -> Kind {
        Kind {
            cells: self.width * self.height,
            columns: self.columns,
            colours: self.colours,
            palette: self.palette,
        }
    }
}

/// Where a run was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
        let model = cpuinfo.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == "model name").then(|| value.trim().to_string())
        });
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            processor: model,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// A run: a bot over many cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of the judge.
    pub judge: String,
    /// The bot's command line.
    pub bot: String,
    /// What the bot of this build says of its version; `None` for another bot.
    pub bot_version: Option<String>,
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
    /// Where.
    pub host: Host,
    /// When it started, in UTC.
    pub started: String,
    /// How long it took in all, in seconds.
    pub elapsed_s: f64,
    /// The rows, summed up.
    pub summary: Summary,
    /// The games, in the order of the seeds or file names.
    pub rows: Vec<Row>,
}

impl Report {
    /// As JSON text.
    ///
    /// # Errors
    /// None for reports as [`crate::run`] makes them.
    pub fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads a report.
    ///
    /// # Errors
    /// One line that names the file, the line in it, and what is wrong there.
    pub fn read(path: &Path) -> Result<Self> {
        let text = input::read(path, LIMIT)?;
        Self::parse(&text).with_context(|| input::name(path))
    }

    fn parse(text: &str) -> Result<Self> {
        /// Enough to tell a report of another version.
        #[derive(Deserialize)]
        #[serde(expecting = "an object")]
        struct Version {
            format: u32,
        }
        let expected = "expected a report of `judge run --json`";
        let wrong = |error: serde_json::Error| {
            // serde_json puts the place last; all our messages have it first.
            let place = format!(" at line {} column {}", error.line(), error.column());
            let what = error.to_string().replace(&place, "");
            anyhow::anyhow!("line {}: {expected}: {what}", error.line().max(1))
        };
        let version: Version = serde_json::from_str(text).map_err(wrong)?;
        if version.format != FORMAT {
            bail!(
                "line 1: {expected} in format {FORMAT}, found {}",
                version.format
            );
        }
        serde_json::from_str(text).map_err(wrong)
    }
}
