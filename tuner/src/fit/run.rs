//! The folder that a run of the tuner lives in.
//!
//! | file | what it is |
//! | --- | --- |
//! | `config.json` | all that decides the outcome; never changed |
//! | `start.json` | the weights that the run starts from |
//! | `journal.jsonl` | every game and every generation, each written before it counts |
//! | `state.json` | the search after the last whole generation; replaced as a whole |
//! | `timings.jsonl` | where the time went; the only file that differs from run to run |
//! | `weights.json`, `result.json` | the outcome, at the end |
//! | `lock` | held by the process that works on the run |

use crate::fit::cma::Cma;
use crate::fit::record::Record;
use crate::fit::seeds;
use crate::fit::space::{Axis, Space};
use crate::games::behaviour::behaviour;
use crate::games::objective::Objective;
use crate::store::digest::Digest;
use crate::store::journal::{Journal, Mark};
use crate::store::lock;
use anyhow::{anyhow, bail, ensure, Context, Result};
use columns_bot::weights::Weights;
use columns_bot::weights_file;
use columns_cli::{file, input};
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The `format` of the files of a run that this version writes and reads.
pub const FORMAT: u32 = 1;
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

/// Most bytes of a file that are read, the journal apart.
const LIMIT: u64 = 64 << 20;

/// All that decides the outcome of a fit, its starting weights apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of the tuner.
    pub tuner: String,
    /// How the build plays, see [`behaviour()`].
    pub behaviour: Digest,
    /// What the cases are like.
    pub cases: Spec,
    /// States that the search may build in a game, at least 1.
    pub nodes: u64,
    /// What is made large.
    pub objective: Objective,
    /// How many generations there are, at least 1.
    pub generations: u32,
    /// Candidates of a generation, at least 4.
    pub population: usize,
    /// Seeds of a generation, at least 1; every candidate plays all of them.
    pub games: u64,
    /// The first seed of the first generation; the others follow without gaps.
    pub seeds_from: u64,
    /// Seeds to validate on, none of which a generation has.
    pub held_out: SeedRange,
    /// Seed of the search's own random numbers.
    pub seed: u64,
    /// The search's first standard deviation, in steps of the parameters.
    pub step_size: f64,
    /// What is fitted.
    pub parameters: Vec<Axis>,
}

impl Config {
    /// Whether a run can be made of it.
    ///
    /// # Errors
    /// A line that names the first mistake.
    pub fn check(&self) -> Result<()> {
        ensure!(self.nodes > 0, "expected at least 1 node a game, found 0");
        ensure!(
            self.generations > 0,
            "expected at least 1 generation, found 0"
        );
        ensure!(
            (4..=10_000).contains(&self.population),
            "expected a population from 4 to 10000, found {}",
            self.population
        );
        ensure!(
            (1..=100_000).contains(&self.games),
            "expected from 1 to 100000 games a generation, found {}",
            self.games
        );
        ensure!(
            self.step_size > 0.0 && self.step_size <= 1000.0,
            "expected a step size above 0 and up to 1000, found {}",
            self.step_size
        );
        seeds::check_held_out(self.held_out, self.fit_seeds()?)
    }

    /// All seeds of the generations.
    ///
    /// # Errors
    /// If there are not that many.
    pub fn fit_seeds(&self) -> Result<SeedRange> {
        seeds::played(self.seeds_from, self.games, self.generations)
    }

    /// The seeds of a generation, the first being 1.
    ///
    /// # Panics
    /// If it is none of the run's.
    pub fn block(&self, generation: u32) -> SeedRange {
        assert!((1..=self.generations).contains(&generation));
        let first = self.seeds_from + u64::from(generation - 1) * self.games;
        SeedRange::new(first, first + (self.games - 1)).expect("a block is not empty")
    }
}

/// The search after a whole generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    format: u32,
    /// Generations that are done.
    generation: u32,
    /// How far the journal was.
    journal: Mark,
    cma: Cma,
}

/// A state and the digest of its text, so that no damage goes unnoticed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    digest: Digest,
    state: State,
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
    /// The search.
    pub cma: Cma,
    /// How many generations are done.
    pub generation: u32,
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
        file::make_folder(folder)?;
        let lock = lock(folder)?;
        clear(folder)?;
        let config_text = to_json(&config)?;
        let start_text = weights_file::format(start);
        write(folder, START, start_text.as_bytes())?;
        let journal = Journal::create(&folder.join(JOURNAL))?;
        // Until this file is there, there is no run.
        write(folder, CONFIG, config_text.as_bytes())?;
        let cma = first(&config);
        Ok(Self {
            folder: folder.into(),
            identity: identity(&config_text, &start_text),
            space,
            journal,
            history: Vec::new(),
            cma,
            generation: 0,
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
        let lock = lock(folder)?;
        let (config, config_text) = config_of(folder)?;
        let (start, start_text) = weights_of(&folder.join(START))?;
        let space = Space::new(&config.parameters, &start)
            .with_context(|| folder.join(CONFIG).display().to_string())?;
        let now = behaviour(&start);
        ensure!(
            now == config.behaviour,
            "{shown}: this build of the bot does not play as the one that began the run \
             (behaviour {now}, then {}): go on with that one",
            config.behaviour
        );
        let identity = identity(&config_text, &start_text);
        let state = state_of(folder)?;
        if let Some(state) = &state {
            ensure!(
                state.cma.mean().len() == space.axes().len()
                    && state.cma.population() == config.population
                    && state.generation <= config.generations,
                "{}: expected the state of this run, found that of another",
                folder.join(STATE).display()
            );
        }
        let (generation, mark, cma) = match state {
            Some(state) => (state.generation, state.journal, state.cma),
            None => (0, Mark::START, first(&config)),
        };
        let (journal, history) = Journal::open(&folder.join(JOURNAL), mark)?;
        let run = Self {
            folder: folder.into(),
            config,
            space,
            journal,
            history,
            cma,
            generation,
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

    /// Saves the search after a whole generation; the journal is brought to the disk before.
    ///
    /// # Errors
    /// Why it cannot be written; what was saved before is then still there.
    pub fn save(&self) -> Result<()> {
        self.journal.sync()?;
        let state = State {
            format: FORMAT,
            generation: self.generation,
            journal: self.journal.mark(),
            cma: self.cma.clone(),
        };
        let digest = Digest::of(&serde_json::to_vec(&state)?);
        let text = serde_json::to_string(&Stored { digest, state })? + "\n";
        write(&self.folder, STATE, text.as_bytes())
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

/// The search before its first generation.
fn first(config: &Config) -> Cma {
    let middle = vec![0.0; config.parameters.len()];
    Cma::new(middle, config.step_size, config.population, config.seed)
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

/// Removes what a process left that was killed before it had made a run; anything else is a
/// mistake.
fn clear(folder: &Path) -> Result<()> {
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
    for path in old {
        fs::remove_file(&path).with_context(|| format!("{}: cannot be removed", path.display()))?;
    }
    Ok(())
}

/// What a file is called until it is whole.
const PART: &str = ".part";

/// Writes a file of a run as a whole or not at all, even if the system stops. A killed process
/// leaves nothing but what [`clear`] and the next one take away.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    file::write_by(&folder.join(name), PART, bytes)
}

/// A value as it is written to a file for people.
///
/// # Errors
/// None for the types of this crate.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Reads JSON; mistakes have the line first, as all messages here.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, expected: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string().replace(&place, "");
        anyhow!("line {}: expected {expected}: {what}", error.line().max(1))
    })
}

/// The configuration of a run, and its text.
///
/// # Errors
/// One line with the file, the line in it, and what is wrong there.
pub fn config_of(folder: &Path) -> Result<(Config, String)> {
    /// Enough to tell a run of another version.
    #[derive(Deserialize)]
    #[serde(expecting = "an object")]
    struct Version {
        format: u32,
    }
    let path = folder.join(CONFIG);
    let text = input::read(&path, LIMIT)?;
    let expected = "the configuration of a run";
    (|| {
        let version: Version = parse(&text, expected)?;
        ensure!(
            version.format == FORMAT,
            "line 1: expected {expected} in format {FORMAT}, found {}",
            version.format
        );
        let config: Config = parse(&text, expected)?;
        config.check()?;
        Ok(config)
    })()
    .map(|config| (config, text.clone()))
    .with_context(|| path.display().to_string())
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

/// The saved state, if there is one.
fn state_of(folder: &Path) -> Result<Option<State>> {
    let path = folder.join(STATE);
    if !path.exists() {
        return Ok(None);
    }
    let text = input::read(&path, LIMIT)?;
    (|| {
        let Stored { digest, state } = parse(&text, "the state of a run")?;
        ensure!(
            state.format == FORMAT,
            "line 1: expected the state of a run in format {FORMAT}, found {}",
            state.format
        );
        ensure!(
            digest == Digest::of(&serde_json::to_vec(&state)?),
            "line 1: expected the state of a run as it was written, found it changed"
        );
        Ok(Some(state))
    })()
    .with_context(|| {
        format!(
            "{} (when it is removed, `tuner resume` makes it anew from the journal)",
            path.display()
        )
    })
}
