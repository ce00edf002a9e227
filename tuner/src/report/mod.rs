//! A run as a page: one HTML file that needs nothing else.
//!
//! * this file: what is reported, read from the folder of the run;
//! * `page`: the page; `plot`: its plots.

mod page;
mod plot;

use crate::fit::outcome::Outcome;
use crate::fit::record::{Generation, Record};
use crate::fit::run::{self, Config};
use crate::fit::runner::{recent, Stage, Timing};
use crate::store::journal::Journal;
use anyhow::{ensure, Context, Result};
use columns_cli::input;
use columns_judge::stats::Estimate;
use std::path::Path;

/// Most bytes of the timings that are read.
const LIMIT: u64 = 256 << 20;

/// What is known of a run, whether it has ended or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What the folder is called.
    pub name: String,
    /// What was asked for.
    pub config: Config,
    /// The generations that are done, at least one, and for each what it and those before it
    /// say, see [`recent`].
    pub generations: Vec<(Generation, Estimate)>,
    /// The outcome of a run that has ended.
    pub outcome: Option<Outcome>,
    /// Where the time went.
    pub timings: Vec<Timing>,
}

impl Report {
    /// Reads a run. The folder stays as it is, and may belong to a process that works on it.
    ///
    /// # Errors
    /// One line with the file and the line in it: what is missing or damaged, or that no
    /// generation is done yet.
    pub fn read(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        ensure!(folder.is_dir(), "{shown}: expected the folder of a run");
        let (config, _) = run::config_of(folder)?;
        let records: Vec<Record> = Journal::read(&folder.join(run::JOURNAL))?;
        let mut all = Vec::new();
        for record in records {
            if let Record::Generation(generation) = record {
                let number = all.len() as u32 + 1;
                ensure!(
                    generation.generation == number
                        && generation.values.len() == config.parameters.len()
                        && generation.deviations.len() == config.parameters.len(),
                    "{}: expected generation {number} of this run, found that of another",
                    folder.join(run::JOURNAL).display()
                );
                all.push(generation);
            }
        }
        ensure!(!all.is_empty(), "{shown}: no generation is done yet");
        let means: Vec<Estimate> = (1..=all.len()).filter_map(|n| recent(&all[..n])).collect();
        let result = folder.join(run::RESULT);
        let outcome = result
            .exists()
            .then(|| Outcome::read(&result))
            .transpose()?;
        Ok(Self {
            name: name(folder),
            config,
            generations: all.into_iter().zip(means).collect(),
            outcome,
            timings: timings(&folder.join(run::TIMINGS))?,
        })
    }

    /// The page.
    pub fn html(&self) -> String {
        page::page(self)
    }

    /// Where the time of the generations went, or that of the validation.
    fn spent(&self, validation: bool) -> Spent {
        let mut spent = Spent::default();
        for timing in &self.timings {
            if (timing.stage == Stage::Validation) == validation {
                spent.add(timing);
            }
        }
        spent
    }
}

/// Where time went.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Spent {
    games: usize,
    wall_s: f64,
    /// Processor seconds of the games.
    games_s: f64,
    /// Processor seconds of the tuner beside them.
    own_s: f64,
    /// Seconds in which a processor that was to play did not: waiting, or others' work.
    idle_s: f64,
}

impl Spent {
    fn add(&mut self, timing: &Timing) {
        self.games += timing.games;
        self.wall_s += timing.wall_s;
        self.games_s += timing.games_s;
        match timing.jobs {
            Some(jobs) => {
                self.own_s += (timing.process_s - timing.games_s).max(0.0);
                self.idle_s += (jobs as f64 * timing.wall_s - timing.process_s).max(0.0);
            }
            // The games were other machines' work, and nobody knows how many waited.
            None => self.own_s += timing.process_s,
        }
    }
}

/// What a folder is called: its last name, `.` included.
fn name(folder: &Path) -> String {
    let path = folder.canonicalize().unwrap_or_else(|_| folder.into());
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The lines of `timings.jsonl`. They say nothing that matters to the outcome: a line that a
/// killed process left half-written is passed over, wherever it is.
fn timings(path: &Path) -> Result<Vec<Timing>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = input::read(path, LIMIT).context("where the time went")?;
    let lines = text.lines();
    Ok(lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}
