//! Runs as a page: one HTML file that needs nothing else.
//!
//! * this file: the state of a run, read from its folder;
//! * `credit`: which parameters mattered;
//! * `page`: a page of sections; `one`: of one run; `several`: of several over each other;
//! * `score`, `parameters`, `held_out`, `time`: the sections of a run;
//! * `axis`, `plot`, `bars`: drawings; `text`: numbers and tables.

mod axis;
mod bars;
mod credit;
mod held_out;
mod one;
mod page;
mod parameters;
mod plot;
mod score;
mod several;
mod text;
mod time;

use crate::fit::config::Config;
use crate::fit::outcome::Outcome;
use crate::fit::record::{By, Challenge, Generation, Reason, Record, Stage};
use crate::fit::run;
use crate::fit::runner::recent;
use crate::fit::stage::Timing;
use crate::games::objective::Objective;
use crate::store::journal::Journal;
use anyhow::{ensure, Context, Result};
use columns_cli::input;
use columns_judge::stats::Estimate;
use std::path::Path;

/// Most bytes of the timings that are read.
const LIMIT: u64 = 256 << 20;

/// A run as its folder shows it, whether it has ended or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The name of the folder.
    pub name: String,
    /// The configuration.
    pub config: Config,
    /// The generations that are done.
    pub generations: Vec<Done>,
    /// The challenges that are done, each with the games of the run when it ended.
    pub challenges: Vec<(Challenge, u64)>,
    /// Games so far, held-out ones apart.
    pub games: u64,
    /// Points that the start makes in a game, as far as it is known.
    pub usual: f64,
    /// Why the search stopped, unless it goes on.
    pub stopped: Option<Reason>,
    /// The outcome when the search last stopped.
    pub outcome: Option<Outcome>,
    /// The time spent on each stage.
    pub timings: Vec<Timing>,
}

/// A generation that is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// Its result.
    pub generation: Generation,
    /// Games of the run when it ended.
    pub games: u64,
    /// The estimate of the average's gain after it, see [`recent`].
    pub recent: Estimate,
}

impl Report {
    /// Reads a run. The folder stays as it is, and may belong to a process that works on it.
    ///
    /// # Errors
    /// One line with the file and the line in it: what is missing or damaged.
    pub fn read(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        ensure!(folder.is_dir(), "{shown}: expected the folder of a run");
        let (config, _) = Config::read(&folder.join(run::CONFIG))?;
        let result = folder.join(run::RESULT);
        // Read before the journal, so that the journal is not older than the outcome.
        let outcome = result
            .exists()
            .then(|| Outcome::read(&result))
            .transpose()?;
        let journal = folder.join(run::JOURNAL);
        let mut report = Self {
            name: name(folder),
            config,
            generations: Vec::new(),
            challenges: Vec::new(),
            games: 0,
            usual: 0.0,
            stopped: None,
            outcome,
            timings: timings(&folder.join(run::TIMINGS))?,
        };
        report
            .add(Journal::read(&journal)?)
            .with_context(|| journal.display().to_string())?;
        Ok(report)
    }

    /// Takes the records of the journal.
    fn add(&mut self, records: Vec<Record>) -> Result<()> {
        let count = self.config.parameters.len();
        let (mut points, mut cases) = (0.0, 0_u64);
        let mut all: Vec<Generation> = Vec::new();
        for record in records {
            match record {
                Record::Begin { .. } => {}
                Record::Game {
                    stage, by, played, ..
                } => {
                    self.games += u64::from(!matches!(stage, Stage::Look(_)));
                    if matches!(stage, Stage::Generation(_)) {
                        // A run that had stopped was extended.
                        self.stopped = None;
                        if by == By::Start {
                            points += played.points as f64;
                            cases += 1;
                        }
                    }
                }
                Record::Generation(generation) => {
                    let number = all.len() as u32 + 1;
                    ensure!(
                        generation.generation == number
                            && [&generation.slope, &generation.centre, &generation.average]
                                .iter()
                                .all(|values| values.len() == count),
                        "expected generation {number} of this run, found that of another"
                    );
                    all.push(generation.clone());
                    self.generations.extend(recent(&all).map(|recent| Done {
                        generation,
                        games: self.games,
                        recent,
                    }));
                }
                Record::Challenge(challenge) => self.challenges.push((challenge, self.games)),
                Record::Stop { reason, .. } => self.stopped = Some(reason),
            }
        }
        self.usual = points / cases.max(1) as f64;
        Ok(())
    }

    /// Whether the run has ended: the search has stopped, has challenged the best a last time, and
    /// the outcome is that of the best.
    pub fn has_ended(&self) -> bool {
        let last = self
            .generations
            .last()
            .map(|done| done.generation.generation);
        let challenged = self.challenges.last().map(|(last, _)| last.generation);
        let mut won = self.challenges.iter().rev().map(|(challenge, _)| challenge);
        let best = won
            .find(|challenge| challenge.won)
            .map_or(0, |challenge| challenge.generation);
        self.stopped.is_some()
            && challenged >= last
            && self
                .outcome
                .as_ref()
                .is_some_and(|outcome| outcome.best_generation == best)
    }

    /// A difference in the unit of the objective as a change of the score, in percent.
    fn percent(&self, difference: f64) -> f64 {
        match self.config.objective {
            Objective::Log => text::percent(difference),
            Objective::Sum => 100.0 * difference / self.usual.max(1.0),
        }
    }
}

/// The page of a run, or of several over each other. `live` is for a page that is written again and
/// again: it loads itself anew until all runs have ended.
///
/// # Panics
/// If there is no run.
pub fn html(reports: &[Report], live: bool) -> String {
    let live = live && !reports.iter().all(Report::has_ended);
    match reports {
        [report] => one::page(report, live),
        reports => several::page(reports, live),
    }
}

/// The name of a folder: the last part of its path, `.` included.
fn name(folder: &Path) -> String {
    let path = folder.canonicalize().unwrap_or_else(|_| folder.into());
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The lines of `timings.jsonl`. The outcome does not depend on them: a line that a killed process
/// left half-written is skipped.
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
