//! A bot over many cases, in parallel.

use crate::bot::Bot;
use crate::cases::Entry;
use crate::process::{kill_all, Limits, STOPPED};
use crate::report::{Host, Report, FORMAT};
use crate::row::Row;
use crate::runner;
use crate::standing::Best;
use anyhow::{Context, Result};
use columns_cli::file;
use columns_cli::pins::Pins;
use columns_cli::pool::Pool;
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay;
use columns_generator::classes::Kind;
use columns_generator::digest::digest;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// What to play, and how.
#[derive(Debug)]
pub struct Run {
    /// The bot.
    pub bot: Bot,
    /// The cases, in the order of the rows.
    pub cases: Vec<Entry>,
    /// What the bot may use on each.
    pub limits: Limits,
    /// The threads that play, a game at a time each.
    pub pool: Pool,
    /// The processors of the games, if each game has its own.
    pub pins: Option<Pins>,
    /// The folder for the plans, which exists; `None` if they are not kept.
    pub out: Option<PathBuf>,
    /// The same for what the bot writes to standard error.
    pub err: Option<PathBuf>,
    /// The best scores known, if the games are to stand against them.
    pub best: Option<Best>,
}

impl Run {
    /// The head of the report of this run, which begins now; `cases` are its options that say where the cases come from.
    ///
    /// The bot is identified now: its user may build it again while it plays.
    ///
    /// # Errors
    /// Those of [`Bot::identity`].
    pub fn head(&self, cases: String, comment: Option<String>) -> Result<Report> {
        let identity = self.bot.identity()?;
        Ok(Report {
            format: FORMAT,
            judge: env!("CARGO_PKG_VERSION").into(),
            bot: self.bot.to_string(),
            bot_version: identity.version,
            bot_digest: identity.digest,
            comment,
            cases,
            time_limit_s: self.limits.time.as_secs_f64(),
            memory_limit_mib: self.limits.memory,
            jobs: self.pool.jobs(),
            pinned: self.pins.is_some(),
            host: Host::here(),
            started: jiff::Timestamp::now().to_string(),
            ..Report::default()
        })
    }

    /// True if the files that keep the output of a game exist.
    pub fn has_output(&self, name: &str) -> bool {
        let mut folders = self.out.iter().chain(&self.err);
        folders.all(|folder| folder.join(format!("{name}.txt")).exists())
    }

    /// Plays these cases, or those before [`kill_all`] was called. `ended` gets the row of
    /// every game as it ends; `show` gets them in the order of the cases, each as soon as it and
    /// all before it are there. Returns them in that order.
    ///
    /// # Errors
    /// A case that cannot be read, a bot that cannot be started, a plan that
    /// cannot be written, or an error of `ended` or `show`: all bots are killed then.
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
            let shown = row.and_then(|row| show(&row).map(|()| rows.push(row)));
            match shown {
                // Killed games are not counted.
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
        let (game, printed) = runner::play(self.bot.command(), &case, self.limits)
            .with_context(|| format!("cannot run the bot {}", self.bot))?;
        let printed = [&printed.output[..], printed.errors.as_bytes()];
        for (folder, text) in [&self.out, &self.err].into_iter().zip(printed) {
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
