//! Plays a program on many cases in parallel.

use crate::arena::process::FinishedProcess;
use crate::cases::CaseEntry;
use crate::program::{PlayedGame, Program};
use crate::row::Row;
use anyhow::{Context, Error, Result};
use columns_cases::{classes::CaseProperties, digest::Digest};
use columns_cli::pool::Pool;
use columns_core::rules::{quickstart::play_quickstart, replay};
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A program and the threads that play its games.
#[derive(Debug)]
pub struct GameRunner {
    /// The bot that plays all games, with its limits.
    pub program: Program,
    /// The worker threads. Each thread plays one game at a time.
    pub pool: Pool,
}

impl GameRunner {
    /// Plays these cases. Returns when all games have ended. If `stop` is set, kills the running games and
    /// starts no more games.
    ///
    /// `on_game_end` receives the row and the process of each game as soon as the game ends, in the thread
    /// that played it. `on_row` receives the rows in the order of the cases, each as soon as possible.
    ///
    /// # Errors
    /// Returns an error if a case cannot be read, or if [`Program::play`], `on_game_end` or `on_row` fails.
    /// After such an error, `stop` is set, and the running games have been killed. Also returns an error if a
    /// thread cannot be started. A game that `stop` has killed is not an error.
    pub fn play(
        &self,
        cases: &[CaseEntry],
        stop: &AtomicBool,
        on_game_end: impl Fn(&Row, &FinishedProcess) -> Result<()> + Sync,
        mut on_row: impl FnMut(&Row) -> Result<()>,
    ) -> Result<()> {
        let work = |index: usize| {
            let (row, process) = self.play_case(&cases[index], stop)?;
            on_game_end(&row, &process).map(|()| row)
        };
        let on_result = |_, row: Result<Row>| match row.and_then(|row| on_row(&row)) {
            Err(error) if !is_interrupt(&error) => {
                stop.store(true, Ordering::Relaxed);
                Err(error)
            }
            _ => Ok(ControlFlow::Continue(())),
        };
        self.pool.map_ordered(cases.len(), stop, work, on_result)?;
        Ok(())
    }

    /// Plays one case. Returns its row, and the process that played it.
    fn play_case(&self, entry: &CaseEntry, stop: &AtomicBool) -> Result<(Row, FinishedProcess)> {
        let case = entry.load()?;
        let played = self.program.play(&case, stop);
        let played = played.with_context(|| format!("case {}", entry.name()))?;
        let PlayedGame {
            game,
            process,
            program,
        } = played;
        let row = Row {
            name: entry.name(),
            seed: entry.seed(),
            case_digest: Digest::new(case.to_string().as_bytes()),
            output_digest: Digest::new(&process.stdout),
            properties: CaseProperties::new(&case, entry.palette_kind()),
            quickstart_score: replay::score(&case, &play_quickstart(&case)).points,
            points_per_column: game.score as f64 / case.columns().len() as f64,
            game,
            program,
        };
        Ok((row, process))
    }
}

/// True if `error` comes from a game that was killed because of `stop`.
fn is_interrupt(error: &Error) -> bool {
    let io = error.root_cause().downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::Interrupted)
}
