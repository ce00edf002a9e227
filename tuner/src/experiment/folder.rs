//! The folder of a run.
//!
//! | file | contents |
//! | --- | --- |
//! | `ledger.jsonl` | the configuration and all games: the [record](crate::record) |
//! | `weights.json` | a copy of the result, written when the run ends |
//! | `network.txt`, `command.txt` | the same, if the run fits a network or a program |
//! | `rejected-weights.json`, … | the last judged player that did not become the result |
//! | `result.json` | the outcome, for other programs |
//! | `report.html` | the page of the run |

use super::{config::RunConfig, run::replay, state::RunState};
use crate::record::Record;
use crate::{player::Player, search::space::Target};
use anyhow::{Context, Result, bail, ensure};
use columns_bot_command::weights_file;
use columns_cli::{file, json, ledger};
use std::fs;
use std::path::{Path, PathBuf};

/// File name of the record in the folder of a run.
pub const RECORD_FILE: &str = "ledger.jsonl";
/// File name of the resulting weights, if the run fits weights.
const WEIGHTS_FILE: &str = "weights.json";
/// File name of the resulting network, if the run fits a network.
const NETWORK_FILE: &str = "network.txt";
/// File name of the resulting command line, if the run fits a program.
pub const COMMAND_FILE: &str = "command.txt";
/// The prefix that turns the file name of the result into the file name of the last rejected player.
const REJECTED_PREFIX: &str = "rejected-";
/// File name of the outcome as JSON, for other programs.
const OUTCOME_FILE: &str = "result.json";
/// File name of the page that shows the run.
pub const PAGE_FILE: &str = "report.html";
/// The suffix of a file while it is being written.
pub const PART_SUFFIX: &str = ".part";

/// Checks that a run can begin or resume in a folder, which must be new or empty, or hold a run.
///
/// # Errors
/// Returns an error if the folder holds other files or cannot be read.
pub fn check(path: &Path) -> Result<()> {
    let folder = path.display();
    if !path.is_dir() || path.join(RECORD_FILE).exists() {
        return Ok(());
    }
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

/// True if a run has begun in the folder, or its record cannot be read.
pub fn contains_run(path: &Path) -> bool {
    ledger::has_header(&path.join(RECORD_FILE))
}

/// Reads the run in a folder without changing it, so another process may be working on the run.
///
/// # Errors
/// Returns an error if the folder holds no run, if a line of its ledger before the last one is damaged, or if
/// [`RunState::new`] fails.
pub fn read(path: &Path) -> Result<RunState> {
    let (config, mut record) = Record::read::<RunConfig>(&record_path(path)?)?;
    let mut state = RunState::new(config).with_context(|| path.display().to_string())?;
    replay(&mut state, &mut record)?;
    Ok(state)
}

/// Returns the path of the record in a folder. Returns an error if the folder contains no run.
pub(super) fn record_path(path: &Path) -> Result<PathBuf> {
    let name = path.display();
    ensure!(path.is_dir(), "{name}: expected the folder of a run");
    let record = path.join(RECORD_FILE);
    ensure!(
        record.exists(),
        "{name}: expected the folder of a run, found no {RECORD_FILE} in it"
    );
    Ok(record)
}

/// Returns the name and the text of the file that holds the result.
pub fn result_file(state: &RunState) -> (&'static str, String) {
    player_file(state, &state.result_player())
}

/// Returns the path of the file for the last rejected player. The file exists only if a player was
/// rejected.
pub fn rejected_path(folder: &Path, state: &RunState) -> PathBuf {
    folder.join(format!("{REJECTED_PREFIX}{}", result_file(state).0))
}

/// Returns the name of the result's file, and its text if `player` were the result.
fn player_file(state: &RunState, player: &Player) -> (&'static str, String) {
    match player {
        Player::Program(program) => (COMMAND_FILE, program.command.clone() + "\n"),
        Player::Bot { player, .. } => match (state.config.target, &player.network) {
            (Target::Network, Some(network)) => (NETWORK_FILE, network.to_text() + "\n"),
            _ => (WEIGHTS_FILE, weights_file::format(&player.weights)),
        },
    }
}

/// Writes up to three files into the folder of a run: the resulting player, the outcome (`result.json`), and
/// the last rejected player, if any.
pub(super) fn write_outcome(folder: &Path, state: &RunState) -> Result<()> {
    let outcome = json::to_pretty(&state.outcome_json())?;
    for (name, text) in [result_file(state), (OUTCOME_FILE, outcome)] {
        file::write_with_temporary_suffix(&folder.join(name), PART_SUFFIX, text.as_bytes())?;
    }
    let path = rejected_path(folder, state);
    match state.rejected_player() {
        Some(player) => {
            let (_, text) = player_file(state, &player);
            file::write_with_temporary_suffix(&path, PART_SUFFIX, text.as_bytes())
        }
        // The player that an earlier outcome rejected has since passed, with more pairs or with
        // --allow-failures.
        None if path.exists() => {
            fs::remove_file(&path).with_context(|| format!("{}: cannot be removed", path.display()))
        }
        None => Ok(()),
    }
}
