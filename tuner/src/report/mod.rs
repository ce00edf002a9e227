//! Runs as a page: one HTML file that needs nothing else.
//!
//! * this file: the state of a run, read from its folder;
//! * `credit`: which parameters mattered;
//! * `page`: a page of sections; `one`: of one run; `several`: of several over each other;
//! * `score`, `parameters`, `held_out`: the sections of a run;
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

use crate::experiment::config::Config;
use crate::experiment::event::{Challenge, Event, Generation, Look, Reason};
use crate::experiment::folder::Folder;
use crate::experiment::outcome::Outcome;
use crate::experiment::state::{recent, Next, State};
use crate::objective::Objective;
use anyhow::{ensure, Result};
use columns_judge::stats::Estimate;
use std::path::Path;

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
    /// The looks at held-out seeds.
    pub looks: Vec<Look>,
    /// What the run came to, if anything was judged or the search has stopped.
    pub verdict: Option<String>,
    /// Whether there is nothing left to do.
    ended: bool,
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
        let (config, state) = Folder::read(folder)?;
        let mut so_far = State::new(&config);
        let mut generations = Vec::new();
        let mut challenges = state.challenges.iter().peekable();
        for generation in &state.generations {
            let count = config.axes.len();
            let number = so_far.generations.len() as u32;
            ensure!(
                generation.generation == number + 1
                    && [&generation.slope, &generation.centre, &generation.average]
                        .iter()
                        .all(|values| values.len() == count),
                "{}: expected generation {} of this run, found that of another",
                folder.display(),
                number + 1
            );
            while let Some((next, _)) = challenges.next_if(|(one, _)| one.generation <= number) {
                so_far.apply(&config, &Event::Challenge(next.clone()));
            }
            so_far.apply(&config, &Event::Generation(generation.clone()));
            generations.extend(recent(&so_far.generations).map(|recent| Done {
                generation: generation.clone(),
                games: so_far.games,
                recent,
            }));
        }
        let outcome = Outcome::new(&config, &state, &[])?;
        Ok(Self {
            name: name(folder),
            ended: state.next(&config, false) == Next::End,
            generations,
            games: state.games,
            usual: state.usual(),
            stopped: state.stopped,
            verdict: (state.stopped.is_some() || !state.looks.is_empty())
                .then_some(outcome.verdict),
            challenges: state.challenges,
            looks: state.looks,
            config,
        })
    }

    /// Whether the run has ended: the search has stopped, has challenged the best a last time, and
    /// the best was judged.
    pub fn has_ended(&self) -> bool {
        self.ended
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
