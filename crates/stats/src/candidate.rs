//! A candidate of a comparison: the question about it, its wagers against the base, and the answer.
//!
//! | question | answers |
//! | --- | --- |
//! | is it better? | better, not better by δ or more, worse |
//! | is it not worse by δ or more? (for a simplification) | not worse by δ or more, better, worse |
//!
//! δ is the change of the score that matters, [`Question::delta`]. The answer comes from three
//! [wagers](crate::wager):
//!
//! * "it fails more often than the base": a pair in which only the candidate fails counts as 1, and one in
//!   which only the base fails as −1. A candidate that fails more is worse, whatever it scores.
//! * "the mean change is above the low bound", and "it is below the high bound". The bounds are 0 and δ, or
//!   −δ and 0 for a simplification.
//!
//! # Clipped changes
//!
//! A wager needs values that are bounded below, so the changes are clipped: see [`Objective::clip`]. A lower
//! limit allows higher stakes. For the sum of scores, x − low stands for change − low × base, so that the
//! mean is the change of the sum, and the unit is A's mean score in all earlier pairs. The wagers skip the
//! first [`UNIT_PAIRS`] pairs, whose mean may be far off.
//!
//! # Several candidates
//!
//! α bounds the chance of any wrong "better" over all candidates, and so does β for the other answers. For
//! that, n candidates would each need a capital of n/α (Bonferroni). A closed test needs less: a candidate is
//! better once, in every set of candidates that contains it and no better one, the mean capital of the wagers
//! reaches 1/α. The hardest set has all candidates below 1/α, so candidate i needs 1/α + Σ (1/α − Kⱼ)⁺ over
//! the candidates j that are not better yet (e-Holm: G. Hartog, L. Lei, *Family-wise error rate control with
//! e-values*, arXiv:2501.09015). Three candidates with α = 5 %:
//!
//! ```text
//! capital          50     45      2
//! needs            38     38     20       two are better; for the third, only its own 20 count now
//! ```
//!
//! One of several candidates pauses if the rounds that are left will hardly lead to an answer about it, so
//! that the games go to those about which they will.

use crate::wager::Wager;
use crate::{Objective, Pair, Table};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of pairs that only determine the unit of a comparison by the sum of scores.
const UNIT_PAIRS: usize = 8;

/// The minimum number of pairs for an estimate of the number of further pairs.
const MIN_PAIRS: f64 = 10.0;

/// A candidate pauses after at least this number of pairs, if a mean this number of standard errors from the
/// mean so far will not lead to an answer either.
const PAUSE: (f64, f64) = (100.0, 2.5);

/// The wagers of a candidate, by index.
const FAILS_MORE: usize = 0;
/// "The mean change is above the low bound."
const ABOVE: usize = 1;
/// "The mean change is below the high bound."
const BELOW: usize = 2;

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
    /// The maximum chance of any wrong "worse" or "not better", over all candidates; also that of any wrong
    /// "fails more".
    pub beta: f64,
    /// True to play all cases, even after all candidates are decided.
    pub all: bool,
}

impl Default for Question {
    fn default() -> Self {
        let (objective, delta) = (Objective::Log, 1.0);
        Self {
            objective,
            delta,
            no_worse: false,
            alpha: 0.05,
            beta: 0.05,
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

/// A pair on which the wagers about the score have bet.
#[derive(Debug, Clone, Copy)]
struct Bet {
    /// The change of the pair, and its base: see [`Objective::clip`].
    change: f64,
    base: f64,
    /// The stakes of the last shares of the wagers `ABOVE` and `BELOW`.
    stakes: [f64; 2],
}

/// A candidate, with its games so far and their tests against the base.
#[derive(Debug, Clone)]
pub struct Candidate {
    question: Question,
    /// The low and the high bound, changes of the objective.
    bounds: [f64; 2],
    /// The number of rounds, which was given beforehand.
    rounds: usize,
    /// The number of candidates in the comparison.
    number: f64,
    pairs: Vec<Pair>,
    /// The sum of A's scores.
    scores: f64,
    bets: Vec<Bet>,
    wagers: [Wager; 3],
}

impl Candidate {
    /// Returns one of `number` candidates of a comparison of at most `rounds` pairs. It has not played yet.
    ///
    /// `rounds` must be known before the first game: the wagers stake by the rounds that are left. A
    /// comparison may continue after its last round.
    ///
    /// # Panics
    /// If `rounds` or `number` is 0, or if an error rate or δ of the question is out of range.
    pub fn new(question: Question, rounds: usize, number: usize) -> Self {
        let Question {
            objective,
            delta,
            no_worse,
            alpha,
            beta,
            ..
        } = question;
        let bounds = if no_worse {
            [-delta, 0.0]
        } else {
            [0.0, delta]
        };
        let bounds = bounds.map(|percent| objective.change(percent));
        let (clip, number) = (objective.max_change(), number as f64);
        assert!(
            rounds > 0
                && number > 0.0
                && [alpha, beta].iter().all(|&rate| 0.0 < rate && rate < 1.0)
        );
        assert!(bounds[0] < bounds[1] && bounds[1] - bounds[0] <= clip);
        let wagers = [(1.0, beta), (clip, alpha), (clip, beta)];
        let wagers = wagers.map(|(max_loss, rate)| Wager::new(max_loss, rate / number));
        let (pairs, bets) = (Vec::new(), Vec::new());
        Self {
            question,
            bounds,
            rounds,
            number,
            pairs,
            scores: 0.0,
            bets,
            wagers,
        }
    }

    /// Adds the next pair of games of a single candidate.
    pub fn add(&mut self, pair: Pair) {
        add_case(std::slice::from_mut(self), [Some(pair)]);
    }

    fn bet(&mut self, pair: Pair) {
        let (left, played) = (self.left(), self.pairs.len());
        let failed = pair
            .points()
            .map(|points| f64::from(u8::from(points.is_none())));
        self.wagers[FAILS_MORE].add(failed[1] - failed[0], left);
        let objective = self.question.objective;
        let change = objective.clip(pair.points(), self.scores / played as f64);
        if let Some((change, base)) =
            change.filter(|_| objective == Objective::Log || played >= UNIT_PAIRS)
        {
            let mut bet = Bet {
                change,
                base,
                stakes: [0.0; 2],
            };
            for side in [0, 1] {
                bet.stakes[side] = self.wagers[ABOVE + side].add(self.value(side, &bet, 0.0), left);
            }
            self.bets.push(bet);
        }
        self.scores += pair.a.unwrap_or(0) as f64;
        self.pairs.push(pair);
    }

    /// Returns the value of a bet for the wager `ABOVE + side`, if its bound is farther by `by`.
    fn value(&self, side: usize, bet: &Bet, by: f64) -> f64 {
        match side {
            0 => bet.change - (self.bounds[0] + by) * bet.base,
            _ => (self.bounds[1] - by) * bet.base - bet.change,
        }
    }

    /// Returns the number of rounds left; 0 if the comparison continues after the last one.
    fn left(&self) -> f64 {
        self.rounds.saturating_sub(self.pairs.len()) as f64
    }

    /// Returns the pairs of games so far.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.wagers.iter().any(|wager| wager.is_won)
    }

    /// True if the candidate plays the next case: it is not decided, and does not pause.
    pub fn is_open(&self) -> bool {
        let pauses = || {
            let [least, _] = self.rounds_for(PAUSE.1);
            self.number > 1.0
                && self.wagers[ABOVE].count() >= PAUSE.0
                && 0.0 < self.left()
                && self.left() < least
        };
        self.question.all || !(self.is_decided() || pauses())
    }

    /// Returns the results of the candidate's pairs, in total and by class of case.
    ///
    /// # Panics
    /// If the candidate has not played yet.
    pub fn table(&self) -> Table {
        Table::new(&self.pairs)
    }

    /// Returns the answer; `None` until a wager is won.
    pub fn answer(&self) -> Option<Answer> {
        let won = self.wagers.map(|wager| wager.is_won);
        let (low, high) = if self.is_decided() {
            self.interval()
        } else {
            (0.0, 0.0)
        };
        Some(match self.question.no_worse {
            _ if won[FAILS_MORE] => Answer::FailsMore,
            _ if won[ABOVE] && low > 0.0 => Answer::Better,
            _ if won[BELOW] && high < 0.0 => Answer::Worse,
            true if won[ABOVE] => Answer::NoWorse,
            true if won[BELOW] => Answer::Worse,
            false if won[ABOVE] => Answer::Better,
            false if won[BELOW] => Answer::NotBetter,
            _ => return None,
        })
    }

    /// Returns the change of the score so far in percent; `None` before there is one.
    pub fn change(&self) -> Option<f64> {
        let points: Vec<_> = self.pairs.iter().map(Pair::points).collect();
        let estimate = self.question.objective.estimate(0.95, &points);
        estimate.map(|estimate| estimate.mean)
    }

    /// Returns an interval of the mean clipped change of the score in percent. It contains
    /// that mean with a probability of at least 1 − α − β, however often the caller checks it: the chance
    /// that its lower end is ever above the mean is at most α, and the chance that its upper end is ever
    /// below the mean is at most β. After a wager about the score is won, it excludes the bound of the wager.
    pub fn interval(&self) -> (f64, f64) {
        let ([low, high], objective) = (self.bounds, self.question.objective);
        let clip = objective.max_change();
        // No change is below −1: changes of logarithms are clipped there, and no player loses more than its
        // whole score.
        let mut lower = low + self.bound(0, -1.0 - low, clip - low);
        let mut upper = high - self.bound(1, high - clip, high + 1.0);
        // The closed test needs less capital than the interval.
        if self.wagers[ABOVE].is_won {
            lower = lower.max(low);
        } else if self.wagers[BELOW].is_won {
            upper = upper.min(high);
        }
        // If one of the two wagers is wrong, their bounds can cross.
        (
            objective.percent(lower.min(upper)),
            objective.percent(upper.max(lower)),
        )
    }

    /// Returns by how much farther the bound of a wager could be, from `min` to `max`, so that the wager
    /// would still be won; `min` if it would not be won for any bound. The capital falls as the bound moves,
    /// so bisection finds it.
    fn bound(&self, side: usize, mut min: f64, mut max: f64) -> f64 {
        let clip = self.question.objective.max_change();
        let max_base = if self.question.objective == Objective::Log {
            1.0
        } else {
            clip
        };
        let is_won = |by: f64| {
            let values = self
                .bets
                .iter()
                .map(|bet| (bet.stakes[side], self.value(side, bet, by)));
            self.wagers[ABOVE + side].would_be_won(clip + by.max(0.0) * max_base, values)
        };
        if !is_won(min) {
            return min;
        }
        for _ in 0..50 {
            let middle = f64::midpoint(min, max);
            *(if is_won(middle) { &mut min } else { &mut max }) = middle;
        }
        min
    }

    /// Estimates the minimum and the maximum number of pairs until the answer, if the mean of further pairs
    /// is at most this number of standard errors from the mean so far. The maximum is infinite if a possible
    /// mean leads to no answer.
    fn rounds_for(&self, errors: f64) -> [f64; 2] {
        let [_, above, below] = &self.wagers;
        let rounds =
            [-errors, 0.0, errors].map(|by| above.rounds_left(by).min(below.rounds_left(-by)));
        [
            rounds.into_iter().fold(f64::INFINITY, f64::min),
            rounds.into_iter().fold(0.0, f64::max),
        ]
    }

    /// Estimates how many more pairs the answer needs: a minimum and a maximum, neither above `left`. `None`
    /// before the tenth pair.
    pub fn rounds_left(&self, left: usize) -> Option<[usize; 2]> {
        let rounds = self
            .rounds_for(1.0)
            .map(|rounds| (rounds.min(left as f64).ceil() as usize).max(1));
        (self.wagers[ABOVE].count() >= MIN_PAIRS).then_some(rounds)
    }

    /// Formats the change of the score so far, such as `+1.23 %`.
    pub fn change_text(&self) -> String {
        self.change()
            .map_or("no game that both finished".into(), |change| {
                format!("{change:+.2} %")
            })
    }

    /// Formats the change so far and the interval, such as
    /// `+2.10 % (with each game's change clipped at a factor of e: +0.61 to +3.74 %, 95 % sure)`.
    pub(crate) fn estimate_text(&self) -> String {
        let Question {
            objective,
            alpha,
            beta,
            ..
        } = self.question;
        let ((low, high), clipped) = (self.interval(), objective.clip_text());
        // Rounded down, since a confidence must not be overstated.
        let sure = (1e4 * (1.0 - alpha - beta) + 1e-6).floor() / 100.0;
        let change = self.change_text();
        format!("{change} (with {clipped}: {low:+.2} to {high:+.2} %, {sure} % sure)")
    }

    /// Formats the answer so far, with the mean clipped change and its interval, such as
    /// `worse: −16.0 % (−25.1 to −6.2 %, each game's change clipped at a factor of e) after 31 games`.
    pub fn brief(&self) -> String {
        let answer = self
            .answer()
            .map_or("undecided".into(), |answer| answer.to_string());
        let ((low, high), count) = (self.interval(), self.pairs.len());
        let games = if count == 1 { "game" } else { "games" };
        let objective = self.question.objective;
        let [change, base] = self.bets.iter().fold([0.0; 2], |[change, base], bet| {
            [change + bet.change, base + bet.base]
        });
        let change = objective.percent(if base > 0.0 { change / base } else { 0.0 });
        let range = format!(
            "{change:+.1} % ({low:+.1} to {high:+.1} %, {})",
            objective.clip_text()
        );
        format!("{answer}: {range} after {count} {games}").replace('-', "−")
    }

    /// Describes the change of the score with its interval on one line, and the answer on the next. `name` is
    /// the name of the candidate, such as `B`. `cases` describes the cases that it has played, such as `12 of
    /// 40 seeds`.
    pub fn conclusion(&self, name: &str, cases: &str) -> String {
        let what = match self.question.objective {
            Objective::Log => "geometric mean score",
            Objective::Sum => "sum of scores",
        };
        let (estimate, answer) = (self.estimate_text(), self.answer_text(name));
        format!("{name}'s {what} against A's, {cases}: {estimate}.\n{answer}\n")
    }

    /// Describes the answer, and the chance that it is wrong.
    fn answer_text(&self, name: &str) -> String {
        let Question {
            delta,
            no_worse,
            alpha,
            beta,
            ..
        } = self.question;
        let (answer, wrong, rate) = match self.answer() {
            Some(Answer::Better) => ("better than A".into(), "were not", alpha),
            Some(Answer::NoWorse) => (
                format!("not worse than A by {delta} % or more, and perhaps better"),
                "were",
                alpha,
            ),
            Some(Answer::NotBetter) => (
                format!("not better than A by {delta} % or more, and perhaps worse"),
                "were",
                beta,
            ),
            Some(Answer::Worse) => ("worse than A".into(), "were not", beta),
            Some(Answer::FailsMore) => {
                let [a, b] = self
                    .failed()
                    .map(|failed| 100.0 * failed as f64 / self.pairs.len() as f64);
                (
                    format!("worse: it fails in {b:.1} % of the games, A in {a:.1} %"),
                    "did not fail more",
                    beta,
                )
            }
            None => {
                let open = if no_worse {
                    format!("worse than A by {delta} % or more")
                } else {
                    "better than A".into()
                };
                return format!("It is open whether {name} is {open}: that takes more seeds.");
            }
        };
        // Rounded, so that the message does not show a rounding error.
        let rate = (1e11 * rate).round() / 1e9;
        format!(
            "{name} is {answer}. (If it {wrong}, at most {rate} of 100 comparisons would say so.)"
        )
    }

    /// Returns the number of failed games of the base and of the candidate.
    pub(crate) fn failed(&self) -> [usize; 2] {
        [0, 1].map(|side| {
            self.pairs
                .iter()
                .filter(|pair| pair.points()[side].is_none())
                .count()
        })
    }
}

/// Adds the games of the next case to all candidates of a comparison: the pair of each candidate, or `None`
/// if it did not play.
pub fn add_case(candidates: &mut [Candidate], pairs: impl IntoIterator<Item = Option<Pair>>) {
    for (candidate, pair) in candidates.iter_mut().zip(pairs) {
        if let Some(pair) = pair {
            candidate.bet(pair);
        }
    }
    decide(candidates);
}

/// Finds the wagers that are won: see the [module](self).
fn decide(candidates: &mut [Candidate]) {
    for wager in [FAILS_MORE, ABOVE, BELOW] {
        // The capital as a multiple of 1/α or 1/β.
        let capital = |one: &Candidate| one.number * one.wagers[wager].evidence();
        let others = candidates.iter().filter(|one| !one.wagers[wager].is_won);
        let missing: f64 = others.map(|one| (1.0 - capital(one)).max(0.0)).sum();
        for one in candidates.iter_mut() {
            // The first answer about the score is final. Failures count even after it.
            let is_open = if wager == FAILS_MORE {
                !one.wagers[wager].is_won
            } else {
                !one.is_decided()
            };
            let own = (1.0 - capital(one)).max(0.0);
            one.wagers[wager].is_won |= is_open && capital(one) >= 1.0 + missing - own;
        }
    }
}
