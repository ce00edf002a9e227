//! The folder that a run of the tuner lives in.
//!
//! | file | what it is |
//! | --- | --- |
//! | `config.json` | all that decides the outcome; never changed |
//! | `start.json` | the weights that the run starts from |
//! | `journal.jsonl` | every game, generation and challenge, each written before it counts |
//! | `state.json` | how far the run has come; replaced as a whole |
//! | `timings.jsonl` | where the time went; the only file that differs from run to run |
//! | `weights.json`, `result.json` | the outcome, whenever the search has stopped |
//! | `lock` | held by the process that works on the run |

use crate::fit::config::{Config, LIMIT};
use crate::fit::record::{Record, Stage};
use crate::fit::space::Space;
use crate::fit::state::{Progress, State};
use crate::games::behaviour::behaviour;
use crate::stats::gate;
use crate::store::digest::Digest;
use crate::store::journal::{Journal, Mark};
use anyhow::{bail, ensure, Context, Result};
use columns_bot::eval::weights::Weights;
use columns_bot::weights_file;
use columns_cli::{file, input, json, lock};
use columns_generator::seeds::SeedRange;
use serde::Serialize;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// All that decides the outcome.
pub const CONFIG: &str = "config.json";
/// The weights that the run starts from.
pub const START: &str = "start.json";
/// Every game and generation.
pub const JOURNAL: &str = "journal.jsonl";
/// The search after the last whole generation.
pub const STATE: &str = "state.json";
/// Where the time went.
pub const TIMINGS: &str = "timings.jsonl";
/// The fitted weights.
pub const WEIGHTS: &str = "weights.json";
/// What the fitted weights are worth.
pub const RESULT: &str = "result.json";
/// Held by the process that works on the run.
const LOCK: &str = "lock";

/// The names of all files of a run.
pub const FILES: [&str; 8] = [
    CONFIG, START, JOURNAL, STATE, TIMINGS, WEIGHTS, RESULT, LOCK,
];

/// Whether a file written to this path would replace a file of the run in a folder, under any name,
/// or take the place of a file that the run may write.
pub fn is_own(folder: &Path, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(PART).unwrap_or(&name);
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    (FILES.contains(&name) && file::is_same(parent, folder))
        || FILES
            .iter()
            .any(|own| file::is_same(path, &folder.join(own)))
}

/// A run that this process works on.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    /// What decides the outcome.
    pub config: Config,
    /// What is searched, and from where.
    pub space: Space,
    /// What has happened, as far as the search has come to it again.
    pub journal: Journal<Record>,
    /// What had happened when the last state was saved.
    pub history: Vec<Record>,
    /// How far it has come.
    pub progress: Progress,
    /// The digest of configuration and starting weights.
    pub identity: Digest,
    /// Held until the process ends, however it ends.
    _lock: File,
}

impl Run {
    /// Begins a run in a folder that is new or empty.
    ///
    /// # Errors
    /// One line: what is wrong with the configuration, or why the folder cannot be used.
    pub fn create(folder: &Path, config: Config, start: &Weights) -> Result<Self> {
        config.check()?;
        let space = Space::new(&config.parameters, start)?;
        let shown = folder.display();
        if folder.join(CONFIG).exists() {
            bail!("{shown}: a run is there already; go on with it: tuner resume {shown}");
        }
        let _made = file::make_folder(folder)?;
        // Before the lock too, which does not belong into a folder of the user's.
        leftovers(folder)?;
        let lock = lock(folder)?;
        for path in leftovers(folder)? {
            fs::remove_file(&path)
                .with_context(|| format!("{}: cannot be removed", path.display()))?;
        }
        let config_text = json::pretty(&config)?;
        let start_text = weights_file::format(start);
        write(folder, START, start_text.as_bytes())?;
        let journal = Journal::create(&folder.join(JOURNAL))?;
        // A folder without this file is no run.
        write(folder, CONFIG, config_text.as_bytes())?;
        let progress = Progress::new(config.parameters.len());
        Ok(Self {
            folder: folder.into(),
            identity: identity(&config_text, &start_text),
            space,
            journal,
            history: Vec::new(),
            progress,
            config,
            _lock: lock,
        })
    }

    /// Opens a run to go on with it. Where `state.json` is missing, the search is made anew from
    /// the journal.
    ///
    /// # Errors
    /// One line with the file and the line in it: what is missing or damaged, that another
    /// process works on the run, or that this build plays differently from the one that began it.
    pub fn open(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        ensure!(folder.is_dir(), "{shown}: expected the folder of a run");
        ensure!(
            folder.join(CONFIG).exists(),
            "{shown}: expected the folder of a run, found no {CONFIG} in it"
        );
        // These never change. Where they are wrong, no lock is left in a folder that is no run.
        let (config, config_text) = Config::read(&folder.join(CONFIG))?;
        let (start, start_text) = weights_of(&folder.join(START))?;
        let space = Space::new(&config.parameters, &start)
            .with_context(|| folder.join(CONFIG).display().to_string())?;
        let lock = lock(folder)?;
        let now = behaviour(&start);
        ensure!(
            now == config.behaviour,
            "{shown}: this build of the bot does not play as the one that began the run \
             (behaviour {now}, then {}): go on with that one",
            config.behaviour
        );
        let identity = identity(&config_text, &start_text);
        let state = State::read(&folder.join(STATE))?;
        if let Some(state) = &state {
            ensure!(
                state.progress.search.average().len() == space.axes().len()
                    && state.progress.best.len() == space.axes().len(),
                "{}: expected the state of this run, found that of another",
                folder.join(STATE).display()
            );
        }
        let (mark, progress) = match state {
            Some(state) => (state.journal, state.progress),
            None => (Mark::START, Progress::new(config.parameters.len())),
        };
        let (journal, history) = Journal::open(&folder.join(JOURNAL), mark)?;
        let run = Self {
            folder: folder.into(),
            config,
            space,
            journal,
            history,
            progress,
            identity,
            _lock: lock,
        };
        let first = run.history.first().or(run.journal.ahead());
        if let Some(record) = first {
            let expected = Record::Begin { run: run.identity };
            ensure!(
                *record == expected,
                "{shown}: {CONFIG} or {START} is not as it was when the run began"
            );
        }
        Ok(run)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Saves how far the run has come; the journal is brought to the disk before.
    ///
    /// # Errors
    /// Why it cannot be written; what was saved before is then still there.
    pub fn save(&self) -> Result<()> {
        self.journal.sync()?;
        let text = State::new(self.journal.mark(), &self.progress).text()?;
        write(&self.folder, STATE, text.as_bytes())
    }

    /// The seeds of a stage, `count` of them. The seeds of generations follow each other; those of
    /// challenges and looks lie in other ranges.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn seeds(&self, stage: Stage, count: u64) -> SeedRange {
        const CHALLENGES: u64 = 500_000_000;
        const APART: u64 = 1_000_000;
        let first = gate::to_play(self.identity);
        let first = match stage {
            Stage::Generation(number) => {
                first + u64::from(number - 1) * u64::from(self.config.pace.pairs)
            }
            Stage::Challenge(number) => first + CHALLENGES + u64::from(number - 1) * APART,
            Stage::Look(number) => return gate::held_out(self.identity, number, count),
        };
        SeedRange::new(first, first + (count - 1)).expect("a stage plays seeds")
    }

    /// Writes one of the files of the outcome, as a whole or not at all.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        write(&self.folder, name, text.as_bytes())
    }

    /// Appends a line to `timings.jsonl`.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn append_timing(&self, timing: &impl Serialize) -> Result<()> {
        let path = self.folder.join(TIMINGS);
        let text = serde_json::to_string(timing)? + "\n";
        File::options()
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(|| format!("{}: cannot be written", path.display()))
    }
}

fn identity(config: &str, start: &str) -> Digest {
    let mut digest = Digest::of(config.as_bytes());
    digest.add(start.as_bytes());
    digest
}

/// Takes the lock of a folder.
fn lock(folder: &Path) -> Result<File> {
    let shown = folder.display();
    let busy = format!("{shown}: another process is working on this run");
    lock::open(&folder.join(LOCK), &busy)
}

/// The files of a process that was killed before it had made a run. Any other file is a mistake of
/// the user.
fn leftovers(folder: &Path) -> Result<Vec<PathBuf>> {
    let shown = folder.display();
    let entries = fs::read_dir(folder).with_context(|| format!("{shown}: cannot be read"))?;
    let mut old = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("{shown}: cannot be read"))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        match name.strip_suffix(PART).unwrap_or(&name) {
            LOCK => {}
            CONFIG | START => old.push(folder.join(&*name)),
            JOURNAL if entry.metadata().is_ok_and(|data| data.len() == 0) => {
                old.push(folder.join(&*name));
            }
            _ => bail!("{shown}: expected a new or an empty folder, found {name:?} in it"),
        }
    }
    Ok(old)
}

/// What a file is called until it is whole.
const PART: &str = ".part";

/// Writes a file of a run as a whole or not at all, even if the system stops. [`leftovers`] and
/// the next write take care of the temporary file that a killed process leaves.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    file::write_by(&folder.join(name), PART, bytes)
}

/// Weights from a file, and its text.
///
/// # Errors
/// One line with the file and what is wrong in it.
pub fn weights_of(path: &Path) -> Result<(Weights, String)> {
    let text = input::read(path, LIMIT)?;
    let weights = weights_file::parse(&text).with_context(|| input::name(path))?;
    Ok((weights, text))
}
