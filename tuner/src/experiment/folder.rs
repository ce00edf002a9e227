//! The folder of a run.
//!
//! | file | contents |
//! | --- | --- |
//! | `ledger.jsonl` | the configuration, and all games and events: a [ledger](mod@ledger) |
//! | `weights.json` | a copy of the result, written when the run ends |
//! | `network.txt`, `command.txt` | the same, if the run fits a network or a program |
//! | `result.json` | the outcome, for other programs |
//! | `report.html` | the page of the run |

use super::{config::Config, event::Event, state::State};
use crate::{contestant::Contestant, search::space::Target};
use anyhow::{Context, Result, bail, ensure};
use columns_bot_command::weights_file;
use columns_cli::ledger::{self, Head};
use columns_cli::{file, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// File name of the ledger.
pub const LEDGER: &str = "ledger.jsonl";
/// File name of the resulting weights, if the run fits weights.
const WEIGHTS: &str = "weights.json";
/// File name of the resulting network, if the run fits a network.
const NETWORK: &str = "network.txt";
/// File name of the resulting command line, if the run fits a program.
pub const COMMAND: &str = "command.txt";
/// File name of the outcome.
const RESULT: &str = "result.json";
/// File name of the page.
pub const PAGE: &str = "report.html";
/// The suffix of a file while it is being written.
pub const PART: &str = ".part";

/// Checks that a run can begin or resume in a folder, which must be new or empty, or hold a run.
///
/// # Errors
/// Returns an error if the folder holds other files or cannot be read.
pub fn check(path: &Path) -> Result<()> {
    let folder = path.display();
    if !path.is_dir() || path.join(LEDGER).exists() {
        return Ok(());
    }
    ensure!(
        !holds_rehearsals(path),
        "{folder}: holds rehearsals: add --rehearse N to continue them, or give another --out"
    );
    let unreadable = || format!("{folder}: cannot be read");
    if let Some(entry) = fs::read_dir(path).with_context(unreadable)?.next() {
        let name = entry.with_context(unreadable)?.file_name();
        bail!(
            "{folder}: expected a new or an empty folder, or that of a run, found {:?} in it",
            name.to_string_lossy()
        );
    }
    Ok(())
}

/// True if a folder holds rehearsals. Each is a run in a numbered subfolder, from `1` on.
pub fn holds_rehearsals(path: &Path) -> bool {
    !path.join(LEDGER).exists() && path.join("1").join(LEDGER).exists()
}

/// True if a run has begun in a folder: its ledger is not empty.
pub fn is_begun(path: &Path) -> bool {
    let ledger = fs::File::open(path.join(LEDGER));
    let head = ledger.map(|file| BufReader::new(file).read_until(b'\n', &mut Vec::new()));
    matches!(head, Ok(Ok(bytes)) if bytes > 0)
}

/// Reads the run in a folder without changing it; another process may be working on it.
///
/// # Errors
/// Returns an error if the folder holds no run, or if a line of its ledger is damaged.
pub fn read(path: &Path) -> Result<State> {
    let (config, events) = ledger::read::<Config, Event>(&ledger(path)?)?;
    let mut state = State::new(config).with_context(|| path.display().to_string())?;
    for event in events {
        state.apply(event?);
    }
    Ok(state)
}

/// Returns the path of the ledger in a folder.
fn ledger(path: &Path) -> Result<PathBuf> {
    let name = path.display();
    ensure!(path.is_dir(), "{name}: expected the folder of a run");
    let ledger = path.join(LEDGER);
    if !ledger.exists() {
        ensure!(
            !path.join("journal.jsonl").exists(),
            "{name}: expected a run in format {}, found one of version 0.1 of the tuner: begin a \
             new one",
            Config::FORMAT
        );
        ensure!(
            !holds_rehearsals(path),
            "{name}: expected the folder of a run, found rehearsals; each is a run, such as {}",
            path.join("1").display()
        );
        bail!("{name}: expected the folder of a run, found no {LEDGER} in it");
    }
    Ok(ledger)
}

/// Returns the name and the text of the file that holds the result.
pub fn result(state: &State) -> (&'static str, String) {
    match state.result() {
        Contestant::Program(program) => (COMMAND, program.command + "\n"),
        Contestant::Bot { player, .. } => match (state.config.target, &player.network) {
            (Target::Network, Some(network)) => (NETWORK, network.text() + "\n"),
            _ => (WEIGHTS, weights_file::format(&player.weights)),
        },
    }
}

/// Writes the file that holds the result, and `result.json`, into the folder of a run.
pub(super) fn write_outcome(folder: &Path, state: &State) -> Result<()> {
    let outcome = json::pretty(&state.outcome())?;
    for (name, text) in [result(state), (RESULT, outcome)] {
        file::write_by(&folder.join(name), PART, text.as_bytes())?;
    }
    Ok(())
}

/// Lists the paths of all files that a run may write into its folder.
pub fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    [LEDGER, WEIGHTS, NETWORK, COMMAND, RESULT, PAGE]
        .into_iter()
        .map(|name| folder.join(name))
}
