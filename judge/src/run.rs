//! A bot over many cases, in parallel.

use crate::bot::Bot;
use crate::cases::{self, Entry};
use crate::process::{self, Limits};
use crate::row::Row;
use crate::runner::{self, Played};
use crate::standing::Best;
use anyhow::{Context, Result};
use columns_cli::file;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::quickstart::quickstart;
use columns_core::rules::replay;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// What to play, and how.
#[derive(Debug)]
pub struct Run {
    /// The bot.
    pub bot: Bot,
    /// The cases, in the order of the rows.
    pub cases: Vec<Entry>,
    /// What the bot may use on each.
    pub limits: Limits,
    /// How many games at a time, at least 1.
    pub jobs: usize,
    /// Where the plans go, if they are kept: a folder that exists.
    pub out: Option<PathBuf>,
    /// The best scores known, if the games are to stand against them.
    pub best: Option<Best>,
}

impl Run {
    /// Plays every case, or those before [`process::kill_all`] was called. `ended` gets the row of
    /// every game as it ends; `show` gets them in the order of the cases, each as soon as it and
    /// all before it are there. Returns them in that order.
    ///
    /// # Errors
    /// A case that cannot be read, a bot that cannot be started, a plan that
    /// cannot be written, or an error of `ended` or `show`: all bots are killed then.
    pub fn play(
        &self,
        mut ended: impl FnMut(&Row) -> Result<()>,
        mut show: impl FnMut(&Row) -> Result<()>,
    ) -> Result<Vec<Row>> {
        let next = AtomicUsize::new(0);
        let (results, arrived) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, self.cases.len().max(1)) {
                let (results, next) = (results.clone(), &next);
                scope.spawn(move || loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entry) = self.cases.get(index) else {
                        break;
                    };
                    let row = self.game(entry);
                    if process::is_stopped() || results.send((index, row)).is_err() {
                        break;
                    }
                });
            }
            drop(results);
            let collect = || {
                let mut waiting = BTreeMap::new();
                let mut rows = Vec::with_capacity(self.cases.len());
                for (index, row) in arrived {
                    let row = row?;
                    ended(&row)?;
                    waiting.insert(index, row);
                    while let Some(row) = waiting.remove(&rows.len()) {
                        show(&row)?;
                        rows.push(row);
                    }
                }
                // Of a run that was stopped, behind a game that did not end.
                for row in waiting.into_values() {
                    show(&row)?;
                    rows.push(row);
                }
                Ok(rows)
            };
            let collected = collect();
            if collected.is_err() {
                process::kill_all();
            }
            collected
        })
    }

    /// Plays one case, now and in this thread; [`Run::cases`] and [`Run::jobs`] do not matter.
    ///
    /// # Errors
    /// A case that cannot be read, a bot that cannot be started, a plan that cannot be written.
    pub fn game(&self, entry: &Entry) -> Result<Row> {
        let case = entry.load()?;
        let played = runner::play(&mut self.bot.command(), &case, self.limits)
            .with_context(|| format!("cannot run the bot {}", self.bot))?;
        if let Some(out) = &self.out {
            file::write(&entry.plan(out), &played.process.output)?;
        }
        Ok(self.row(entry, &case, played))
    }

    fn row(&self, entry: &Entry, case: &Case, played: Played) -> Row {
        let (mark, process) = (played.mark(), played.process);
        let outcome = played.verdict.as_ref().ok();
        let score = outcome.map_or(0, |outcome| outcome.points);
        let columns = case.columns();
        let mut row = Row {
            name: entry.name.clone(),
            seed: entry.seed,
            digest: cases::digest(case),
            width: case.width(),
            height: case.height(),
            columns: columns.len(),
            magic: columns.iter().filter(|&&c| c == Column::Magic).count(),
            colours: case.palette().len(),
            palette: entry.palette(case),
            score,
            points_per_column: score as f64 / columns.len() as f64,
            quickstart: replay::score(case, &quickstart(case)).points,
            placed: outcome.map(|outcome| outcome.placed),
            longest_chain: outcome.map(|outcome| outcome.longest_chain),
            wall_s: process.wall.as_secs_f64(),
            cpu_s: process.cpu.as_secs_f64(),
            peak_memory_mib: process.peak_memory as f64 / f64::from(1 << 20),
            mark,
            reason: played.verdict.err().map(|lost| lost.reason),
            relative: None,
            numbers: played.numbers,
        };
        row.relative = self.best.as_ref().map(|best| best.relative(&row));
        row
    }
}
