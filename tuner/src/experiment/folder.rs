//! The folder that a run lives in.
//!
//! | file | what it is |
//! | --- | --- |
//! | `ledger.jsonl` | the configuration, and all games and events: a [ledger](mod@crate::ledger) |
//! | `weights.json` | a copy of the result, whenever the search has stopped; |
//! | `network.txt`, `command.txt` | the same of a network, of a program |
//! | `result.json` | what it came to, for other programs |
//! | `time.json` | the seconds that processes have worked on a run with limited time |

use super::{config::Config, event::Event, outcome::Outcome, state::State};
use crate::ledger::{self, Head, Ledger};
use anyhow::{bail, ensure, Context, Result};
use columns_cli::{file, input, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The configuration, and all games and events.
pub const LEDGER: &str = "ledger.jsonl";
/// The weights of the result.
pub const WEIGHTS: &str = "weights.json";
/// The network of the result.
pub const NETWORK: &str = "network.txt";
/// The command line of the result, of a run that fits a program.
pub const COMMAND: &str = "command.txt";
/// What the run came to.
pub const RESULT: &str = "result.json";
/// The seconds of a run with limited time.
const TIME: &str = "time.json";
/// The ending of a file until it is whole.
const PART: &str = ".part";

/// Looks whether a run can begin in a folder: it must be new or empty.
///
/// # Errors
/// One line: why the folder cannot be used.
pub fn check(path: &Path) -> Result<()> {
    let shown = path.display();
    let ledger = path.join(LEDGER);
    if ledger.exists() && ledger::read::<Config, Event>(&ledger).is_ok() {
        bail!("{shown}: a run is there already; go on with it: tuner resume {shown}");
    }
    if !path.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| format!("{shown}: cannot be read"))? {
        let name = entry.with_context(|| format!("{shown}: cannot be read"))?;
        let name = name.file_name().to_string_lossy().into_owned();
        // That of a process that was killed before it had begun it.
        ensure!(
            name == LEDGER,
            "{shown}: expected a new or an empty folder, found {name:?} in it"
        );
    }
    Ok(())
}

/// Opens the run of this configuration in a folder, or begins it.
///
/// # Errors
/// One line: that there is another run, or why the folder cannot be used.
pub fn open_or_create(path: &Path, config: &Config) -> Result<Ledger<Event>> {
    let _made = file::make_folder(path)?;
    Ledger::open_or_create(&path.join(LEDGER), config)
}

/// Opens the run in a folder.
///
/// # Errors
/// One line: that there is none, that another process works on it, or where it is damaged.
pub fn open(path: &Path) -> Result<(Ledger<Event>, Config)> {
    Ledger::open(&ledger(path)?)
}

/// Reads the run in a folder, without changing anything; another process may work on it.
///
/// # Errors
/// One line: that there is none, or where it is damaged.
pub fn read(path: &Path) -> Result<(Config, State)> {
    let (config, events) = ledger::read::<Config, Event>(&ledger(path)?)?;
    let mut state = State::new(&config);
    for event in events {
        state.apply(&config, &event?);
    }
    Ok((config, state))
}

/// The ledger in a folder.
fn ledger(path: &Path) -> Result<PathBuf> {
    let shown = path.display();
    ensure!(path.is_dir(), "{shown}: expected the folder of a run");
    let ledger = path.join(LEDGER);
    if !ledger.exists() {
        ensure!(
            !path.join("journal.jsonl").exists(),
            "{shown}: expected a run in format {}, found one of an earlier format: begin a new \
             one",
            Config::FORMAT
        );
        bail!("{shown}: expected the folder of a run, found no {LEDGER} in it");
    }
    Ok(ledger)
}

/// The seconds that processes have worked on the run, as far as they were written.
pub(super) fn seconds(folder: &Path) -> f64 {
    let text = input::read(&folder.join(TIME), 1 << 10).ok();
    text.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or(0.0)
}

/// Writes these seconds.
pub(super) fn write_seconds(folder: &Path, seconds: f64) -> Result<()> {
    write(folder, TIME, &format!("{seconds:.1}\n"))
}

/// Writes the files of an outcome.
pub(super) fn write_outcome(folder: &Path, outcome: &Outcome) -> Result<()> {
    let (name, text) = outcome.file();
    write(folder, name, &text)?;
    write(folder, RESULT, &json::pretty(outcome)?)
}

/// Writes a file as a whole or not at all.
fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    file::write_by(&folder.join(name), PART, text.as_bytes())
}

/// The files of the run in a folder, those that are not there yet included.
pub fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    [LEDGER, WEIGHTS, NETWORK, COMMAND, RESULT, TIME]
        .into_iter()
        .map(|name| folder.join(name))
}
