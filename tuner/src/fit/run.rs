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

use crate::compare::gate;
use crate::fit::record::{Reason, Record, Stage};
use crate::fit::search::{Pace, Search};
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
pub const FORMAT: u32 = 2;
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

/// Whether something written to this path would be written onto a file of the run in a folder, by
/// whatever name, or where such a file may come to be.
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
    /// Work that the search may do in a game, in microseconds, at least 1.
    pub work: u64,
    /// What is made large.
    pub objective: Objective,
    /// Games to play at the most, held-out ones apart, unless the run is extended.
    pub games: u64,
    /// Pairs of games on held-out seeds that judge a result at the most.
    pub most_pairs: u64,
    /// How the search goes on.
    pub pace: Pace,
    /// What is fitted.
    pub parameters: Vec<Axis>,
}

/// Most games of a run: as many pairs as there are seeds for.
const MOST_GAMES: u64 = 800_000_000;

impl Config {
    /// Whether a run can be made of it.
    ///
    /// # Errors
    /// A line that names the first mistake.
    pub fn check(&self) -> Result<()> {
        let Pace {
            pairs, noise, rate, ..
        } = self.pace;
        ensure!(self.work > 0, "expected work for a game, found 0");
        ensure!(
            (2..=100_000).contains(&pairs),
            "expected from 2 to 100000 pairs of games a generation, found {pairs}"
        );
        ensure!(
            noise > 0.0 && noise <= 1000.0,
            "expected a noise above 0 and up to 1000, found {noise}"
        );
        ensure!(
            rate > 0.0 && rate <= 1000.0,
            "expected a rate above 0 and up to 1000, found {rate}"
        );
        ensure!(
            (1..=1_000_000).contains(&self.most_pairs),
            "expected from 1 to 1000000 pairs of held-out games, found {}",
            self.most_pairs
        );
        check_games(self.games)
    }
}

/// Whether a run can play so many games.
///
/// # Errors
/// A line that says how many it can.
pub fn check_games(games: u64) -> Result<()> {
    ensure!(
        (1..=MOST_GAMES).contains(&games),
        "expected from 1 to {MOST_GAMES} games, found {games}"
    );
    Ok(())
}

/// How far a run has come: what is saved after each generation, challenge and look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The search.
    pub search: Search,
    /// Games played, held-out ones apart.
    pub games: u64,
    /// The best point so far, and after which generation it was the average; 0 for the start.
    pub best: Vec<f64>,
    /// See `best`.
    pub best_generation: u32,
    /// Challenges so far, and after which generation and after how many games the last one was.
    pub challenges: u32,
    /// See `challenges`.
    pub challenged: (u32, u64),
    /// Looks at held-out seeds so far, and the generation of the best that the last one judged.
    pub looks: u32,
    /// See `looks`.
    pub judged: u32,
    /// Points of the start in all its games so far, and how many these were.
    pub start: (f64, u64),
    /// Why the search has stopped, if it has.
    pub stopped: Option<Reason>,
}

impl Progress {
    /// Before the first generation of a search in a space of so many dimensions.
    fn new(count: usize) -> Self {
        Self {
            search: Search::new(count),
            games: 0,
            best: vec![0.0; count],
            best_generation: 0,
            challenges: 0,
            challenged: (0, 0),
            looks: 0,
            judged: 0,
            start: (0.0, 0),
            stopped: None,
        }
    }
}

/// What `state.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    format: u32,
    /// How far the journal was.
    journal: Mark,
    progress: Progress,
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
        file::make_folder(folder)?;
        let lock = lock(folder)?;
        clear(folder)?;
        let config_text = to_json(&config)?;
        let start_text = weights_file::format(start);
        write(folder, START, start_text.as_bytes())?;
        let journal = Journal::create(&folder.join(JOURNAL))?;
        // Until this file is there, there is no run.
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
        let state = State {
            format: FORMAT,
            journal: self.journal.mark(),
            progress: self.progress.clone(),
        };
        let digest = Digest::of(&serde_json::to_vec(&state)?);
        let text = serde_json::to_string(&Stored { digest, state })? + "\n";
        write(&self.folder, STATE, text.as_bytes())
    }

    /// The seeds of a stage that plays so many of them. Those of generations follow each other;
    /// those of challenges and looks lie elsewhere.
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
