//! The options of `judge run` for the cases, the games and the table. Each is also a key of `columns.toml`.

use crate::arena::process::Limits;
use crate::cases::{self, CaseEntry, Cases};
use anyhow::{Context, Result};
use clap::Args;
use columns_cases::seeds::{MAX_FILE_BYTES, SeedList, SeedRange};
use columns_cli::pool::PoolOptions;
use columns_cli::{input, options};
use columns_generator::Spec;
use columns_generator_command::CaseOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The help heading of the options that choose the cases.
const CASES_HEADING: &str = "Cases";

/// The seeds of a run if neither the command line nor columns.toml names any. Seed 1 is not among them: it is
/// the sample of the statement, which has only eleven columns.
const DEFAULT_SEEDS: (u64, u64) = (2, 21);

/// The limits of a game. The default limits are those of the contest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Args)]
pub struct LimitOptions {
    /// Wall-time limit of a game; it is not passed to the bot [default: 4]
    #[arg(long, value_name = "SECONDS", value_parser = options::number_between("seconds", 0.001, 86_400.0))]
    time_limit: Option<f64>,
    /// Memory limit of a game, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = options::number_between("MiB", 1, 1_u64 << 20))]
    memory_limit: Option<u64>,
}

impl From<LimitOptions> for Limits {
    fn from(options: LimitOptions) -> Self {
        Self {
            time_limit_s: options.time_limit.unwrap_or(Self::CONTEST.time_limit_s),
            memory_limit_mib: options
                .memory_limit
                .unwrap_or(Self::CONTEST.memory_limit_mib),
        }
    }
}

/// What to play, and how. Both the command line and `columns.toml` can set these options.
#[derive(Debug, Clone, Default, Args)]
pub struct PlayOptions {
    /// Number of games at a time.
    #[command(flatten)]
    pub pool: PoolOptions,
    /// The limits of a game; limits that are not set default to the contest's.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Maximum time of a comparison with --against, such as 5m
    #[arg(long, value_name = "TIME", value_parser = options::parse_duration)]
    pub max_time: Option<Duration>,
    /// Play the cases in a shuffled order, the same every time
    #[arg(long)]
    pub shuffle: bool,
    /// Show a number that the bot reports in a line `NAME = 5` on standard error, or a field of a game, such
    /// as `longest_chain`; can be repeated
    #[arg(long, value_name = "NAME")]
    pub number: Vec<String>,
    /// Seeds to play: one seed, A..=B, or A..B, which excludes B; or several: 1..=9,25 [default: 2..=21]
    #[arg(short, long, value_name = "RANGE", value_delimiter = ',', help_heading = CASES_HEADING)]
    seeds: Vec<SeedRange>,
    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with = "seeds", help_heading = CASES_HEADING)]
    seeds_file: Option<PathBuf>,
    /// Play the case files *.txt of this folder; with --seeds, only the files of those seeds, such as
    /// 0001.txt for seed 1
    #[arg(long = "in", value_name = "DIR", conflicts_with = "CaseOptions",
        help_heading = CASES_HEADING)]
    pub folder: Option<PathBuf>,
    #[command(flatten)]
    cases: CaseOptions,
}

impl PlayOptions {
    /// Returns these options, with missing ones taken from `file`, the options in the `columns.toml` of the
    /// folder `base`. An option of the command line also overrides the keys that contradict it: `--in`
    /// overrides the keys of the generator.
    #[must_use]
    pub fn or(self, file: Self, base: &Path) -> Self {
        let in_base = |path: PathBuf| base.join(path);
        let names_seeds = !self.seeds.is_empty() || self.seeds_file.is_some();
        let (seeds, seeds_file) = if names_seeds {
            (self.seeds, self.seeds_file)
        } else {
            (file.seeds, file.seeds_file.map(in_base))
        };
        let (folder, cases) = match self.folder {
            Some(folder) => (Some(folder), CaseOptions::default()),
            None if self.cases.is_set() => (None, self.cases.or(file.cases)),
            None => (file.folder.map(in_base), file.cases),
        };
        let number = if self.number.is_empty() {
            file.number
        } else {
            self.number
        };
        Self {
            pool: PoolOptions {
                jobs: self.pool.jobs.or(file.pool.jobs),
            },
            limits: LimitOptions {
                time_limit: self.limits.time_limit.or(file.limits.time_limit),
                memory_limit: self.limits.memory_limit.or(file.limits.memory_limit),
            },
            max_time: self.max_time.or(file.max_time),
            shuffle: self.shuffle || file.shuffle,
            number,
            seeds,
            seeds_file,
            folder,
            cases,
        }
    }

    /// Returns the cases to play. Checks that all case files are valid.
    ///
    /// # Errors
    /// Returns an error if an option is not valid, or if a file cannot be read or is not a case.
    pub fn cases(&self) -> Result<Cases> {
        let spec = Spec::try_from(self.cases.0)?;
        let list = |ranges: &[SeedRange]| SeedList::try_from(ranges).context("--seeds");
        let seeds = match (&self.seeds_file, &self.seeds[..]) {
            (Some(path), _) => Some(input::read_parsed(path, MAX_FILE_BYTES)?),
            (None, []) => None,
            (None, ranges) => Some(list(ranges)?),
        };
        let Some(folder) = &self.folder else {
            let default = SeedRange::new(DEFAULT_SEEDS.0, DEFAULT_SEEDS.1);
            let seeds = seeds.map_or_else(|| list(default.as_slice()), Ok)?;
            return Ok(Cases::Generated { seeds, spec });
        };
        let name = |seed| CaseEntry::Generated(seed, spec).name();
        let names = match seeds {
            Some(seeds) => seeds.iter().map(name).collect(),
            None => cases::list_folder(folder)?,
        };
        let source = folder.display().to_string();
        let cases = Cases::Files { source, names };
        // Report an invalid case now instead of after an hour of play.
        for entry in cases.entries(folder) {
            entry.load()?;
        }
        Ok(cases)
    }
}
