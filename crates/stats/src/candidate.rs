//! A candidate of a comparison: the question about it, its test against the base, and the answer.
//!
//! | question | answers |
//! | --- | --- |
//! | is it better? | better, not better by δ or more, worse |
//! | is it not worse by δ or more? (for a simplification) | not worse by δ or more, better, worse |
//!
//! δ is the difference in score that matters, [`Question::delta`].

use crate::sequential::{Sequential, Verdict};
use crate::table::{Pair, Table};
use crate::unit::Objective;
use serde::{Deserialize, Serialize};
use std::fmt;

#[cfg(feature = "args")]
use columns_cli::options::number;

/// The question that a comparison asks about each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "args", derive(clap::Args))]
#[serde(rename_all = "kebab-case")]
pub struct Question {
    /// The unit of all changes and of the test: `log`, the mean logarithm of the score, or `sum`, the
    /// sum of scores, by which the contest ranks
    #[cfg_attr(feature = "args", arg(long, value_enum, default_value_t = Objective::Log))]
    pub objective: Objective,
    /// The difference in score that matters, in percent
    #[cfg_attr(feature = "args", arg(long, value_name = "PERCENT", default_value_t = 1.0,
        value_parser = number("percent", 0.01, 63.0)))]
    pub delta: f64,
    /// Ask whether a candidate is no worse than A by --delta, instead of whether it is better
    #[cfg_attr(feature = "args", arg(long))]
    pub no_worse: bool,
    /// The chance of any wrong "better" or "no worse", over all candidates
    #[cfg_attr(feature = "args", arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number("a chance", 1e-9, 0.5)))]
    pub alpha: f64,
    /// The chance of any wrong "worse" or "not better", over all candidates
    #[cfg_attr(feature = "args", arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number("a chance", 1e-9, 0.5)))]
    pub beta: f64,
    /// Play all seeds, even after all candidates are decided
    #[cfg_attr(feature = "args", arg(long))]
    pub all: bool,
}

/// The answer to the [`Question`] for one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The candidate scores more than the base.
    Better,
    /// The candidate may score less than the base, but by less than δ.
    NoWorse,
    /// The candidate may score more than the base, but by less than δ.
    NotBetter,
    /// The candidate scores less than the base.
    Worse,
}

impl fmt::Display for Answer {
    /// Writes the answer in words, such as `not better`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Better => "better",
            Self::NoWorse => "no worse",
            Self::NotBetter => "not better",
            Self::Worse => "worse",
        })
    }
}

/// Converts a chance to percent, rounded to nine decimals, so that messages do not show the
/// rounding error of 1 − α − β.
fn percent(chance: f64) -> f64 {
    (1e9 * 100.0 * chance).round() / 1e9
}

/// A candidate, with its games so far and their test against the base.
#[derive(Debug, Clone)]
pub struct Candidate {
    question: Question,
    /// The sequential test of the candidate against the base.
    pub test: Sequential,
    /// The games of the base and of the candidate, one pair for each seed from the first on.
    pub pairs: Vec<Pair>,
}

impl Candidate {
    /// Returns a candidate that has not played yet. Its test has the error rates of the question,
    /// divided by the `number` of candidates.
    pub fn new(question: Question, number: usize) -> Self {
        let objective = question.objective;
        let delta = |percent| objective.change(percent);
        let bounds = if question.no_worse {
            [delta(-question.delta), 0.0]
        } else {
            [0.0, delta(question.delta)]
        };
        let [alpha, beta] = [question.alpha, question.beta].map(|rate| rate / number as f64);
        Self {
            question,
            test: Sequential::new(objective, bounds, alpha, beta),
            pairs: Vec::new(),
        }
    }

    /// Adds the games of the next seed.
    pub fn add(&mut self, pair: Pair) {
        self.test.add(pair.a, pair.b);
        self.pairs.push(pair);
    }

    /// True if the candidate plays further seeds.
    pub fn is_open(&self) -> bool {
        self.question.all || self.test.verdict().is_none()
    }

    /// Returns the results of the candidate's pairs, in total and by kind of case.
    ///
    /// # Panics
    /// If the candidate has not played yet.
    pub fn table(&self) -> Table {
        Table::new(self.test.unit(), &self.pairs)
    }

    /// Returns the answer; `None` until the test has decided.
    pub fn answer(&self) -> Option<Answer> {
        let verdict = self.test.verdict()?;
        let (low, high) = self.test.interval();
        Some(match (verdict, self.question.no_worse) {
            (Verdict::Above, false) => Answer::Better,
            (Verdict::Below, true) => Answer::Worse,
            (Verdict::Above, true) if low > 0.0 => Answer::Better,
            (Verdict::Below, false) if high < 0.0 => Answer::Worse,
            (Verdict::Above, true) => Answer::NoWorse,
            (Verdict::Below, false) => Answer::NotBetter,
        })
    }

    /// Describes the change of the score with its interval on the first line, and the answer below.
    /// `name` is the name of the candidate, such as `B`. `seeds` describes the seeds that it has
    /// played, such as `12 of 40 seeds`.
    pub fn conclusion(&self, name: &str, seeds: &str) -> String {
        let Question { alpha, beta, .. } = self.question;
        let what = match self.question.objective {
            Objective::Log => "geometric mean score",
            Objective::Sum => "sum of scores",
        };
        let change = self.table().all.percent.mean;
        let (low, high) = self.test.interval();
        let sure = percent(1.0 - alpha - beta);
        let by = format!("by {} % or more", self.question.delta);
        let claim = |answer: &str, wrong, rate| {
            let rate = percent(rate);
            format!(
                "{name} is {answer}. (If it {wrong}, at most {rate} of 100 comparisons would say so.)"
            )
        };
        let is_open =
            |answer: &str| format!("It is open whether {name} is {answer}: that takes more seeds.");
        // The test ends with its first verdict, unless the question asks for all seeds.
        let untested = |other: &str| {
            if self.question.all {
                return String::new();
            }
            format!(" The games ended there: whether it is {other} was not tested further.")
        };
        let answer = match self.answer() {
            Some(Answer::Better) => claim("better than A", "were not", alpha),
            Some(Answer::NoWorse) => {
                claim(&format!("not worse than A {by}"), "were", alpha) + &untested("better")
            }
            Some(Answer::NotBetter) => {
                claim(&format!("not better than A {by}"), "were", beta) + &untested("worse")
            }
            Some(Answer::Worse) => claim("worse than A", "were not", beta),
            None if self.question.no_worse => is_open(&format!("worse than A {by}")),
            None => is_open("better than A"),
        };
        format!(
            "{name}'s {what} against A's, {seeds}: {change:+.2} % ({sure} % sure: {low:+.2} to \
             {high:+.2} %).\n{answer}\n"
        )
    }
}
