//! The store of runs: every run of a bot is a folder with a number.
//!
//! ```text
//! runs/.gitignore            keeps the runs out of Git, if the judge has made `runs`
//! runs/0001/run.jsonl        the ledger of the run: a head, and a row for each game
//! runs/0001/in/0001.txt      the cases, if they came from a folder
//! runs/0001/out/0001.txt     the plans, as the bot printed them
//! runs/0001/err/0001.txt     the end of the bot's standard error
//! ```
//!
//! `run.jsonl` is a [`ledger`]. The process that plays the run locks this file and appends lines to it. It
//! never removes anything except a truncated or damaged last line. The head and a row look like this:
//!
//! ```json
//! {"crc":"1a2b3c4d","ledger":"judge run","format":2,"name":"wider","bot":"./mine",…}
//! {"crc":"5e6f7a8b","name":"0003","seed":3,"output_digest":"…","score":631868,"status":"ok",…}
//! ```
//!
//! The plan is written before its row, which holds the digest of the plan. When a run is resumed, a row
//! without its plan is ignored, and its case is played again. If a case has several rows, the last one
//! counts.

use crate::arena::process::FinishedProcess;
use crate::cases::CaseEntry;
use crate::config;
use crate::head::Head;
use crate::program::files::{ProgramFile, combine_digests};
use crate::row::{self, Row, Summary};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cases::digest::Digest;
use columns_cli::file::{is_same_file, parent_folder};
use columns_cli::ledger::{self, Ledger, OtherFormat};
use columns_cli::output::count_text;
use columns_cli::stderr::{self, to_one_line};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The file name of the ledger in the folder of a run.
pub const LEDGER_FILE: &str = "run.jsonl";

/// The maximum total size of the files in a run's folder `err`, in bytes. Games that have not failed may use
/// at most half of it.
const MAX_TOTAL_STDERR_BYTES: u64 = 64 << 20;

/// The minimum time between two syncs of the ledger to the disk while games are played. The judge syncs only
/// after the end of a game.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A folder of runs, each in a subfolder with its number, such as `0003`. The folder may not exist yet.
#[derive(Debug, Args)]
pub struct Store {
    /// Folder of the runs [default: runs, beside columns.toml if there is one]
    #[arg(id = "store", long = "store", value_name = "DIR", hide_default_value = true,
        default_value_os_t = default_folder())]
    pub folder: PathBuf,
}

/// Returns `runs` beside the nearest `columns.toml`, or else `runs` in the current folder.
fn default_folder() -> PathBuf {
    config::find_folder().unwrap_or_default().join("runs")
}

impl Store {
    /// Reads all runs, the oldest first, each with its folder. The list has an error for each damaged run.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or if it holds a run in the format of another version.
    pub fn read_all(&self) -> Result<Vec<(PathBuf, Result<Run>)>> {
        let read = |folder: PathBuf| match Run::read(&folder) {
            Err(error) if error.is::<OtherFormat>() => Err(error),
            run => Ok((folder, run)),
        };
        self.run_folders()?.into_iter().map(read).collect()
    }

    /// Reads the runs, the newest first. Leaves out comparisons with a base.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read. The iterator yields an error for a damaged run, because
    /// the caller may want that run.
    pub fn newest_runs(&self) -> Result<impl Iterator<Item = Result<Run>>> {
        let runs = self.run_folders()?.into_iter().rev();
        let runs = runs.map(|folder| Run::read(&folder));
        Ok(runs.filter(|run| run.as_ref().map_or(true, |run| run.head.base_run.is_none())))
    }

    /// Returns the newest run that satisfies `condition`; `None` if there is none. Comparisons with a base do
    /// not count.
    ///
    /// # Errors
    /// Returns an error if a newer run is damaged, or if the store cannot be read.
    pub fn find_newest(&self, mut condition: impl FnMut(&Run) -> bool) -> Result<Option<Run>> {
        let mut runs = self.newest_runs()?;
        runs.find(|run| run.as_ref().map_or(true, &mut condition))
            .transpose()
    }

    /// Reads all runs of the store except the one in `folder`. Damaged runs are left out.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or if it holds a run in the format of another version.
    pub fn other_runs(&self, folder: &Path) -> Result<Vec<Run>> {
        let runs = self.read_all()?.into_iter();
        let others = runs.filter(|(other, _)| !is_same_file(other, folder));
        Ok(others.filter_map(|(_, run)| run.ok()).collect())
    }

    /// Returns the folder of the last incomplete run that no other process is playing. Ignores comparisons
    /// with a base.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or if a newer run is damaged.
    pub fn last_interrupted(&self) -> Result<PathBuf> {
        let run = self.find_newest(|run| !run.is_complete() && is_free(&run.folder))?;
        let store = self.folder.display();
        let missing = || format!("{store}: expected an interrupted run, found none");
        Ok(run.with_context(missing)?.folder)
    }

    /// Checks that a new run can have this name; `None` for a run without a name.
    ///
    /// # Errors
    /// Returns an error if a run has the name, or if the store holds a run in the format of another version.
    pub fn check_new_name(&self, name: Option<&str>) -> Result<()> {
        if !self.exists()? {
            return Ok(());
        }
        for folder in self.run_folders()? {
            match read_head(&folder) {
                Ok(head) => ensure!(
                    name.is_none() || head.name.as_deref() != name,
                    "--name: expected a new name: {} has the name {:?}",
                    folder.display(),
                    name.unwrap_or_default()
                ),
                Err(error) if error.is::<OtherFormat>() => return Err(error),
                // The name of a damaged run is unknown, so it does not count as taken.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// True if the store exists. A broken link is an error.
    fn exists(&self) -> Result<bool> {
        let exists = self.folder.exists();
        if let (false, Ok(target)) = (exists, self.folder.read_link()) {
            let (store, target) = (self.folder.display(), target.display());
            bail!("{store}: a link to {target}, which does not exist");
        }
        Ok(exists)
    }

    /// Lists the folders of the runs, the oldest first. Only names that the judge itself would choose count:
    /// `0002`, not `2`. A folder without a head is not a run.
    fn run_folders(&self) -> Result<Vec<PathBuf>> {
        let name = self.folder.display();
        ensure!(
            self.exists()?,
            "{name}: no such folder: judge run makes it, and --store names another one"
        );
        let mut runs = BTreeMap::new();
        let unreadable = || format!("{name}: expected a folder for runs");
        for entry in fs::read_dir(&self.folder).with_context(unreadable)? {
            let folder = entry.with_context(unreadable)?.path();
            let ledger = fs::metadata(folder.join(LEDGER_FILE));
            if ledger.is_ok_and(|ledger| ledger.len() > 0) {
                runs.extend(run_number(&folder).map(|number| (number, folder)));
            }
        }
        Ok(runs.into_values().collect())
    }

    /// Returns the folder of a run. `run` is its number, its name, `last`, `last~1` for the run before
    /// `last`, or the path of its folder. `last` ignores comparisons with a base.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or if the search for `last` meets a damaged run.
    pub fn find(&self, run: &str) -> Result<PathBuf> {
        let path = if run == "last" || run.starts_with("last~") {
            let back = run.strip_prefix("last~").unwrap_or("0").parse().ok();
            let mut newer: usize =
                back.with_context(|| format!("{run}: expected last, or last~1"))?;
            let is_wanted = |_: &Run| newer.checked_sub(1).map(|left| newer = left).is_none();
            self.find_newest(is_wanted)?.map(|run| run.folder)
        } else if let Some(number) = parse_number(run) {
            let mut folders = self.run_folders()?.into_iter();
            folders.find(|path| run_number(path) == Some(number))
        } else if run.contains('/') {
            Some(self.own_path(run.into()))
        } else {
            let has_name = |path: &PathBuf| {
                read_head(path).is_ok_and(|head| head.name.as_deref() == Some(run))
            };
            let named = self.run_folders()?.into_iter().rfind(has_name);
            named.or_else(|| Some(self.own_path(run.into())))
        };
        let found = path.filter(|path| path.join(LEDGER_FILE).is_file());
        let store = self.folder.display();
        found.with_context(|| {
            format!("{run}: no such run in {store}, by number, name or folder (see judge list)")
        })
    }

    /// Returns the path of a run as the store lists it. For a run elsewhere, returns `path`.
    fn own_path(&self, path: PathBuf) -> PathBuf {
        let mut folders = self.run_folders().unwrap_or_default().into_iter();
        let own = folders.find(|folder| is_same_file(folder, &path));
        own.unwrap_or(path)
    }

    /// Finds and reads a run: see [`find`](Self::find).
    ///
    /// # Errors
    /// Returns an error if [`find`](Self::find) or [`Run::read`] fails.
    pub fn read(&self, run: &str) -> Result<Run> {
        let mut run = Run::read(&self.find(run)?)?;
        if run.folder.parent() != Some(&self.folder) {
            run.number = run.folder.display().to_string();
        }
        Ok(run)
    }

    /// Creates the folder of a new run, with the next free number. If the store does not exist, creates it,
    /// with a `.gitignore`. A folder of the user may hold other files, so it gets none.
    fn create_run_folder(&self) -> Result<PathBuf> {
        let unwritable = || format!("{}: expected a folder for runs", self.folder.display());
        if !self.folder.exists() {
            fs::create_dir_all(&self.folder).with_context(unwritable)?;
            fs::write(self.folder.join(".gitignore"), "*\n").with_context(unwritable)?;
        }
        let last = self.run_folders()?.pop();
        let mut number = last.and_then(|last| run_number(&last)).unwrap_or(0);
        loop {
            let next = number.checked_add(1);
            number = next.context("expected a free number for the run")?;
            let path = self.folder.join(folder_name(number));
            match fs::create_dir(&path) {
                // Another process is starting a run, or a killed process has left an empty folder: try the
                // next number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                result => return result.with_context(unwritable).map(|()| path),
            }
        }
    }
}

/// Returns the folder name of a run, such as `0002`.
fn folder_name(number: u64) -> String {
    format!("{number:04}")
}

/// Parses the number of a run from the name of its folder; `None` if the judge would not choose this name.
fn run_number(folder: &Path) -> Option<u64> {
    let name = folder.file_name()?.to_str()?;
    let number = parse_number(name).filter(|&number| number > 0)?;
    (folder_name(number) == name).then_some(number)
}

/// Returns the number of the run in a folder, without leading zeros, or else the path of the folder.
pub fn run_label(folder: &Path) -> String {
    let number = run_number(folder);
    number.map_or_else(|| folder.display().to_string(), |number| number.to_string())
}

/// Parses a number that consists of digits only; `None` for any other text, such as `+1`.
fn parse_number(name: &str) -> Option<u64> {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    name.parse().ok().filter(|_| is_number)
}

/// Parses the name of a run.
///
/// # Errors
/// Returns an error if the text has another meaning where a RUN is expected, such as a number, or if it
/// contains control characters.
pub fn parse_name(name: &str) -> Result<String, String> {
    const EXPECTED: &str =
        "expected a name that is no number, has no / or ~, and does not begin with last";
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    let is_special = |c: char| c == '/' || c == '~' || c.is_control();
    if is_number || name.starts_with("last") || name.contains(is_special) {
        return Err(EXPECTED.into());
    }
    Ok(name.into())
}

/// A run in a store, with the games played so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The folder of the run, such as `runs/0003`.
    pub folder: PathBuf,
    /// The number without leading zeros. For a run outside of the current store, the path of its folder.
    pub number: String,
    /// The bot, the cases and the conditions of the run.
    pub head: Head,
    /// The last row of each case, in the order of the cases.
    pub rows: Vec<Row>,
}

impl Run {
    /// Reads a run, even while another process plays it.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read, or if a line before the last one is damaged. The error
    /// names the file and the line.
    pub fn read(folder: &Path) -> Result<Self> {
        let (head, records) = ledger::read::<Head, Row>(&folder.join(LEDGER_FILE))?;
        let cases = head.cases.entries(&folder.join("in"));
        let order: HashMap<String, usize> = cases.iter().map(CaseEntry::name).zip(0..).collect();
        let mut rows = BTreeMap::new();
        for record in records {
            let row = record?;
            if let Some(&index) = order.get(&row.name) {
                rows.insert(index, row);
            }
        }
        Ok(Self {
            folder: folder.into(),
            number: run_label(folder),
            rows: rows.into_values().collect(),
            head,
        })
    }

    /// Returns the store that holds the run.
    pub fn store(&self) -> Store {
        Store {
            folder: parent_folder(&self.folder).into(),
        }
    }

    /// Returns the number of the run and its name, such as `3` or `3 wider`.
    pub fn label(&self) -> String {
        match &self.head.name {
            Some(name) => format!("{} {name}", self.number),
            None => self.number.clone(),
        }
    }

    /// Returns the files of the program when the run began, without those that turned out to be output.
    pub fn program_files(&self) -> Vec<ProgramFile> {
        let output = row::output_files(&self.rows);
        let mut files = self.head.files.clone();
        files.retain(|file| !output.contains(&file.path));
        files
    }

    /// Returns the bot's version and the start of its files' digest: `bot 0.3.0, 1a2b3c4d`.
    pub fn bot_identity(&self) -> String {
        let digest = combine_digests(self.program_files().iter().map(|file| file.digest));
        format!("{}, {:.8}", self.head.bot_version, digest.to_string())
    }

    /// Describes the run in a line: `run 3 wider: bot --nodes 5000 (bot 0.3.0, 1a2b3c4d); --seeds 1..=20`.
    pub fn description(&self) -> String {
        let (label, head) = (self.label(), &self.head);
        let (identity, cases) = (self.bot_identity(), head.cases.options_text());
        let comment = head.comment.iter().map(|comment| format!(", {comment}"));
        let comment: String = comment.collect();
        to_one_line(&format!(
            "run {label}: {} ({identity}){comment}; {cases}",
            head.bot
        ))
    }

    /// Iterates over the rows whose plans exist. The other games must be played again.
    pub fn rows_with_plans(&self) -> impl Iterator<Item = &Row> {
        let has_plan = |row: &&Row| self.read_output(row).is_some();
        self.rows.iter().filter(has_plan)
    }

    /// Iterates over the rows. Of several cases with the same text, only the first one counts.
    pub fn distinct_rows(&self) -> impl Iterator<Item = &Row> {
        let mut digests = HashSet::new();
        let rows = self.rows.iter();
        rows.filter(move |row| digests.insert(row.case_digest))
    }

    /// Lists the cases of the run, played or not, in the order of the table.
    pub fn cases(&self) -> Vec<CaseEntry> {
        self.head.cases.entries(&self.folder.join("in"))
    }

    /// Lists the cases that have no row, in the order of the table.
    pub fn unplayed_cases(&self) -> Vec<CaseEntry> {
        let played: HashSet<&String> = self.rows.iter().map(|row| &row.name).collect();
        let mut cases = self.cases();
        cases.retain(|case| !played.contains(&case.name()));
        cases
    }

    /// True if every case has a row.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == self.cases().len()
    }

    /// Summarises the games played so far.
    pub fn summary(&self) -> Summary {
        Summary::new(&self.rows)
    }

    /// Reads the bot's output in a game; `None` if the file does not exist or belongs to another game.
    pub fn read_output(&self, row: &Row) -> Option<Vec<u8>> {
        let plan = fs::read(game_file_path(&self.folder, "out", &row.name)).ok()?;
        (Digest::new(&plan) == row.output_digest).then_some(plan)
    }
}

/// Returns the path of a file of the game on the case `name`. `kind` is `in`, `out` or `err`.
pub fn game_file_path(folder: &Path, kind: &str, name: &str) -> PathBuf {
    folder.join(kind).join(format!("{name}.txt"))
}

fn read_head(folder: &Path) -> Result<Head> {
    Ok(ledger::read::<Head, Row>(&folder.join(LEDGER_FILE))?.0)
}

/// A run that this process plays. Its ledger stays locked until this value is dropped.
#[derive(Debug)]
pub struct RunWriter {
    /// The run as it was when this process began to play it, without the rows whose plans are missing.
    pub run: Run,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    ledger: Ledger<Row>,
    last_sync: Instant,
    /// The total size of all files in `err`, in bytes.
    total_stderr_bytes: u64,
}

impl RunWriter {
    /// Begins a run. Copies its cases from `case_folder`, unless they are generated. Writes the head last: a
    /// folder without a head is not a run.
    ///
    /// # Errors
    /// Returns an error if a case cannot be read, or if the store cannot be written.
    pub fn begin(store: &Store, head: &Head, case_folder: &Path) -> Result<Self> {
        let folder = store.create_run_folder()?;
        let cases = head.cases.entries(case_folder);
        let result = copy_cases(&folder, &cases).and_then(|()| Self::open(&folder, head));
        result.inspect_err(|_| drop(fs::remove_dir_all(&folder)))
    }

    /// Opens an interrupted run. Cases whose rows have no plan must be played again.
    ///
    /// # Errors
    /// Returns an error if a line of the ledger before the last one is damaged, if the ledger cannot be
    /// written, or if another process plays the run.
    pub fn resume(folder: &Path) -> Result<Self> {
        Self::open(folder, &read_head(folder)?)
    }

    /// Opens the run in a folder. Begins it with this head if the folder has no ledger.
    fn open(folder: &Path, head: &Head) -> Result<Self> {
        let (ledger, _) = Ledger::open_with_any_header(&folder.join(LEDGER_FILE), head)?;
        let mut run = Run::read(folder)?;
        let row_count = run.rows.len();
        run.rows = run.rows_with_plans().cloned().collect();
        let lost = row_count - run.rows.len();
        if lost > 0 {
            let (folder, lost) = (folder.display(), count_text(lost, "plan"));
            stderr::log(&format!(
                "note: {folder}: {lost} lost: these cases are played again"
            ));
        }
        let files = fs::read_dir(folder.join("err")).into_iter().flatten();
        let sizes = files.filter_map(|file| Some(file.ok()?.metadata().ok()?.len()));
        let progress = Mutex::new(Progress {
            ledger,
            last_sync: Instant::now(),
            total_stderr_bytes: sizes.sum(),
        });
        Ok(Self { run, progress })
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a game that has ended: first the bot's output, then the row.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written. The error names the file. The run can still be resumed.
    pub fn keep_game(&self, row: &Row, process: &FinishedProcess) -> Result<()> {
        // Several games may end at the same time, so write the plans outside the lock. If the judge is killed
        // meanwhile, an incomplete plan has no row. If the system crashes and damages a plan, its digest no
        // longer matches the row. In both cases, the game is played again.
        let output = game_file_path(&self.run.folder, "out", &row.name);
        write(&output, &process.stdout)?;
        let mut progress = self.progress();
        progress.save_stderr(&self.run.folder, row, &process.stderr)?;
        progress.ledger.append(row)?;
        if progress.last_sync.elapsed() > SYNC_INTERVAL {
            progress.ledger.sync()?;
            progress.last_sync = Instant::now();
        }
        Ok(())
    }

    /// Waits until all plans, and then all rows, are on disk. Outside Linux, waits only for the rows.
    ///
    /// # Errors
    /// Returns an error if they cannot be written.
    pub fn sync(&self) -> Result<()> {
        // One call for the whole file system is faster than one for each plan.
        #[cfg(target_os = "linux")]
        {
            let folder = &self.run.folder;
            let synced = File::open(folder).and_then(|file| Ok(nix::unistd::syncfs(file)?));
            synced.with_context(|| format!("{}: cannot be written", folder.display()))?;
        }
        self.progress().ledger.sync()
    }

    /// Reads the run again, so that it includes the games that this process has played. If it has no games,
    /// removes its folder and returns `None`.
    ///
    /// # Errors
    /// Returns an error if the run cannot be read, or if the folder cannot be removed.
    pub fn into_run(self) -> Result<Option<Run>> {
        let folder = &self.run.folder;
        let run = Run::read(folder)?;
        if !run.rows.is_empty() {
            return Ok(Some(run));
        }
        let unremoved = || format!("{}: cannot be removed", folder.display());
        fs::remove_dir_all(folder).with_context(unremoved)?;
        Ok(None)
    }
}

fn write(path: &Path, contents: &[u8]) -> Result<()> {
    let unwritable = || format!("{}: cannot be written", path.display());
    fs::write(path, contents).with_context(unwritable)
}

/// Creates the folders of a new run, and copies its cases if they are files.
fn copy_cases(folder: &Path, cases: &[CaseEntry]) -> Result<()> {
    for name in ["in", "out", "err"].map(|name| folder.join(name)) {
        fs::create_dir(&name).with_context(|| format!("{}: cannot be made", name.display()))?;
    }
    let is_file = |case: &&CaseEntry| matches!(case, CaseEntry::File(_));
    cases.iter().filter(is_file).try_for_each(|entry| {
        let text = entry.load()?.to_string();
        let copy = game_file_path(folder, "in", &entry.name());
        write(&copy, text.as_bytes())
    })
}

impl Progress {
    /// Saves the bot's standard error from a game, unless the total would exceed [`MAX_TOTAL_STDERR_BYTES`],
    /// or half of it if the game has not failed.
    fn save_stderr(&mut self, folder: &Path, row: &Row, stderr: &[u8]) -> Result<()> {
        // An earlier game on this case may have left a file.
        let path = game_file_path(folder, "err", &row.name);
        let earlier_bytes = fs::metadata(&path).map_or(0, |file| file.len());
        if fs::remove_file(&path).is_ok() {
            self.total_stderr_bytes -= earlier_bytes;
        }
        let is_failed = row.game.status.is_failed();
        let room = MAX_TOTAL_STDERR_BYTES / if is_failed { 1 } else { 2 };
        let size = stderr.len() as u64;
        if size == 0 || self.total_stderr_bytes + size > room {
            return Ok(());
        }
        self.total_stderr_bytes += size;
        write(&path, stderr)
    }
}

/// True if `folder` has a ledger, and no process is playing its run.
fn is_free(folder: &Path) -> bool {
    let ledger = File::open(folder.join(LEDGER_FILE));
    ledger.is_ok_and(|ledger| ledger.try_lock().is_ok())
}
