//! The outcome of a run: the result, the verdict, and the numbers behind them.

use super::event::{Judgement, Reason};
use super::state::State;
use crate::contestant::Contestant;
use crate::game::{Losses, kind};
use crate::search::space::Target;
use columns_generator::Spec;
use columns_stats::gate::Gate;
use columns_stats::table::{Pair, Table};
use columns_stats::unit::Objective;
use serde::Serialize;

/// The outcome of a run. `result.json` holds a copy for other programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The objective of the search.
    pub objective: Objective,
    /// The specification of the cases.
    pub cases: Spec,
    /// Number of games of the search.
    pub games: u64,
    /// Number of generations of the search.
    pub generations: u32,
    /// The generation after which the average became the best; 0 if nothing beat the start.
    pub best_generation: u32,
    /// Why the search stopped.
    pub stopped: Option<Reason>,
    /// The fitted numbers of the result. If no player has passed the gate, these are the numbers of
    /// the last judged player.
    pub parameters: Vec<Fitted>,
    /// The judgements of the run, in order. `comparison` shows the games of the last judgement.
    #[serde(rename = "looks")]
    pub judgements: Vec<Judgement>,
    /// The verdict in one line.
    pub verdict: String,
    /// The lost games of a program, over all games of the run.
    pub losses: Losses,
    /// The kind of numbers that were fitted.
    pub target: Target,
    /// The games of the last judgement: the best (B) against the start or the earlier result (A).
    pub comparison: Option<Table>,
    /// The result: the last player that passed the gate, or the start.
    #[serde(skip)]
    pub result: Contestant,
}

/// A fitted number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fitted {
    /// The name of the parameter, or of a number in a network, such as `linear 0`.
    pub name: String,
    /// The value at the start of the search; for a choice, the index of the value.
    pub start: f64,
    /// The fitted value, in the same form.
    pub value: f64,
    /// Both values as text for a command line or a table.
    #[serde(skip)]
    pub texts: [String; 2],
    /// The change from `start` to `value`, in steps of the number.
    pub steps: f64,
}

impl Outcome {
    /// Returns the outcome of a run after the events so far.
    pub fn new(state: &State) -> Self {
        let (config, space) = (&state.config, &state.space);
        let passed = state.passed();
        let judged = passed.or(state.judgements.last());
        let average = judged.and_then(|judged| state.average(judged.generation));
        let values = space.rounded(average);
        let axes = space.axes().iter().zip(&values);
        let fitted = axes.map(|(axis, &value)| Fitted {
            name: axis.name.clone(),
            start: axis.start,
            value,
            texts: [axis.start, value].map(|value| axis.text(value)),
            steps: (value - axis.start) / axis.step,
        });
        Self {
            objective: config.objective,
            cases: config.cases,
            games: state.games,
            generations: state.generations.len() as u32,
            best_generation: state.best(),
            stopped: state.stopped,
            parameters: fitted.collect(),
            judgements: state.judgements.clone(),
            verdict: verdict(state),
            losses: state.losses.clone(),
            target: config.target,
            comparison: comparison(state),
            result: match passed {
                Some(_) => space.contestant(&values),
                None => space.start(),
            },
        }
    }

    /// The last judgement whose player passed the gate, which makes that player the result; `None`
    /// if the result is the start.
    pub fn passed(&self) -> Option<&Judgement> {
        self.judgements
            .iter()
            .rev()
            .find(|judgement| judgement.better)
    }

    /// Describes why the search stopped.
    pub fn why(&self) -> String {
        let reason = self.stopped.as_ref();
        reason.map_or(String::new(), Reason::to_string)
    }
}

/// Returns the games of the last judgement as a table.
fn comparison(state: &State) -> Option<Table> {
    let mut gate = Gate::new(state.judgements.last()?.judgement, state.config.objective);
    let pairs = state.judged.chunks_exact(2).map(|pair| {
        let [a, b] = [&pair[0], &pair[1]].map(|record| record.played.points);
        gate.test.add(a, b);
        let kind = kind(pair[0].seed, &state.config.cases);
        Pair { kind, a, b }
    });
    let pairs: Vec<Pair> = pairs.collect();
    (!pairs.is_empty()).then(|| Table::new(gate.test.unit(), &pairs))
}

/// Returns the verdict on a run in one line.
fn verdict(state: &State) -> String {
    match (state.passed(), state.judgements.last()) {
        (_, None) => "Nothing was found that beats the start: the result is the start.".into(),
        (Some(passed), Some(last)) if last != passed => format!(
            "{} What was found later was not shown to be better than that (judgement {}).",
            passed.verdict, last.judgement
        ),
        (_, Some(last)) => last.verdict.clone(),
    }
}
