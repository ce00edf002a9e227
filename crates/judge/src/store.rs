//! The store of runs: every run of a bot is a folder with a number.
//!
//! ```text
//! runs/.gitignore            keeps the runs out of Git
//! runs/0001/run.jsonl        the ledger of the run: a head, and a row for each game
//! runs/0001/in/0001.txt      the cases, if they came from a folder
//! runs/0001/out/0001.txt     the plans, as the bot printed them
//! runs/0001/err/0001.txt     the end of what the bot printed on standard error
//! ```
//!
//! `run.jsonl` is a [`ledger`]. Its process holds a lock on it, and only ever appends to it:
//!
//! ```json
//! {"crc":"1a2b3c4d","ledger":"judge run","format":1,"name":"wider","bot":"./mine","digest":"5e6f7a8b1a2b3c4d",…}
//! {"crc":"5e6f7a8b","name":"0003","seed":3,"case_digest":"…","plan_digest":"…","score":631868,"status":"ok",…}
//! ```
//!
//! The plan is written before its row, which holds the digest of the plan. So after any interruption, each row either
//! has its plan, or its case is played again; then the last row of the case counts.

use crate::cases::Entry;
use crate::config;
use crate::process::Limits;
use crate::program::{Program, ProgramFile};
use crate::row::Row;
use crate::runner::Played;
use crate::summary::Summary;
use anyhow::{Context, Result, ensure};
use columns_cli::ledger::{self, Ledger};
use columns_cli::pool::{Pool, PoolOptions};
use columns_cli::{command, file};
use columns_generator::Spec;
use columns_generator::digest::Digest;
use columns_generator::seeds::{SeedList, SeedRange};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Name of the ledger in the folder of a run.
const LEDGER: &str = "run.jsonl";

/// Maximum size of all files in `err` of a run, in bytes.
const ERRORS_LIMIT: u64 = 64 << 20;

/// Maximum time between two moments at which the rows are on the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

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
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mut lines = cpuinfo.lines();
        let processor = lines.find_map(|line| line.strip_prefix("model name\t: "));
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            processor: processor.map(Into::into),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The cases of a run, in the order of its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cases {
    /// Cases of the generator of this project.
    Generated {
        /// Their seeds.
        seeds: Vec<SeedRange>,
        /// What to generate.
        spec: Spec,
    },
    /// Cases from files, which the run has copied to `in`.
    Files {
        /// The folder that they came from.
        source: String,
        /// Their names: the file names without `.txt`.
        names: Vec<String>,
    },
}

impl Cases {
    /// Returns the generated cases of some seeds.
    pub fn generated(list: &SeedList, spec: Spec) -> Self {
        let mut seeds: Vec<SeedRange> = Vec::new();
        for seed in list.iter() {
            let last = seeds.last_mut();
            let longer = last.filter(|last| last.last().checked_add(1) == Some(seed));
            match longer {
                Some(last) => *last = SeedRange::new(last.first(), seed).unwrap_or(*last),
                None => seeds.extend(SeedRange::new(seed, seed)),
            }
        }
        Self::Generated { seeds, spec }
    }

    /// Lists the cases. `folder` is that of the run.
    pub fn entries(&self, folder: &Path) -> Vec<Entry> {
        match self {
            Self::Generated { seeds, spec } => {
                let seeds = seeds.iter().copied().flatten();
                seeds.map(|seed| Entry::Generated(seed, *spec)).collect()
            }
            Self::Files { names, .. } => {
                let path = |name| folder.join("in").join(format!("{name}.txt"));
                names.iter().map(|name| Entry::File(path(name))).collect()
            }
        }
    }

    /// Describes the cases as options of `judge run`.
    pub fn options(&self) -> String {
        match self {
            Self::Generated { seeds, spec } => {
                let seeds: Vec<String> = seeds.iter().map(SeedRange::to_string).collect();
                match &seeds[..] {
                    [one] => format!("--seeds {one} {spec}"),
                    several => format!("seeds {} {spec}", several.join(", ")),
                }
            }
            Self::Files { source, .. } => format!("--in {}", shell_words::quote(source)),
        }
    }
}

/// The head of a run: what is played, and under which conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The user's `--name`.
    pub name: Option<String>,
    /// The user's `--comment`.
    pub comment: Option<String>,
    /// The bot's command line.
    pub bot: String,
    /// The folder in which the bot is started.
    pub folder: String,
    /// Version of the bot: see [`Program::version`](crate::program::Program::version).
    pub version: String,
    /// Digest of `files`.
    pub digest: Digest,
    /// The files of the program.
    pub files: Vec<ProgramFile>,
    /// The paths under `watch` of `columns.toml`, relative to `folder`.
    pub watched: Vec<PathBuf>,
    /// Git commit of `folder`, nine hexadecimal digits; `None` outside a repository.
    pub commit: Option<String>,
    /// True if files in the repository had changes that were not committed.
    pub dirty: bool,
    /// The cases.
    pub cases: Cases,
    /// Wall time limit per game, in seconds.
    pub time_limit_s: f64,
    /// Memory limit per game, in MiB.
    pub memory_limit_mib: u64,
    /// Number of games that run in parallel.
    pub jobs: usize,
    /// True if the judge reserves processors for each game (`--pin`).
    pub pinned: bool,
    /// The machine.
    pub host: Host,
    /// Start of the run in UTC, in the format of RFC 3339.
    pub started: String,
    /// Version of the judge.
    pub judge: String,
    /// The number of the base run, for a run of `judge watch`.
    pub base: Option<String>,
}

impl ledger::Head for Head {
    const LEDGER: &'static str = "judge run";
    const WHAT: &'static str = "a run of the judge";
    const FORMAT: u32 = 1;
}

impl Head {
    /// Describes a run of a program on this machine that begins now. Asks the program for its version.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn new(program: &Program, pool: &Pool, cases: Cases) -> Result<Self> {
        let (commit, dirty) = commit(&program.folder);
        Ok(Self {
            name: None,
            comment: None,
            bot: program.bot.to_string(),
            folder: program.folder.display().to_string(),
            version: program.version()?,
            digest: program.digest(),
            files: program.files.clone(),
            watched: program.watched().to_vec(),
            commit,
            dirty,
            cases,
            time_limit_s: program.limits.time.as_secs_f64(),
            memory_limit_mib: program.limits.memory,
            jobs: pool.jobs(),
            pinned: pool.is_pinned(),
            host: Host::here(),
            started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            judge: command::VERSION.into(),
            base: None,
        })
    }

    /// Returns the version of the bot and the start of its digest: `bot 0.3.0, 1a2b3c4d`.
    pub fn identity(&self) -> String {
        format!("{}, {:.8}", self.version, self.digest.to_string())
    }

    /// Returns the limits of the games.
    pub fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs_f64(self.time_limit_s),
            memory: self.memory_limit_mib,
        }
    }

    /// Returns the options of the pool that plays the games.
    pub fn pool(&self) -> PoolOptions {
        PoolOptions {
            jobs: NonZeroUsize::new(self.jobs),
            pin: self.pinned,
        }
    }

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
}

/// A folder of runs.
#[derive(Debug, Clone)]
pub struct Store {
    /// The folder, which need not exist.
    pub folder: PathBuf,
}

impl Store {
    /// Returns the store in this folder, or else `runs` beside the nearest `columns.toml`, or else `runs` in the current
    /// folder.
    pub fn new(folder: Option<&Path>) -> Self {
        let default = || config::folder().unwrap_or_default().join("runs");
        Self {
            folder: folder.map_or_else(default, Path::to_path_buf),
        }
    }

    /// Lists the folders of the runs, the oldest first.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read. A store that does not exist is empty.
    pub fn runs(&self) -> Result<Vec<PathBuf>> {
        let is_run =
            |path: &PathBuf| fs::metadata(path.join(LEDGER)).is_ok_and(|ledger| ledger.len() > 0);
        let runs = self.numbers()?.into_iter().map(|number| self.path(number));
        Ok(runs.filter(is_run).collect())
    }

    /// Reads the complete runs, the oldest first. Leaves out runs of `judge watch` and damaged ones.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read.
    pub fn complete(&self) -> Result<Vec<Run>> {
        let runs = self
            .runs()?
            .into_iter()
            .filter_map(|path| Run::read(&path).ok());
        Ok(runs
            .filter(|run| run.head.base.is_none() && run.is_complete())
            .collect())
    }

    /// Returns the folder of the last run that is not complete, and that no other process plays.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn last_interrupted(&self) -> Result<PathBuf> {
        let is_free = |path: &PathBuf| {
            let ledger = fs::File::open(path.join(LEDGER));
            ledger.is_ok_and(|ledger| ledger.try_lock_shared().is_ok())
        };
        let is_open = |path: &PathBuf| {
            let run = Run::read(path);
            run.is_ok_and(|run| run.head.base.is_none() && !run.is_complete())
        };
        let mut runs = self.runs()?.into_iter().rev();
        let run = runs.find(|path| is_open(path) && is_free(path));
        run.with_context(|| {
            format!(
                "{}: expected an interrupted run, found none",
                self.folder.display()
            )
        })
    }

    /// Lists the numbers of the folders, in order.
    fn numbers(&self) -> Result<Vec<u64>> {
        if !self.folder.exists() {
            return Ok(Vec::new());
        }
        let unreadable = || format!("{}: cannot be read", self.folder.display());
        let listing = fs::read_dir(&self.folder).with_context(unreadable)?;
        let mut numbers = Vec::new();
        for entry in listing {
            let name = entry.with_context(unreadable)?.file_name();
            let number = name.to_str().filter(|name| is_number(name));
            numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{number:04}"))
    }

    /// Returns the folder of a run: a number, a name, `last`, `last~1` for the one before, or the path of a folder. Runs
    /// of `judge watch` do not count as last.
    ///
    /// # Errors
    /// Returns an error if there is no such run.
    pub fn find(&self, run: &str) -> Result<PathBuf> {
        let here = self.folder.display();
        if let Some(back) = run.strip_prefix("last") {
            let back = match back.strip_prefix('~') {
                None if back.is_empty() => Some(0),
                Some(back) => back.parse().ok(),
                None => None,
            };
            let back: usize = back.with_context(|| format!("{run}: expected last, or last~1"))?;
            let runs = self.runs()?.into_iter().rev();
            let mut runs = runs.filter(|path| head(path).is_ok_and(|head| head.base.is_none()));
            return runs
                .nth(back)
                .with_context(|| format!("{run}: no such run in {here}"));
        }
        if is_number(run) {
            let path = run.parse().map(|number| self.path(number));
            let path = path.ok().filter(|path| path.join(LEDGER).is_file());
            return path
                .with_context(|| format!("{run}: no such run in {here} (judge list shows all)"));
        }
        let named = |path: &PathBuf| head(path).is_ok_and(|head| head.name.as_deref() == Some(run));
        if let Some(path) = self.runs()?.into_iter().rev().find(named) {
            return Ok(path);
        }
        let path = PathBuf::from(run);
        ensure!(
            path.join(LEDGER).is_file(),
            "{run}: expected the number, the name or the folder of a run; there is none in {here} (judge list shows all)"
        );
        Ok(path)
    }

    /// Reads the run that [`find`](Self::find) finds.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or if [`Run::read`] fails.
    pub fn read(&self, run: &str) -> Result<Run> {
        let mut run = Run::read(&self.find(run)?)?;
        if run.folder.parent() != Some(&self.folder) {
            run.number = run.folder.display().to_string();
        }
        Ok(run)
    }

    /// Makes the folder of a new run.
    fn make_folder(&self) -> Result<PathBuf> {
        let ignore = self.folder.join(".gitignore");
        let made = fs::create_dir_all(&self.folder).and_then(|()| {
            if ignore.exists() {
                Ok(())
            } else {
                fs::write(&ignore, "*\n")
            }
        });
        made.with_context(|| format!("{}: expected a folder for runs", self.folder.display()))?;
        let mut number = self.numbers()?.last().map_or(1, |last| last + 1);
        loop {
            let folder = self.path(number);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(folder),
                // Another process was faster.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error).with_context(|| folder.display().to_string()),
            }
        }
    }
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a name of a run.
///
/// # Errors
/// Returns an error if the text would mean something else as a RUN.
pub fn parse_name(name: &str) -> Result<String, String> {
    let means_other = is_number(name) || name.starts_with("last") || name.contains(['/', '~']);
    if name.is_empty() || means_other || name.chars().any(char::is_control) {
        return Err(
            "expected a name that is no number, has no / or ~, and does not begin with last".into(),
        );
    }
    Ok(name.into())
}

/// A run in a store, as far as it was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The folder.
    pub folder: PathBuf,
    /// The number without leading zeros, or the path if the run is in no store.
    pub number: String,
    /// What is played.
    pub head: Head,
    /// The last row of each case, in the order of the cases.
    pub rows: Vec<Row>,
}

impl Run {
    /// Reads a run; another process may be playing it.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is damaged. The error names the file and the line.
    pub fn read(folder: &Path) -> Result<Self> {
        let (head, rows) = ledger::read::<Head, Row>(&folder.join(LEDGER))?;
        Ok(Self::new(folder, head, rows.collect::<Result<_>>()?))
    }

    fn new(folder: &Path, head: Head, rows: Vec<Row>) -> Self {
        let cases = head.cases.entries(folder);
        let order: HashMap<String, usize> = cases.iter().map(Entry::name).zip(0..).collect();
        let rows = rows
            .into_iter()
            .filter_map(|row| Some((*order.get(&row.name)?, row)));
        let rows: BTreeMap<usize, Row> = rows.collect();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let number = name.parse().ok().filter(|_| is_number(&name));
        let path = || folder.display().to_string();
        Self {
            folder: folder.into(),
            number: number.map_or_else(path, |number: u64| number.to_string()),
            rows: rows.into_values().collect(),
            head,
        }
    }

    /// Returns the number of the run and its name, such as `3` or `3 wider`.
    pub fn label(&self) -> String {
        match &self.head.name {
            Some(name) => format!("{} {name}", self.number),
            None => self.number.clone(),
        }
    }

    /// Returns the cases.
    pub fn cases(&self) -> Vec<Entry> {
        self.head.cases.entries(&self.folder)
    }

    /// True if every case has a row.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == self.cases().len()
    }

    /// Summarises the games.
    pub fn summary(&self) -> Summary {
        Summary::new(&self.rows)
    }

    /// Reads what the bot printed in a game; `None` if the file does not exist, or is not that of the row.
    pub fn plan(&self, row: &Row) -> Option<Vec<u8>> {
        let plan = fs::read(plan_path(&self.folder, &row.name)).ok()?;
        (Digest::of(&plan) == row.plan_digest).then_some(plan)
    }
}

fn plan_path(folder: &Path, name: &str) -> PathBuf {
    folder.join("out").join(format!("{name}.txt"))
}

/// Reads the head of the run in a folder.
pub(crate) fn head(folder: &Path) -> Result<Head> {
    Ok(ledger::read::<Head, Row>(&folder.join(LEDGER))?.0)
}

/// A run that this process plays. The ledger is locked until the value is dropped.
#[derive(Debug)]
pub struct Playing {
    /// The folder.
    pub folder: PathBuf,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    ledger: Ledger<Row>,
    synced: Instant,
    /// The names of the files in `err`, their sizes, and whether the games failed.
    errors: BTreeMap<String, (u64, bool)>,
}

impl Playing {
    /// Begins a run, and copies its cases if they are files.
    ///
    /// # Errors
    /// Returns an error if a case cannot be read, or if the store cannot be written.
    pub fn begin(store: &Store, head: &Head, cases: &[Entry]) -> Result<Self> {
        let folder = store.make_folder()?;
        let begun = Self::fill(&folder, head, cases);
        if begun.is_err() {
            let _ = fs::remove_dir_all(&folder);
        }
        begun
    }

    fn fill(folder: &Path, head: &Head, cases: &[Entry]) -> Result<Self> {
        let make = |name: &str| {
            let made = fs::create_dir(folder.join(name));
            made.with_context(|| format!("{}: cannot be written", folder.display()))
        };
        make("out")?;
        make("err")?;
        if matches!(head.cases, Cases::Files { .. }) {
            make("in")?;
            for entry in cases {
                let copy = folder.join("in").join(format!("{}.txt", entry.name()));
                let copied = file::replace(&copy, entry.load()?.to_string().as_bytes());
                copied.with_context(|| format!("{}: cannot be written", copy.display()))?;
            }
        }
        let ledger = Ledger::open_or_create(&folder.join(LEDGER), head)?;
        Ok(Self::new(folder, ledger, BTreeMap::new()))
    }

    fn new(folder: &Path, ledger: Ledger<Row>, errors: BTreeMap<String, (u64, bool)>) -> Self {
        let progress = Progress {
            ledger,
            synced: Instant::now(),
            errors,
        };
        Self {
            folder: folder.into(),
            progress: Mutex::new(progress),
        }
    }

    /// Opens an interrupted run. Also returns its rows that have their plans; the other cases are to be played.
    ///
    /// # Errors
    /// Returns an error if the ledger is damaged or cannot be written, or if another process plays the run.
    pub fn resume(folder: &Path) -> Result<(Self, Run)> {
        let (mut ledger, head) = Ledger::open_or_begin(&folder.join(LEDGER), &head(folder)?)?;
        let mut rows = Vec::new();
        while let Some(row) = ledger.pass()? {
            rows.push(row);
        }
        let mut run = Run::new(folder, head, rows);
        let mut errors = BTreeMap::new();
        for row in &run.rows {
            let size = fs::metadata(error_path(folder, &row.name)).map(|file| file.len());
            let kept = size.map(|size| (row.name.clone(), (size, row.game.status.is_failed())));
            errors.extend(kept);
        }
        let with_plan: HashSet<String> = {
            let rows = run.rows.iter().filter(|row| run.plan(row).is_some());
            rows.map(|row| row.name.clone()).collect()
        };
        run.rows.retain(|row| with_plan.contains(&row.name));
        Ok((Self::new(folder, ledger, errors), run))
    }

    /// Keeps a game that has ended: first what the bot printed, then the row.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written. The error names the file. The run can be resumed then.
    pub fn keep(&self, row: &Row, played: &Played) -> Result<()> {
        let plan = plan_path(&self.folder, &row.name);
        // Several games end at the same time, so their plans are written outside the lock. They are not synced: a plan
        // that a crash of the system destroys has another digest than its row says.
        let written = file::replace(&plan, &played.output);
        written.with_context(|| format!("{}: cannot be written", plan.display()))?;
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.keep_errors(&self.folder, row, &played.errors)?;
        progress.ledger.record(row)?;
        if progress.synced.elapsed() > SYNC_INTERVAL {
            progress.ledger.sync()?;
            progress.synced = Instant::now();
        }
        Ok(())
    }

    /// Waits until all rows are on the disk.
    ///
    /// # Errors
    /// Returns an error if they cannot be written.
    pub fn sync(&self) -> Result<()> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.ledger.sync()
    }
}

impl Progress {
    /// Keeps what the bot of a game printed on standard error, if the run has room for it. Failed games take the room of
    /// others.
    fn keep_errors(&mut self, folder: &Path, row: &Row, errors: &[u8]) -> Result<()> {
        let is_failed = row.game.status.is_failed();
        let mut room =
            ERRORS_LIMIT.saturating_sub(self.errors.values().map(|(size, _)| size).sum());
        while room < errors.len() as u64 {
            let other = self
                .errors
                .iter()
                .find(|(_, (_, failed))| is_failed && !failed);
            let Some(name) = other.map(|(name, _)| name.clone()) else {
                return Ok(());
            };
            let _ = fs::remove_file(error_path(folder, &name));
            room += self.errors.remove(&name).map_or(0, |(size, _)| size);
        }
        let path = error_path(folder, &row.name);
        if errors.is_empty() {
            // An earlier game on this case may have printed something.
            let _ = fs::remove_file(&path);
            return Ok(());
        }
        let written = file::replace(&path, errors);
        written.with_context(|| format!("{}: cannot be written", path.display()))?;
        self.errors
            .insert(row.name.clone(), (errors.len() as u64, is_failed));
        Ok(())
    }
}

fn error_path(folder: &Path, name: &str) -> PathBuf {
    folder.join("err").join(format!("{name}.txt"))
}

/// Removes the plans and errors of all runs but the last `keep`, and returns the number of pruned runs. Skips runs that
/// another process plays.
///
/// # Errors
/// Returns an error if a folder cannot be removed.
pub fn prune(store: &Store, keep: usize) -> Result<usize> {
    let runs = store.runs()?;
    let mut pruned = 0;
    for folder in &runs[..runs.len().saturating_sub(keep)] {
        // The lock shows that no process plays the run.
        let Ok(_locked) =
            head(folder).and_then(|head| Ledger::<Row>::open_or_begin(&folder.join(LEDGER), &head))
        else {
            continue;
        };
        let mut is_pruned = false;
        for name in ["out", "err"] {
            let path = folder.join(name);
            if fs::read_dir(&path).is_ok_and(|mut files| files.next().is_some()) {
                let removed = fs::remove_dir_all(&path).and_then(|()| fs::create_dir(&path));
                removed.with_context(|| format!("{}: cannot be removed", path.display()))?;
                is_pruned = true;
            }
        }
        pruned += usize::from(is_pruned);
    }
    Ok(pruned)
}

/// Returns the Git commit of a folder, nine hexadecimal digits, and whether files have changes that are not committed.
/// Returns `None` outside a repository and without Git.
fn commit(folder: &Path) -> (Option<String>, bool) {
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(args)
            .output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let commit = git(&["rev-parse", "--short=9", "HEAD"]);
    let changes = git(&["status", "--porcelain", "--untracked-files=no"]);
    (commit, changes.is_some_and(|changes| !changes.is_empty()))
}

/// Returns the advice at the end of a message about a run that has stopped.
pub fn resume_advice(folder: &Path) -> String {
    let run = folder.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "to continue: judge run --resume {}",
        run.trim_start_matches('0')
    )
}
