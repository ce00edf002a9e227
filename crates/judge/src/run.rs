//! Plays a bot on many cases in parallel.

use crate::bot::Bot;
use crate::cases::Entry;
use crate::process::{Limits, STOPPED, kill_all};
use crate::report::{FORMAT, Host, Report};
use crate::row::Row;
use crate::runner;
use crate::standing::Best;
use anyhow::{Context, Result};
use columns_cli::{file, pins::Pins, pool::Pool};
use columns_core::rules::{quickstart::quickstart, replay};
use columns_generator::{classes::Kind, digest::digest};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// The settings of a run.
#[derive(Debug)]
pub struct Run {
    /// The bot that plays all games.
    pub bot: Bot,
    /// The cases, in the order of the rows.
    pub cases: Vec<Entry>,
    /// The limits of each game.
    pub limits: Limits,
    /// The worker threads. Each plays one game at a time.
    pub pool: Pool,
    /// The processors that are reserved for games; `None` if the system chooses them.
    pub pins: Option<Pins>,
    /// Existing folder for the plans; `None` if they are not kept.
    pub out: Option<PathBuf>,
    /// Existing folder for the standard error of the bot; `None` if it is not kept.
    pub err: Option<PathBuf>,
    /// The best known scores, for the relative scores of the games.
    pub best: Option<Best>,
}

impl Run {
    /// Returns the report of this run without games and times. `cases` are the options that name the source of the cases.
    ///
    /// Identifies the bot before the first game, because the user may rebuild it during the run.
    ///
    /// # Errors
    /// If [`Bot::version`] or [`Bot::digest`] fails.
    pub fn head(&self, cases: String, comment: Option<String>) -> Result<Report> {
        Ok(Report {
            format: FORMAT,
            judge: env!("CARGO_PKG_VERSION").into(),
            bot: self.bot.to_string(),
            bot_version: self.bot.version()?,
            bot_digest: self.bot.digest()?.to_string(),
            comment,
            cases,
            time_limit_s: self.limits.time.as_secs_f64(),
            memory_limit_mib: self.limits.memory,
            jobs: self.pool.jobs(),
            pinned: self.pins.is_some(),
            host: Host::here(),
            ..Report::default()
        })
    }

    /// True if each output folder of the run has a file for this case. Also true for a run without output folders.
    pub fn has_output(&self, name: &str) -> bool {
        let mut folders = self.out.iter().chain(&self.err);
        folders.all(|folder| folder.join(format!("{name}.txt")).exists())
    }

    /// Plays these cases until all games have ended or [`kill_all`] is called. Returns the rows in the order of the cases.
    ///
    /// `ended` receives each row as soon as its game ends. `show` receives the rows in the order of the cases, each as soon
    /// as it and all previous rows are available.
    ///
    /// # Errors
    /// If a case cannot be read, the bot cannot be started, a plan cannot be written, or `ended` or `show` fails. All bots
    /// are killed then.
    pub fn play(
        &self,
        cases: &[Entry],
        ended: impl FnMut(&Row) -> Result<()> + Send,
        mut show: impl FnMut(&Row) -> Result<()>,
    ) -> Result<Vec<Row>> {
        let ended = Mutex::new(ended);
        let work = |index: usize| {
            let row = self.game(&cases[index])?;
            let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
            ended(&row).map(|()| row)
        };
        let mut rows = Vec::new();
        self.pool.in_order(cases.len(), &STOPPED, work, |_, row| {
            let result = row.and_then(|row| show(&row).map(|()| rows.push(row)));
            match result {
                // After `kill_all`, errors come from the games that it ended, and are skipped.
                Err(error) if !STOPPED.load(Ordering::Relaxed) => {
                    kill_all();
                    Err(error)
                }
                _ => Ok(ControlFlow::Continue(())),
            }
        })?;
        Ok(rows)
    }

    /// Plays one case.
    fn game(&self, entry: &Entry) -> Result<Row> {
        let case = entry.load()?;
        if let Some(pins) = &self.pins {
            pins.pin()?;
        }
        let (game, process) = runner::play(self.bot.command(), &case, self.limits)
            .with_context(|| format!("cannot run the bot {}", self.bot))?;
        let texts = [&process.output[..], process.errors.as_bytes()];
        for (folder, text) in [&self.out, &self.err].into_iter().zip(texts) {
            if let Some(folder) = folder {
                file::write(&entry.plan(folder), text)?;
            }
        }
        let mut row = Row {
            name: entry.name(),
            seed: entry.seed(),
            digest: digest(&case),
            kind: Kind::of(&case, entry.palette(&case)),
            quickstart: replay::score(&case, &quickstart(&case)).points,
            points_per_column: game.score as f64 / case.columns().len() as f64,
            relative: None,
            game,
        };
        row.relative = self.best.as_ref().map(|best| best.relative(&row));
        Ok(row)
    }
}
