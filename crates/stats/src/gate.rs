//! The gate that the result of a fit must pass to be called better and to be exported.
//!
//! The result and the start of the run, such as the original weights, play the same held-out seeds.
//! The gate is a [`Candidate`]: its tests may be checked after every pair, and hold for skewed
//! changes and for programs that fail. Neither is true of an interval by Student's t.
//!
//! # Judgements
//!
//! The user can extend a run, and its new result must then pass the gate again. Each test at the
//! gate is a judgement (`look` in ledgers and in `result.json`); judgements have numbers from 1. If
//! each had an error rate of 5 %, a worthless change would pass sooner or later. So judgement k has the
//! error rate
//!
//! ```text
//! α(k) = 0.05 × 2 / 3ᵏ      3.3 %, 1.1 %, 0.4 %, …
//! ```
//!
//! and 2/3 + 2/9 + 2/27 + … = 1: over any number of judgements, the chance that a result passes
//! without being better is at most 5 %. (This is Bonferroni's inequality with unequal shares. It holds
//! for every result, since each judgement plays its own seeds.) "Not better" has half the error rate
//! of "better", so the interval of the first judgement is 95 % sure.

use crate::candidate::percent;
use crate::{Answer, Candidate, Objective, Question};

/// The maximum chance that a result passes without being better, over all judgements of a run.
const ERROR_RATE: f64 = 0.05;

/// The default maximum number of pairs of games in a judgement.
pub const MAX_PAIRS: u64 = 4000;

/// The tests of one judgement.
#[derive(Debug, Clone)]
pub struct Gate {
    judgement: u32,
    question: Question,
    /// The result of the run, as a candidate against the start.
    pub candidate: Candidate,
}

impl Gate {
    /// Creates the gate of a judgement, without pairs. `judgement` is the number of the judgement, from 1.
    ///
    /// The tests stake as for [`MAX_PAIRS`] pairs, whatever the limit of the run: so a run with a larger limit continues a
    /// judgement as if it had had that limit from the beginning.
    ///
    /// # Panics
    /// If `judgement` is 0.
    pub fn new(judgement: u32, objective: Objective) -> Self {
        assert!(judgement > 0, "judgements are counted from 1");
        let share = libm::pow(3.0, f64::from(judgement));
        let [alpha, beta] = [2.0, 1.0].map(|part| part * ERROR_RATE / share);
        let question = Question {
            objective,
            alpha,
            beta,
            ..Question::default()
        };
        Self {
            judgement,
            question,
            candidate: Candidate::new(question, MAX_PAIRS as usize),
        }
    }

    /// True if the tests have shown the result to be better. Only such a result may be exported.
    pub fn passed(&self) -> bool {
        self.candidate.answer() == Some(Answer::Better)
    }

    /// Returns the verdict as one line. With `the start` as `other`, for example: `The best is better than the start:
    /// +2.1 % (with each game's change clipped at a factor of e: +0.6 to +3.7 %, 95 % sure; judgement 1, 812 pairs of games).`
    pub fn verdict_text(&self, other: &str) -> String {
        let Self {
            candidate,
            judgement,
            question,
        } = self;
        let verdict = match candidate.answer() {
            Some(Answer::Better) => "is better",
            Some(Answer::FailsMore) => "fails more often",
            _ => "was not shown to be better",
        };
        let change = candidate
            .change()
            .map_or("no game that both finished".into(), |change| {
                format!("{change:+.1} %")
            });
        let (low, high) = candidate.interval();
        let sure = percent(1.0 - question.alpha - question.beta);
        // Rounded down, since a confidence must not be overstated.
        let sure = (100.0 * sure + 1e-6).floor() / 100.0;
        let text = format!(
            "The best {verdict} than {other}: {change} (with {}: {low:+.1} to {high:+.1} %, {sure} % sure; judgement \
             {judgement}, {} pairs of games).",
            question.objective.clip_text(),
            candidate.pairs().len(),
        );
        let failed = candidate
            .pairs()
            .iter()
            .map(|pair| [pair.a, pair.b].map(|points| usize::from(points.is_none())));
        let [a, b] = failed.fold([0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
        match crate::failed_games(candidate.pairs().len(), [(other, a), ("the best", b)]) {
            Some(failed) => format!("{text} F{}.", &failed[1..]),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{finished, pair};

    /// Plays pairs with these changes of the logarithm, again and again, until a test decides.
    fn judged(judgement: u32, changes: &[f64]) -> Gate {
        let mut gate = Gate::new(judgement, Objective::Log);
        for &change in changes.iter().cycle().take(MAX_PAIRS as usize) {
            gate.candidate.add(finished(change));
            if !gate.candidate.is_open() {
                break;
            }
        }
        gate
    }

    #[test]
    fn the_verdict_names_the_change_the_interval_and_failed_games() {
        let gate = judged(1, &[0.3, -0.1, 0.2, -0.2]);
        assert!(gate.passed() && gate.candidate.pairs().len() < 200);
        let text = gate.verdict_text("the start");
        assert!(
            text.starts_with("The best is better than the start: +"),
            "{text}"
        );
        let count = gate.candidate.pairs().len();
        let end = format!(" %, 95 % sure; judgement 1, {count} pairs of games).");
        assert!(
            text.contains(" % (with each game's change clipped at a factor of e: +")
                && text.ends_with(&end),
            "{text}"
        );
        let mut gate = Gate::new(1, Objective::Log);
        for _ in 0..10 {
            gate.candidate.add(pair(Some(100), None));
        }
        assert!(!gate.passed() && !gate.candidate.is_open());
        let text = gate.verdict_text("the start");
        assert!(
            text.starts_with(
                "The best fails more often than the start: no game that both finished"
            ),
            "{text}"
        );
        assert!(
            text.ends_with(" Failed games: the start 0, the best 10 of 10."),
            "{text}"
        );
    }

    #[test]
    fn later_judgements_are_stricter() {
        let mut counts = Vec::new();
        for (judgement, sure) in [(1, "95"), (2, "98.33"), (3, "99.44"), (10, "99.99")] {
            let gate = judged(judgement, &[0.3, -0.2]);
            assert!(gate.passed());
            let text = gate.verdict_text("the start");
            assert!(text.contains(&format!(", {sure} % sure;")), "{text}");
            counts.push(gate.candidate.pairs().len());
        }
        assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    }

    #[test]
    fn a_loss_or_no_change_does_not_pass() {
        for change in [-0.05, 0.0, -3.0] {
            let gate = judged(1, &[change]);
            assert!(!gate.passed() && !gate.candidate.is_open());
            let text = gate.verdict_text("the start");
            assert!(
                text.starts_with("The best was not shown to be better"),
                "{text}"
            );
            let (low, high) = gate.candidate.interval();
            let change = Objective::Log.percent(change.max(-1.0));
            assert!(low <= change && high < 1.0, "{change} {low} {high}");
        }
    }
}
