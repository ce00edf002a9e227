//! A candidate of a comparison: the question about it, its wagers against the base, and the answer.
//!
//! | question | answers |
//! | --- | --- |
//! | is it better? | better, not better by δ or more, worse |
//! | is it not worse by δ or more? (non-inferiority) | not worse by δ or more, better, worse |
//!
//! δ is the change in the score that matters, [`Question::delta`]. All answers are about the mean change over
//! all pairs, failed games included: see [`Objective::change`]. So a candidate that scores 1 % more and fails
//! in 0.5 % more of its games is better by half a percent. Two [wagers](crate::wager) decide the answer: "the
//! mean change is above the low bound", and "it is below the high bound". The bounds are 0 and δ, or −δ and 0
//! for the second question.
//!
//! # Clipped changes
//!
//! A wager needs bounded changes, so they are clipped. A lower clipping limit allows higher stakes. The mean
//! change is the sum of the changes divided by the sum of their bases. For the log score, each base is 1. For
//! the sum of scores, the base of a change is A's score, so that the mean is the relative change in the sum.
//! The unit of changes and bases is then A's mean score in all earlier pairs, or B's if A has not scored.
//! Under this objective, the wagers skip the first [`UNIT_PAIRS`] pairs, since the mean of fewer scores may
//! be far off.
//!
//! # Several candidates
//!
//! α bounds the chance of any wrong "better" or "not worse" over all candidates, and β bounds the chance of
//! any other wrong answer. With Bonferroni's correction, each of n candidates would need a capital of n/α. A
//! closed test needs less. It considers every set that contains the candidate and others that are not better
//! yet. The candidate is better once the mean capital of the wagers reaches 1/α in each of these sets. The
//! hardest set contains all others whose capital is below 1/α. So candidate i needs a capital of
//! 1/α + Σ (1/α − Kⱼ)⁺. The sum is over the other candidates j that are not better yet, and Kⱼ is the capital
//! of j (e-Holm: G. Hartog, L. Lei, *Family-wise error rate control with e-values*, arXiv:2501.09015). Three
//! candidates with α = 5 %:
//!
//! ```text
//! capital          50     45      2
//! needs            38     38     20       two are better, so the third now needs only 1/α = 20
//! ```
//!
//! In a comparison of several candidates, a candidate pauses if the remaining rounds are unlikely to lead to
//! an answer about it. The comparison then plays only the others, which saves games.

use crate::estimate::{change_text, format_change};
use crate::objective::{Objective, Pair, PairPoints, score_sums};
use crate::wager::Wager;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of pairs that a comparison by the sum of scores uses only to determine its unit.
const UNIT_PAIRS: usize = 8;

/// The minimum number of bets before the remaining pairs are forecast, and the margin in standard errors. The
/// forecast assumes that the mean of further pairs is within this margin of the mean so far.
const FORECAST: (f64, f64) = (10.0, 1.0);

/// The minimum number of bets before one of several candidates may pause, and the margin in standard errors.
/// The candidate pauses if the remaining rounds lead to no answer, wherever the mean of further pairs lies
/// within this margin of the mean so far.
const PAUSE: (f64, f64) = (100.0, 2.5);

/// The index of the wager "the mean change is above the low bound".
const ABOVE: usize = 0;
/// The index of the wager "the mean change is below the high bound".
const BELOW: usize = 1;

/// The question that a comparison asks about each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Question {
    /// The quantity whose change the comparison measures.
    pub objective: Objective,
    /// The change in the score that matters, in percent.
    pub delta: f64,
    /// True to ask whether a candidate is not worse by `delta` or more, instead of whether it is better.
    pub no_worse: bool,
    /// The maximum chance of any wrong "better" or "no worse", over all candidates.
    pub alpha: f64,
    /// The maximum chance of any wrong "worse" or "not better", over all candidates.
    pub beta: f64,
    /// True to play all cases, even when all candidates are decided.
    pub all_cases: bool,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            objective: Objective::Log,
            delta: 1.0,
            no_worse: false,
            alpha: 0.05,
            beta: 0.05,
            all_cases: false,
        }
    }
}

/// The verdict on a candidate: the answer to the [`Question`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The candidate scores more than the base.
    Better,
    /// The candidate may score less than the base, but by less than δ.
    NoWorse,
    /// The candidate may score more than the base, but by less than δ.
    NotBetter,
    /// The candidate scores less than the base.
    Worse,
}

impl fmt::Display for Verdict {
    /// Writes the verdict in words, such as `not better`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Better => "better",
            Self::NoWorse => "no worse",
            Self::NotBetter => "not better",
            Self::Worse => "worse",
        })
    }
}

/// A candidate, its games so far, and its wagers against the base.
#[derive(Debug, Clone)]
pub struct Candidate {
    question: Question,
    /// The planned number of pairs, known before the first game.
    planned_pairs: usize,
    /// The number of candidates in the comparison.
    total_candidates: f64,
    pairs: Vec<Pair>,
    /// The total scores of A and of the candidate.
    score_sums: [f64; 2],
    wagers: [Wager; 2],
}

impl Candidate {
    /// Creates a candidate, before its first game.
    ///
    /// `total_candidates` is the number of candidates in the comparison. `planned_pairs` must be known before
    /// the first game: the stakes of the wagers depend on the number of remaining pairs. A comparison may
    /// continue after the planned pairs.
    ///
    /// # Panics
    /// If `planned_pairs` or `total_candidates` is 0, or if an error rate or δ of the question is out of
    /// range.
    pub fn new(question: Question, planned_pairs: usize, total_candidates: usize) -> Self {
        let (delta, objective) = (question.delta, question.objective);
        let total_candidates = total_candidates as f64;
        let low = if question.no_worse { -delta } else { 0.0 };
        let [low, high] = [low, low + delta].map(|percent| objective.change_from_percent(percent));
        let (max_change, _) = objective.max_change();
        assert!(planned_pairs > 0 && low < high && high - low <= max_change);
        let [alpha, beta] = [question.alpha, question.beta].map(|rate| rate / total_candidates);
        Self {
            question,
            planned_pairs,
            total_candidates,
            pairs: Vec::new(),
            score_sums: [0.0; 2],
            wagers: [
                Wager::new(1.0, low, max_change, alpha),
                Wager::new(-1.0, high, max_change, beta),
            ],
        }
    }

    /// Adds the next pair of games, in a comparison with only this candidate. For several candidates, see
    /// [`add_case`].
    pub fn add_pair(&mut self, pair: Pair) {
        add_case(std::slice::from_mut(self), [Some(pair)]);
    }

    fn bet(&mut self, pair: Pair) {
        let (rounds_left, played, points) = (self.rounds_left(), self.pairs.len(), pair.points());
        let objective = self.question.objective;
        let [a, b] = self.score_sums.map(|sum| sum / played.max(1) as f64);
        let unit = if a > 0.0 { a } else { b };
        if (objective == Objective::Log || played >= UNIT_PAIRS)
            && let Some(change) = objective.change_and_base(points, unit)
        {
            let wagers = self.wagers.iter_mut();
            wagers.for_each(|wager| wager.bet(change, rounds_left));
        }
        let [a, b] = score_sums(&[points]);
        self.score_sums = [self.score_sums[0] + a, self.score_sums[1] + b];
        self.pairs.push(pair);
    }

    /// Returns the number of planned rounds that remain; 0 after the last one, even if the comparison
    /// continues.
    fn rounds_left(&self) -> f64 {
        self.planned_pairs.saturating_sub(self.pairs.len()) as f64
    }

    /// Returns the pairs of games so far, in the order of the rounds.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.wagers.iter().any(|wager| wager.is_won)
    }

    /// True if the candidate plays the next case: it is neither decided nor paused, or the question asks for
    /// all cases.
    pub fn plays_next_case(&self) -> bool {
        let exceeds_left = |[min, _]: [f64; 2]| (1.0..min).contains(&self.rounds_left());
        let pauses =
            self.total_candidates > 1.0 && self.forecast_rounds(PAUSE).is_some_and(exceeds_left);
        self.question.all_cases || !(self.is_decided() || pauses)
    }

    /// Returns the verdict; `None` until a wager is won.
    pub fn verdict(&self) -> Option<Verdict> {
        let ([above, below], no_worse) = (&self.wagers, self.question.no_worse);
        // The bound of a won wager is 0, or δ away from 0. In the latter case, the verdict is stronger if the
        // wager would also be won at 0.
        Some(match (above.is_won, below.is_won) {
            (true, _) if no_worse && !above.is_won_at(0.0) => Verdict::NoWorse,
            (true, _) => Verdict::Better,
            (_, true) if !no_worse && !below.is_won_at(0.0) => Verdict::NotBetter,
            (_, true) => Verdict::Worse,
            _ => return None,
        })
    }

    /// Returns the change in the score so far, in percent; `None` if no games can be compared yet.
    pub fn percent_change(&self) -> Option<f64> {
        Some(self.question.objective.estimate(1, &self.points())?.mean)
    }

    fn points(&self) -> Vec<PairPoints> {
        self.pairs.iter().map(Pair::points).collect()
    }

    /// Counts the failed games of A and those of the candidate.
    pub fn failed_games(&self) -> [usize; 2] {
        let points = self.points();
        [0, 1].map(|side| points.iter().filter(|pair| pair[side].is_none()).count())
    }

    /// Returns a confidence interval for the mean of the clipped changes in the score, in percent.
    ///
    /// The interval contains the mean with a probability of at least 1 − α − β, however often the caller
    /// checks it. The chance that its lower end is ever above the mean is at most α. The chance that its
    /// upper end is ever below the mean is at most β. After a wager is won, the interval excludes the bound
    /// of the wager.
    pub fn interval(&self) -> (f64, f64) {
        let percent = |change| self.question.objective.percent_from_change(change);
        let [lower, upper] = [ABOVE, BELOW].map(|wager| percent(self.wagers[wager].won_bound()));
        // If a wager was won although its claim is false, the lower bound may exceed the upper bound.
        (lower.min(upper), upper.max(lower))
    }

    /// Estimates the minimum and the maximum number of pairs until the answer. Assumes that the mean of
    /// further pairs is at most `standard_errors` standard errors from the mean so far. The maximum is
    /// infinite if one of these means never leads to an answer. Returns `None` until the wagers have
    /// `min_bets` bets.
    fn forecast_rounds(&self, (min_bets, standard_errors): (f64, f64)) -> Option<[f64; 2]> {
        let [above, below] = &self.wagers;
        let rounds = |by: f64| above.rounds_to_win(by).min(below.rounds_to_win(-by));
        let mut rounds = [-standard_errors, 0.0, standard_errors].map(rounds);
        rounds.sort_by(f64::total_cmp);
        (above.bet_count() >= min_bets).then_some([rounds[0], rounds[2]])
    }

    /// Estimates the minimum and the maximum number of further pairs until the answer. A maximum of
    /// `usize::MAX` means that the answer may never come. Returns `None` until ten bets have been placed.
    pub fn estimate_pairs_left(&self) -> Option<[usize; 2]> {
        let pairs = |rounds: f64| (rounds.ceil() as usize).max(1);
        Some(self.forecast_rounds(FORECAST)?.map(pairs))
    }

    /// Formats the change so far and the interval, such as `+2.10 % (with each game's change clipped at a
    /// factor of e: +0.61 to +3.74 %, 95 % sure)`. If games failed and the objective is the log score, the
    /// change in the finished games comes first: `+1.00 % of finished games, +0.50 % of all (…)`. Without
    /// pairs, returns `0 of 0 finished by both`.
    pub fn estimate_text(&self) -> String {
        let question = &self.question;
        if self.pairs.is_empty() {
            return "0 of 0 finished by both".into();
        }
        let finished = change_text(self.percent_change());
        let change = match (question.objective, self.failed_games()) {
            (Objective::Sum, _) | (_, [0, 0]) => finished,
            (Objective::Log, _) => {
                let all_games = Objective::Log.mean_change(&self.points());
                let all_games = Objective::Log.percent_from_change(all_games);
                let part = self.percent_change().map_or("", |_| " of finished games");
                format!("{finished}{part}, {} of all", format_change(all_games, 2))
            }
        };
        let ((low, high), (_, clipped)) = (self.interval(), question.objective.max_change());
        // Round down, since a confidence must not be overstated.
        let confidence = (1e4 * (1.0 - question.alpha - question.beta) + 1e-6).floor() / 100.0;
        format!("{change} (with {clipped}: {low:+.2} to {high:+.2} %, {confidence} % sure)")
    }

    /// Describes the result in two lines: the change in the score with its interval, then the answer with the
    /// chance that it is wrong. `name` is the name of the candidate, such as `B`. `cases` describes the cases
    /// that it has played, such as `12 of 40 seeds`.
    pub fn conclusion_text(&self, name: &str, cases: &str) -> String {
        let measure = match self.question.objective {
            Objective::Log => "geometric mean score",
            Objective::Sum => "sum of scores",
        };
        let (estimate, verdict) = (self.estimate_text(), self.verdict_text(name));
        format!("{name}'s {measure} against A's, {cases}: {estimate}.\n{verdict}\n")
    }

    fn verdict_text(&self, name: &str) -> String {
        let (question, better) = (&self.question, "better than A");
        let [better_by, worse_by] = ["better", "worse"]
            .map(|word| format!("{word} than A by {} % or more", question.delta));
        let Some(verdict) = self.verdict() else {
            let open = if question.no_worse { &worse_by } else { better };
            let advice = if self.plays_next_case() {
                "that takes more seeds"
            } else {
                "it pauses, since the seeds that are left will hardly decide. Begin with more seeds"
            };
            return format!("It is open whether {name} is {open}: {advice}.");
        };
        let (alpha, beta) = (question.alpha, question.beta);
        let (text, wrong, rate) = match verdict {
            Verdict::Better => (better.into(), "were not", alpha),
            Verdict::NoWorse => (format!("not {worse_by}, and perhaps better"), "were", alpha),
            Verdict::NotBetter => (format!("not {better_by}, and perhaps worse"), "were", beta),
            Verdict::Worse => ("worse than A".into(), "were not", beta),
        };
        let parts = self.breakdown_text(name);
        // Round, so that the message does not show a rounding error.
        let rate = (1e11 * rate).round() / 1e9;
        format!(
            "{name} is {text}{parts}. (If it {wrong}, at most {rate} of 100 comparisons would say so.)"
        )
    }

    /// Describes the two parts of the change: the change in the finished games (only for the log score), and
    /// the percentage of failed games of each player. Returns an empty string if no game failed.
    fn breakdown_text(&self, name: &str) -> String {
        let failed = self.failed_games();
        if failed == [0, 0] {
            return String::new();
        }
        let [a, b] = failed.map(|games| 100.0 * games as f64 / self.pairs.len() as f64);
        let finished = self.percent_change();
        let finished = finished.filter(|_| self.question.objective == Objective::Log);
        let finished = finished.map_or(String::new(), |change| {
            format!("{} of finished games; ", format_change(change, 2))
        });
        format!(": {finished}A fails in {a:.1} % of all, {name} in {b:.1} %")
    }
}

/// Adds the games of the next case to all candidates of a comparison: the pair of each candidate, or `None`
/// if it did not play. Then determines which wagers are won, as the top of this module explains.
pub fn add_case(candidates: &mut [Candidate], pairs: impl IntoIterator<Item = Option<Pair>>) {
    let pairs = candidates.iter_mut().zip(pairs);
    for (candidate, pair) in pairs.filter_map(|(candidate, pair)| Some((candidate, pair?))) {
        candidate.bet(pair);
    }
    for wager in [ABOVE, BELOW] {
        // The capital as a multiple of 1/α or 1/β, and the amount by which it is below 1.
        let capital = |candidate: &Candidate| {
            candidate.total_candidates * candidate.wagers[wager].capital_share()
        };
        let missing = |candidate: &Candidate| (1.0 - capital(candidate)).max(0.0);
        let others = candidates
            .iter()
            .filter(|candidate| !candidate.wagers[wager].is_won);
        let sum: f64 = others.map(missing).sum();
        for candidate in candidates.iter_mut() {
            // The first answer is final.
            let is_undecided = !candidate.is_decided();
            let is_enough = capital(candidate) >= 1.0 + sum - missing(candidate);
            candidate.wagers[wager].is_won |= is_undecided && is_enough;
        }
    }
}
