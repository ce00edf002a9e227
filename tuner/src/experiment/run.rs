//! A fit in a folder: its record, and its state after the stages of earlier processes.

use super::config::RunConfig;
use super::fit::{Fit, ProgressListener};
use super::folder::{self, RECORD_FILE};
use super::state::RunState;
use crate::executor::Executor;
use crate::games::{EndOfRecord, Games};
use crate::record::{self, Record, RunLimits};
use anyhow::{Context, Result, ensure};
use columns_cli::file;
use columns_core::text::group_digits;
use std::path::{Path, PathBuf};

/// A run that this process is working on.
#[derive(Debug)]
pub struct Run {
    /// The folder of the run, with the files that [`folder`] lists.
    pub folder: PathBuf,
    /// The state after the last complete stage.
    pub state: RunState,
    /// The ledger of the run: its configuration and all its games.
    pub record: Record,
    /// Describes how the player has changed since the run began; `None` if it has not. A run with a changed
    /// player can be opened only if it has ended.
    pub player_change: Option<String>,
}

impl Run {
    /// Begins a run in a new or empty folder, or resumes the run in the folder. `given` holds the limits from
    /// the command line; the other limits stay the same.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid or differs from the configuration of the run in the
    /// folder, if a limit is too small, if the run needs further games and a player has changed, if another
    /// process is working on the run, or if the folder cannot be used.
    pub fn open_or_create(folder: &Path, config: &RunConfig, given: &RunLimits) -> Result<Self> {
        config.build_space()?;
        folder::check(folder)?;
        let _guard = file::create_folder(folder)?;
        let mut opened = record::open(&folder.join(RECORD_FILE), config, given)?;
        let mut state = RunState::new(opened.header.clone())?;
        replay(&mut state, &mut opened.record)?;
        opened.check_same_players(state.has_ended)?;
        let (games, min_games) = (opened.limits.max_games, state.min_extended_games());
        let is_raised = games > opened.record.last_limits().max_games;
        ensure!(
            !is_raised || state.stop_reason.is_none() || games >= Some(min_games),
            "--games: expected at least {}, with which the search plays another generation and a challenge",
            group_digits(min_games)
        );
        opened.record_raised_limits()?;
        Ok(Self {
            folder: folder.into(),
            state,
            record: opened.record,
            player_change: opened.player_change,
        })
    }

    /// Resumes the run in a folder with the options in its record.
    ///
    /// # Errors
    /// Returns an error if the folder holds no run, or if [`Run::open_or_create`] fails.
    pub fn resume(folder: &Path, given: &RunLimits) -> Result<Self> {
        let (original, _) = Record::read::<RunConfig>(&folder::record_path(folder)?)?;
        Self::open_or_create(folder, &original, given)
    }

    /// True if the run needs no more games.
    pub fn has_ended(&self) -> bool {
        self.state.has_ended && self.record.is_at_end()
    }

    /// Plays the games that the run still needs, and writes its outcome into the folder.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or if games cannot be played. The error is
    /// [`Interrupted`](columns_cli::command::Interrupted) if the executor was stopped.
    pub fn execute(
        &mut self,
        executor: &mut dyn Executor,
        listener: &mut dyn ProgressListener,
    ) -> Result<()> {
        let case_spec = self.state.config.case_spec;
        let ended = Fit {
            state: &mut self.state,
            games: &mut Games::new(&mut self.record, case_spec, Some(executor)),
            listener,
        }
        .run();
        if self.record.new_game_count > 0 && self.state.stop_reason.is_none() {
            self.record.record_clock()?;
        }
        ended?;
        self.record.sync()?;
        folder::write_outcome(&self.folder, &self.state)
    }
}

/// Replays the games of a record, up to its last complete stage.
pub(super) fn replay(state: &mut RunState, record: &mut Record) -> Result<()> {
    let case_spec = state.config.case_spec;
    let ended = Fit {
        state,
        games: &mut Games::new(record, case_spec, None),
        listener: &mut (),
    }
    .run();
    match ended {
        Err(error) if error.is::<EndOfRecord>() => Ok(()),
        ended => ended.context(record.name.clone()),
    }
}
