//! The gate: the test that the result of a fit must pass to be called better and to be exported.
//!
//! The result and the start of the run, such as the original weights, play the same held-out seeds. The gate
//! is a [`Candidate`]: the caller may check its tests after every pair, and the tests are valid for skewed
//! changes and for programs that fail. Neither is true of a confidence interval from Student's t-test. A
//! result passes with the answer "better".
//!
//! # Judgements
//!
//! The user can extend a run, and its new result must then pass the gate again. Each test at the gate is a
//! judgement; judgements are numbered from 1. If each had an error rate of 5 %, a worthless change would pass
//! sooner or later. So judgement k has the error rate
//!
//! ```text
//! α(k) = 0.05 × 2 / 3ᵏ      3.3 %, 1.1 %, 0.4 %, …
//! ```
//!
//! and 2/3 + 2/9 + 2/27 + … = 1: over any number of judgements, the chance that a result passes without being
//! better is at most 5 %. (This is Bonferroni's inequality with unequal shares. It holds for every result,
//! since each judgement plays its own seeds.) "Not better" has half the error rate of "better", so the
//! interval of the first judgement has a confidence of 95 %.

use crate::{Candidate, Objective, Question, Verdict};

/// The maximum chance that a result passes without being better, over all judgements of a run.
const ERROR_RATE: f64 = 0.05;

/// The default maximum number of pairs of games in a judgement.
pub const DEFAULT_MAX_PAIRS: u64 = 4000;

/// Creates the candidate of a judgement, before its first game. `judgement` is 1 for the first
/// judgement of a run.
///
/// The stakes are always chosen for [`DEFAULT_MAX_PAIRS`] pairs, regardless of the limit of the run. So if
/// the user raises the limit, the run continues a judgement as if it had had this limit from the beginning.
///
/// # Panics
/// If `judgement` is 0.
pub fn new_candidate(judgement: u32, objective: Objective) -> Candidate {
    assert!(judgement > 0, "judgements are counted from 1");
    let divisor = libm::pow(3.0, f64::from(judgement));
    let [alpha, beta] = [2.0, 1.0].map(|part| part * ERROR_RATE / divisor);
    let question = Question {
        objective,
        alpha,
        beta,
        ..Question::default()
    };
    Candidate::new(question, DEFAULT_MAX_PAIRS as usize, 1)
}

/// Describes a judgement in one line. With `the start` as `other`, for example: `The best is better than the
/// start: +2.10 % (with each game's change clipped at a factor of e: +0.61 to +3.74 %, 95 % sure) in
/// judgement 1, 812 pairs of games.`
pub fn verdict_text(candidate: &Candidate, judgement: u32, other: &str) -> String {
    let verdict = match candidate.verdict() {
        Some(Verdict::Better) => "is better",
        Some(Verdict::Worse) => "is worse",
        _ => "was not shown to be better",
    };
    let (estimate, pairs) = (candidate.estimate_text(), candidate.pairs().len());
    let text = format!(
        "The best {verdict} than {other}: {estimate} in judgement {judgement}, {pairs} pairs of games."
    );
    match candidate.failed_games() {
        [0, 0] => text,
        [a, b] => format!("{text} Failed games: {other} {a}, the best {b} of {pairs}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{finished_pair, new_pair};

    /// Creates the candidate of a judgement, and adds pairs until the candidate is decided or has
    /// [`DEFAULT_MAX_PAIRS`]. The pairs have these changes in the log score, repeated in this order.
    fn judge_changes(judgement: u32, changes: &[f64]) -> Candidate {
        let mut candidate = new_candidate(judgement, Objective::Log);
        for &change in changes.iter().cycle().take(DEFAULT_MAX_PAIRS as usize) {
            candidate.add_pair(finished_pair(change));
            if !candidate.plays_next_case() {
                break;
            }
        }
        candidate
    }

    #[test]
    fn the_verdict_names_the_change_the_interval_and_failed_games() {
        let judged = judge_changes(1, &[0.3, -0.1, 0.2, -0.2]);
        let count = judged.pairs().len();
        assert!(judged.verdict() == Some(Verdict::Better) && count < 200);
        let text = verdict_text(&judged, 1, "the start");
        let start = "The best is better than the start: +";
        let clipped = " % (with each game's change clipped at a factor of e: +";
        let end = format!(" %, 95 % sure) in judgement 1, {count} pairs of games.");
        assert!(
            text.starts_with(start) && text.contains(clipped) && text.ends_with(&end),
            "{text}"
        );
        let mut failing = new_candidate(1, Objective::Log);
        for _ in 0..10 {
            failing.add_pair(new_pair(Some(100), None));
        }
        assert!(failing.verdict() == Some(Verdict::Worse) && !failing.plays_next_case());
        let text = verdict_text(&failing, 1, "the start");
        let start = "The best is worse than the start: no scores to compare, -63.21 % of all (";
        let end = " Failed games: the start 0, the best 10 of 10.";
        assert!(text.starts_with(start) && text.ends_with(end), "{text}");
    }

    #[test]
    fn later_judgements_are_stricter() {
        let levels = [(1, "95"), (2, "98.33"), (3, "99.44"), (10, "99.99")];
        let counts = levels.map(|(judgement, confidence)| {
            let judged = judge_changes(judgement, &[0.3, -0.2]);
            assert_eq!(judged.verdict(), Some(Verdict::Better));
            let text = verdict_text(&judged, judgement, "the start");
            assert!(text.contains(&format!(", {confidence} % sure)")), "{text}");
            judged.pairs().len()
        });
        assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    }

    #[test]
    fn a_loss_or_no_change_does_not_pass() {
        for change in [-0.05, 0.0, -3.0] {
            let judged = judge_changes(1, &[change]);
            assert!(judged.verdict() != Some(Verdict::Better) && !judged.plays_next_case());
            let text = verdict_text(&judged, 1, "the start");
            let expected = if judged.verdict() == Some(Verdict::Worse) {
                "The best is worse than the start: "
            } else {
                "The best was not shown to be better than the start: "
            };
            assert!(text.starts_with(expected), "{text}");
            let (low, high) = judged.interval();
            let change = Objective::Log.percent_from_change(change.max(-1.0));
            assert!(low <= change && high < 1.0, "{change} {low} {high}");
        }
    }
}
