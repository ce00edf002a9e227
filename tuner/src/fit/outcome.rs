//! What a fit came to.

use crate::fit::config::{Config, FORMAT};
use crate::fit::record::Reason;
use crate::fit::run::Run;
use crate::games::objective::Objective;
use crate::games::play::Played;
use crate::stats::gate::Gate;
use crate::units::Unit;
use anyhow::{Context, Result};
use columns_bot::eval::weights::{Weights, PARAMETERS};
use columns_cli::{input, json};
use columns_generator::seeds::SeedRange;
use columns_generator::{generate, shape, Spec};
use columns_judge::classes::Kind;
use columns_judge::compare::{Comparison, Pair};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Most bytes of a result that are read.
const LIMIT: u64 = 16 << 20;

/// The outcome of a fit: what was found and how it was judged, to the last digit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// [`FORMAT`].
    pub format: u32,
    /// What was made large.
    pub objective: Objective,
    /// What the cases are like.
    pub cases: Spec,
    /// Microseconds of work a game.
    pub work: u64,
    /// Games of the search.
    pub games: u64,
    /// Generations of the search, and after which of them the best was the average; 0 where the
    /// start was never beaten.
    pub generations: u32,
    /// See `generations`.
    pub best_generation: u32,
    /// Why the search stopped.
    pub stopped: Option<Reason>,
    /// What was found.
    pub parameters: Vec<Fitted>,
    /// How it was judged; nothing where the start was never beaten.
    pub judged: Option<Judged>,
}

/// A parameter that was fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    /// Its name.
    pub name: String,
    /// The value that the fit started from.
    pub start: f64,
    /// The best value.
    pub value: f64,
    /// The difference in steps of the parameter.
    pub steps: f64,
}

/// How the best weights were judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// The look that this is, the first being 1.
    pub look: u32,
    /// The held-out seeds.
    pub held_out: SeedRange,
    /// Whether the best weights were shown to be better than the start.
    pub better: bool,
    /// The verdict in a line.
    pub verdict: String,
    /// The best weights (B) against the start (A), on these seeds.
    pub comparison: Comparison,
}

impl Judged {
    /// The judgement of a gate, after games of start and best in turn on the first of some seeds.
    pub(super) fn new<U: Unit>(
        config: &Config,
        gate: &Gate<U>,
        seeds: SeedRange,
        played: &[Played],
    ) -> Self {
        let pairs = seeds.into_iter().zip(played.chunks_exact(2));
        let pairs: Vec<Pair> = pairs
            .map(|(seed, games)| Pair {
                kind: kind(seed, &config.cases),
                a: games[0].points,
                b: games[1].points,
            })
            .collect();
        let last = seeds.first() + (pairs.len() as u64 - 1);
        Self {
            look: gate.look(),
            held_out: SeedRange::new(seeds.first(), last).expect("a gate sees pairs"),
            better: gate.passed(),
            verdict: gate.told(),
            comparison: Comparison::new(Vec::new(), &pairs),
        }
    }
}

impl Outcome {
    /// The outcome of a run that found these weights.
    pub(super) fn new(run: &Run, found: &Weights, judged: Option<Judged>) -> Self {
        let Run {
            config, progress, ..
        } = run;
        let value = |name: &str| {
            let all = PARAMETERS.iter().zip(found.values());
            let mut all = all.filter(|(parameter, _)| parameter.name == name);
            all.next().map_or(f64::NAN, |(_, value)| value)
        };
        let fitted = config.parameters.iter().map(|axis| Fitted {
            name: axis.name.clone(),
            start: axis.start,
            value: value(&axis.name),
            steps: (value(&axis.name) - axis.start) / axis.step,
        });
        Self {
            format: FORMAT,
            objective: config.objective,
            cases: config.cases,
            work: config.work,
            games: progress.games,
            generations: progress.search.generation,
            best_generation: progress.best_generation,
            stopped: progress.stopped,
            parameters: fitted.collect(),
            judged,
        }
    }

    /// The same judgement after more games of a run.
    pub(super) fn after(self, run: &Run) -> Self {
        let progress = &run.progress;
        Self {
            games: progress.games,
            generations: progress.search.generation,
            stopped: progress.stopped,
            ..self
        }
    }

    /// Whether what was found was shown to be better than the start. If not, the result is the
    /// start.
    pub fn is_better(&self) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.better)
    }

    /// What came of it, in a line.
    pub fn verdict(&self) -> &str {
        match &self.judged {
            Some(judged) => &judged.verdict,
            None => "Nothing was found that beats the start: the result is the start.",
        }
    }

    /// Reads `result.json`.
    ///
    /// # Errors
    /// One line with the file's name and what is wrong in it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = input::read(path, LIMIT)?;
        json::parse_format(&text, "the result of a fit", FORMAT)
            .with_context(|| path.display().to_string())
    }
}

/// What kind of case a seed has.
pub fn kind(seed: u64, spec: &Spec) -> Kind {
    Kind::of(&generate(seed, spec), shape(seed, spec).palette())
}
