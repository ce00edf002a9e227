//! What a run came to.

use super::event::{Look, Reason};
use super::folder::{COMMAND, NETWORK, WEIGHTS};
use super::{config::Config, state::State};
use crate::{contestant::Contestant, search::space::Axis, stats::table::Table, units::Objective};
use anyhow::Result;
use columns_bot::weights_file;
use columns_generator::Spec;
use serde::Serialize;

/// The outcome of a run: what was found and how it was judged. In JSON it is `result.json`, a copy
/// for other programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// What was made large.
    pub objective: Objective,
    /// What the cases are like.
    pub cases: Spec,
    /// Games of the search.
    pub games: u64,
    /// Generations of the search.
    pub generations: u32,
    /// After which of them the best was the average; 0 where the start was never beaten.
    pub best_generation: u32,
    /// Why the search stopped.
    pub stopped: Option<Reason>,
    /// The numbers that were fitted: those of the result, or else of the best that was judged.
    pub parameters: Vec<Fitted>,
    /// The looks at held-out seeds.
    pub looks: Vec<Look>,
    /// What came of it, in a line.
    pub verdict: String,
    /// Whether numbers of the network were fitted.
    #[serde(skip)]
    pub is_of_network: bool,
    /// The games of the last look: the best that was judged (B) against the start, or against the
    /// result before (A). It is not there for an outcome that was read.
    pub comparison: Option<Table>,
    /// The result: what was shown to be better than the start, or the start.
    #[serde(skip)]
    pub result: Contestant,
}

/// A number that was fitted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fitted {
    /// Its name.
    pub name: String,
    /// The value that the search started from.
    pub start: f64,
    /// The best value.
    pub value: f64,
    /// The difference in steps.
    pub steps: f64,
}

impl Outcome {
    /// The outcome of the events so far; `comparison` has the games of the last look, if they
    /// are known.
    ///
    /// # Errors
    /// If this build does not have the space of the run.
    pub fn new(config: &Config, state: &State, comparison: Option<Table>) -> Result<Self> {
        let mut space = config.space()?;
        if let Some(draw) = state.draws.last() {
            space = space.from(&draw.values);
        }
        let passed = state.passed();
        let shown = passed.or(state.looks.last());
        let found = space.rounded(shown.and_then(|look| state.average(look.generation)));
        let axes = space.axes().iter().zip(&found);
        let fitted = axes.map(|(axis, &value)| Fitted {
            name: axis.name.clone(),
            start: axis.start,
            value,
            steps: (value - axis.start) / axis.step,
        });
        Ok(Self {
            objective: config.objective,
            cases: config.cases,
            games: state.games,
            generations: state.generations.len() as u32,
            best_generation: state.best(),
            stopped: state.stopped,
            parameters: fitted.collect(),
            looks: state.looks.clone(),
            verdict: verdict(state),
            is_of_network: config.axes.iter().any(Axis::is_of_network),
            comparison,
            result: match passed {
                Some(_) => space.contestant(&found),
                None => space.start(),
            },
        })
    }

    /// The look that made the result what it is; `None` if nothing was shown to be better than the
    /// start, which then is the result.
    pub fn passed(&self) -> Option<&Look> {
        self.looks.iter().rev().find(|look| look.better)
    }

    /// Why the search stopped, in words.
    pub fn why(&self) -> String {
        let reason = self.stopped.as_ref();
        reason.map_or(String::new(), Reason::to_string)
    }

    /// The file of the result in the folder of the run, and its text.
    pub fn file(&self) -> (&'static str, String) {
        match &self.result {
            Contestant::Program(program) => (COMMAND, program.command.clone() + "\n"),
            Contestant::Bot { player, .. } => match &player.network {
                Some(network) if self.is_of_network => (NETWORK, network.text() + "\n"),
                _ => (WEIGHTS, weights_file::format(&player.weights)),
            },
        }
    }
}

/// What came of a run, in a line.
fn verdict(state: &State) -> String {
    match (state.passed(), state.looks.last()) {
        (_, None) => "Nothing was found that beats the start: the result is the start.".into(),
        (Some(passed), Some(last)) if last != passed => format!(
            "{} What was found later was not shown to be better than that (judgement {}).",
            passed.verdict, last.look
        ),
        (_, Some(last)) => last.verdict.clone(),
    }
}
