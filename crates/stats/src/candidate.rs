//! A candidate of a comparison: the question about it, its tests against the base, and the answer.
//!
//! | question | answers |
//! | --- | --- |
//! | is it better? | better, not better by δ or more, worse |
//! | is it not worse by δ or more? (for a simplification) | not worse by δ or more, better, worse |
//!
//! δ is the change of the score that matters, [`Question::delta`].
//!
//! # Failed games
//!
//! A second test asks whether the candidate fails more often than the base. It bets on the pairs in which only one of them
//! fails: if the candidate does not fail more often, it is the candidate in at most half of them. A candidate that fails
//! more is worse, whatever it scores.
//!
//! # Several candidates
//!
//! α bounds the chance of any wrong "better" over all candidates, and so does β for the other answers. For that, n
//! candidates would each need a capital of n/α (Bonferroni). A closed test needs less: a candidate is better once, in every
//! set of candidates that contains it and no better one, the mean capital of the wagers reaches 1/α. The hardest set has
//! all candidates below 1/α, so candidate i needs 1/α + Σ (1/α − Kⱼ)⁺ over the candidates j that are not better yet
//! (e-Holm: G. Hartog, L. Lei, *Family-wise error rate control with e-values*, arXiv:2501.09015). Three candidates with
//! α = 5 %:
//!
//! ```text
//! capital          50     45      2
//! needs            38     38     20       the first two are better; for the third, only its own 20 count from now on
//! ```
//!
//! One of several candidates pauses if the rounds that are left will hardly lead to an answer about it, so that the games
//! go to those about which they will.

use crate::sequential::{Sequential, Verdict};
use crate::{Objective, Pair, Table};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The question that a comparison asks about each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Question {
    /// The unit of the change and of the test.
    pub objective: Objective,
    /// The change of the score that matters, in percent.
    pub delta: f64,
    /// True to ask whether a candidate is no worse than the base by `delta`, instead of whether it is better.
    pub no_worse: bool,
    /// The maximum chance of any wrong "better" or "no worse", over all candidates.
    pub alpha: f64,
    /// The maximum chance of any wrong "worse" or "not better", over all candidates; also that of any wrong "fails more".
    pub beta: f64,
    /// True to play all cases, even after all candidates are decided.
    pub all: bool,
}

impl Default for Question {
    fn default() -> Self {
        let (objective, delta, rate) = (Objective::Log, 1.0, 0.05);
        Self {
            objective,
            delta,
            no_worse: false,
            alpha: rate,
            beta: rate,
            all: false,
        }
    }
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
    /// The candidate fails in more games than the base.
    FailsMore,
}

impl fmt::Display for Answer {
    /// Writes the answer in words, such as `not better`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Better => "better",
            Self::NoWorse => "no worse",
            Self::NotBetter => "not better",
            Self::Worse => "worse",
            Self::FailsMore => "worse, fails more",
        })
    }
}

/// The test whether a candidate fails more often than the base.
#[derive(Debug, Clone, Copy)]
struct Failures {
    /// The number of pairs in which only the base failed, and in which only the candidate failed.
    only: [f64; 2],
    capital: f64,
}

impl Failures {
    /// The maximum stake, and the first one.
    const MAX_STAKE: f64 = 0.8;

    /// Bets that in a pair with one failed game, the candidate failed.
    fn add(&mut self, [a, b]: [bool; 2]) {
        if a == b {
            return;
        }
        // The predicted share of the candidate, from a first guess that counts as two pairs.
        let [only_a, only_b] = self.only;
        let share = (only_b + 1.0 + Self::MAX_STAKE) / (only_a + only_b + 2.0);
        let stake = (2.0 * share - 1.0).clamp(0.0, Self::MAX_STAKE);
        self.capital *= if b { 1.0 + stake } else { 1.0 - stake };
        self.only[usize::from(b)] += 1.0;
    }
}

/// A candidate, with its games so far and their tests against the base.
#[derive(Debug, Clone)]
pub struct Candidate {
    question: Question,
    test: Sequential,
    failures: Failures,
    fails_more: bool,
    /// True for one of several candidates.
    is_one_of_several: bool,
    pairs: Vec<Pair>,
}

impl Candidate {
    /// Returns a candidate that has not played yet, for a comparison of at most `rounds` pairs.
    ///
    /// `rounds` must be known before the first game: the test stakes by the rounds that are left. A comparison may
    /// continue after its last round.
    ///
    /// # Panics
    /// If `rounds` is 0, or if an error rate or δ of the question is out of range.
    pub fn new(question: Question, rounds: usize) -> Self {
        Self::among(question, rounds, 1)
    }

    fn among(question: Question, rounds: usize, number: usize) -> Self {
        let delta = |percent| question.objective.change(percent);
        let bounds = if question.no_worse {
            [delta(-question.delta), 0.0]
        } else {
            [0.0, delta(question.delta)]
        };
        let rates = [question.alpha, question.beta].map(|rate| rate / number as f64);
        Self {
            question,
            test: Sequential::new(question.objective, bounds, rates, rounds),
            failures: Failures {
                only: [0.0; 2],
                capital: 1.0,
            },
            fails_more: false,
            is_one_of_several: number > 1,
            pairs: Vec::new(),
        }
    }

    /// Adds the next pair of games.
    pub fn add(&mut self, pair: Pair) {
        self.bet(pair);
        decide(std::slice::from_mut(self));
    }

    fn bet(&mut self, pair: Pair) {
        self.test.add(pair.points());
        self.failures.add([pair.a.is_none(), pair.b.is_none()]);
        self.pairs.push(pair);
    }

    /// Returns the pairs of games so far.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// True if the answer is that of a wager: that the candidate fails more, is above the low bound or below the high one.
    fn has_won(&self, wager: usize) -> bool {
        match wager {
            0 => self.fails_more,
            1 => self.test.verdict() == Some(Verdict::Above),
            _ => self.test.verdict() == Some(Verdict::Below),
        }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.fails_more || self.test.verdict().is_some()
    }

    /// True if the candidate plays the next case: it is not decided, and does not pause.
    pub fn is_open(&self) -> bool {
        let pauses = self.is_one_of_several && self.test.is_out_of_reach();
        self.question.all || !(self.is_decided() || pauses)
    }

    /// Returns the results of the candidate's pairs, in total and by class of case.
    ///
    /// # Panics
    /// If the candidate has not played yet.
    pub fn table(&self) -> Table {
        Table::new(&self.pairs)
    }

    /// Returns the answer; `None` until a test has decided.
    pub fn answer(&self) -> Option<Answer> {
        if self.fails_more {
            return Some(Answer::FailsMore);
        }
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

    /// Returns the change of the score so far in percent; `None` before there is one.
    pub fn change(&self) -> Option<f64> {
        let points: Vec<_> = self.pairs.iter().map(Pair::points).collect();
        let estimate = self.question.objective.estimate(0.95, &points)?;
        Some(estimate.mean)
    }

    /// Returns an interval of the mean change of the score in percent, with each game's change clipped at a factor of e, or at
    /// four times A's mean score. It contains that mean with a probability of at least 1 − α − β whenever the games end.
    pub fn interval(&self) -> (f64, f64) {
        self.test.interval()
    }

    /// Estimates the minimum and the maximum number of pairs until the answer, of at most `left` pairs. `None` before the
    /// tenth pair.
    pub fn rounds_left(&self, left: usize) -> Option<(usize, usize)> {
        let (least, most) = self.test.rounds_left()?;
        let [least, most] =
            [least, most].map(|rounds| (rounds.min(left as f64).ceil() as usize).max(1));
        Some((least, most))
    }

    /// Formats the answer so far with its interval, such as `worse: −16.0 % (−25.1 to −6.2 %) after 31 games`.
    pub fn brief(&self) -> String {
        let answer = self
            .answer()
            .map_or("undecided".into(), |answer| answer.to_string());
        let change = self
            .change()
            .map_or("no change yet".into(), |change| format!("{change:+.1} %"));
        let ((low, high), count) = (self.interval(), self.pairs.len());
        let games = if count == 1 { "game" } else { "games" };
        format!("{answer}: {change} ({low:+.1} to {high:+.1} %) after {count} {games}")
            .replace('-', "−")
    }

    /// Describes the change of the score on the first line, its interval on the second, and the answer below. `name` is
    /// the name of the candidate, such as `B`. `cases` describes the cases that it has played, such as `12 of 40 seeds`.
    pub fn conclusion(&self, name: &str, cases: &str) -> String {
        let Question {
            objective,
            alpha,
            beta,
            ..
        } = self.question;
        let what = match objective {
            Objective::Log => "geometric mean score",
            Objective::Sum => "sum of scores",
        };
        let change = self
            .change()
            .map_or("no game that both finished".into(), |change| {
                format!("{change:+.2} %")
            });
        let ((low, high), sure) = (self.interval(), percent(1.0 - alpha - beta));
        format!(
            "{name}'s {what} against A's, {cases}: {change}.\nWith {}: {low:+.2} to {high:+.2} % ({sure} % sure, \
             whenever the games end).\n{}\n",
            objective.clip_text(),
            self.answer_text(name)
        )
    }

    /// Describes the answer, and the chance that it is wrong.
    fn answer_text(&self, name: &str) -> String {
        let Question { alpha, beta, .. } = self.question;
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
        match self.answer() {
            Some(Answer::Better) => claim("better than A", "were not", alpha),
            Some(Answer::NoWorse) => {
                claim(&format!("not worse than A {by}"), "were", alpha) + &untested("better")
            }
            Some(Answer::NotBetter) => {
                claim(&format!("not better than A {by}"), "were", beta) + &untested("worse")
            }
            Some(Answer::Worse) => claim("worse than A", "were not", beta),
            Some(Answer::FailsMore) => {
                let [a, b] = self.failure_rates();
                claim(
                    &format!("worse: it fails in {b} % of the games, A in {a} %"),
                    "did not fail more",
                    beta,
                )
            }
            None if self.question.no_worse => is_open(&format!("worse than A {by}")),
            None => is_open("better than A"),
        }
    }

    /// Returns the share of failed games of the base and of the candidate in percent, rounded to two digits.
    fn failure_rates(&self) -> [String; 2] {
        let all = &self.table().all;
        [all.failed_a, all.failed_b].map(|failed| {
            let rate = 100.0 * failed as f64 / all.cases as f64;
            let digits = usize::from(rate < 9.95);
            format!("{rate:.digits$}")
        })
    }
}

/// Converts a chance to percent, rounded to nine decimals, so that messages do not show the
/// rounding error of 1 − α − β.
pub(crate) fn percent(chance: f64) -> f64 {
    (1e9 * 100.0 * chance).round() / 1e9
}

/// Candidates that are compared with the same base, one or more.
#[derive(Debug, Clone)]
pub struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Returns a number of candidates that have not played yet: see [`Candidate::new`].
    ///
    /// # Panics
    /// If `number` is 0, or if [`Candidate::new`] panics.
    pub fn new(question: Question, rounds: usize, number: usize) -> Self {
        assert!(number > 0, "a comparison has a candidate");
        Self(vec![Candidate::among(question, rounds, number); number])
    }

    /// Adds the games of the next case: the pair of each candidate, or `None` if it did not play.
    pub fn add(&mut self, pairs: impl IntoIterator<Item = Option<Pair>>) {
        for (candidate, pair) in self.0.iter_mut().zip(pairs) {
            if let Some(pair) = pair {
                candidate.bet(pair);
            }
        }
        decide(&mut self.0);
    }
}

impl std::ops::Deref for Candidates {
    type Target = [Candidate];

    fn deref(&self) -> &[Candidate] {
        &self.0
    }
}

/// Gives an answer to each candidate whose capital suffices: see the [module](self).
fn decide(candidates: &mut [Candidate]) {
    let number = candidates.len() as f64;
    // The capitals of the candidate's wagers as multiples of 1/α or 1/β.
    let capitals = |candidate: &Candidate| {
        let [above, below] = candidate.test.evidence().map(|evidence| number * evidence);
        [
            candidate.failures.capital * candidate.question.beta,
            above,
            below,
        ]
    };
    for wager in 0..3 {
        let others = candidates
            .iter()
            .filter(|candidate| !candidate.has_won(wager));
        let missing: f64 = others
            .map(|one| (1.0 - capitals(one)[wager]).max(0.0))
            .sum();
        // Failures count even after the score has decided.
        let is_open = |one: &&mut Candidate| !one.fails_more && (wager == 0 || !one.is_decided());
        for candidate in candidates.iter_mut().filter(is_open) {
            let capital = capitals(candidate)[wager];
            if capital >= 1.0 + missing - (1.0 - capital).max(0.0) {
                match wager {
                    0 => candidate.fails_more = true,
                    1 => candidate.test.decide(Verdict::Above),
                    _ => candidate.test.decide(Verdict::Below),
                }
            }
        }
    }
}
