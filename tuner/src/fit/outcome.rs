//! What a fit came to.

use crate::fit::run::{Config, FORMAT};
use crate::games::objective::Objective;
use crate::games::play::Played;
use anyhow::{ensure, Context, Result};
use columns_bot::weights::{Weights, PARAMETERS};
use columns_cli::input;
use columns_generator::seeds::SeedRange;
use columns_generator::{generate, shape, Spec};
use columns_judge::classes::Kind;
use columns_judge::compare::{Comparison, Pair};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Most bytes of a result that are read.
const LIMIT: u64 = 16 << 20;

/// The outcome of a fit: the weights are those that were validated, to the last digit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// [`FORMAT`].
    pub format: u32,
    /// What was made large.
    pub objective: Objective,
    /// What the cases are like.
    pub cases: Spec,
    /// States that the search might build in a game.
    pub nodes: u64,
    /// Generations of the fit.
    pub generations: u32,
    /// Candidates of each.
    pub population: usize,
    /// Seeds of each.
    pub games: u64,
    /// Seeds of all.
    pub seeds: SeedRange,
    /// Seeds of the validation.
    pub held_out: SeedRange,
    /// What was fitted, from which value to which.
    pub parameters: Vec<Fitted>,
    /// The fitted weights (B) against those the fit started from (A), on the held-out seeds.
    pub validation: Comparison,
}

/// A parameter that was fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    /// Its name.
    pub name: String,
    /// The value that the fit started from.
    pub start: f64,
    /// The value that it came to.
    pub value: f64,
    /// The difference in steps of the parameter.
    pub steps: f64,
}

impl Outcome {
    /// The outcome of a run whose start and result have played the held-out seeds like this.
    ///
    /// # Panics
    /// If the configuration is not sound, or has not as many held-out seeds as there are games.
    pub fn new(config: &Config, fitted: &Weights, start: &[Played], result: &[Played]) -> Self {
        assert_eq!(start.len(), result.len());
        let pairs: Vec<Pair> = config
            .held_out
            .into_iter()
            .zip(start.iter().zip(result))
            .map(|(seed, (a, b))| Pair {
                kind: kind(seed, &config.cases),
                a: a.points,
                b: b.points,
            })
            .collect();
        assert_eq!(pairs.len(), start.len());
        let value = |name: &str| {
            let all = PARAMETERS.iter().zip(fitted.values());
            let mut all = all.filter(|(parameter, _)| parameter.name == name);
            all.next().map_or(f64::NAN, |(_, value)| value)
        };
        Self {
            format: FORMAT,
            objective: config.objective,
            cases: config.cases,
            nodes: config.nodes,
            generations: config.generations,
            population: config.population,
            games: config.games,
            seeds: config.fit_seeds().expect("a sound configuration"),
            held_out: config.held_out,
            parameters: config
                .parameters
                .iter()
                .map(|axis| Fitted {
                    name: axis.name.clone(),
                    start: axis.start,
                    value: value(&axis.name),
                    steps: (value(&axis.name) - axis.start) / axis.step,
                })
                .collect(),
            validation: Comparison::new(Vec::new(), &pairs),
        }
    }

    /// Whether the validation's interval lies above zero.
    pub fn is_better(&self) -> bool {
        let interval = self.validation.all.log_percent.interval;
        interval.is_some_and(|(low, _)| low > 0.0)
    }

    /// The validation in a line, such as `+1.20 % of log score (95 % interval +0.40 to +2.00 %)`.
    pub fn claim(&self) -> String {
        let estimate = self.validation.all.log_percent;
        match estimate.interval {
            Some((low, high)) => format!(
                "{:+.2} % by the mean log score (95 % interval {low:+.2} to {high:+.2} %)",
                estimate.mean
            ),
            None => format!("{:+.2} % by the mean log score", estimate.mean),
        }
    }

    /// Reads `result.json`.
    ///
    /// # Errors
    /// One line with the file's name and what is wrong in it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = input::read(path, LIMIT)?;
        let outcome: Self = crate::fit::run::parse(&text, "the result of a fit")
            .with_context(|| path.display().to_string())?;
        ensure!(
            outcome.format == FORMAT,
            "{}: line 1: expected the result of a fit in format {FORMAT}, found {}",
            path.display(),
            outcome.format
        );
        Ok(outcome)
    }
}

/// What kind of case a seed has.
pub fn kind(seed: u64, spec: &Spec) -> Kind {
    Kind::of(&generate(seed, spec), shape(seed, spec).palette())
}
