//! A bot over many cases, in parallel.

use crate::bot::Bot;
use crate::cases::Entry;
use crate::process::{kill_all, Limits, STOPPED};
use crate::row::Row;
use crate::runner;
use crate::standing::Best;
use anyhow::{Context, Result};
use columns_cli::file;
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
    /// How many games at a time.
    pub pool: Pool,
    /// Where the plans go, if they are kept: a folder that exists.
    pub out: Option<PathBuf>,
    /// The best scores known, if the games are to stand against them.
    pub best: Option<Best>,
}

impl Run {
    /// Plays every case, or those before [`kill_all`] was called. `ended` gets the row of
    /// every game as it ends; `show` gets them in the order of the cases, each as soon as it and
    /// all before it are there. Returns them in that order.
    ///
    /// # Errors
    /// A case that cannot be read, a bot that cannot be started, a plan that
    /// cannot be written, or an error of `ended` or `show`: all bots are killed then.
    pub fn play(
        &self,
        ended: impl FnMut(&Row) -> Result<()> + Send,
        mut show: impl FnMut(&Row) -> Result<()>,
    ) -> Result<Vec<Row>> {
        let ended = Mutex::new(ended);
        let work = |index: usize| {
            let row = self.game(&self.cases[index])?;
            let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
            ended(&row).map(|()| row)
        };
        let (count, mut rows) = (self.cases.len(), Vec::new());
        self.pool.in_order(count, &STOPPED, work, |_, row| {
            let shown = row.and_then(|row| show(&row).map(|()| rows.push(row)));
            match shown {
                // A game that was killed is none.
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
        let (game, output) = runner::play(self.bot.command(), &case, self.limits)
            .with_context(|| format!("cannot run the bot {}", self.bot))?;
        if let Some(out) = &self.out {
            file::write(&entry.plan(out), &output)?;
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
