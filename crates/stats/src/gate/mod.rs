//! The gate that the result of a tuning run must pass to be called better and to be exported.
//!
//! The result and the start of the run, such as the original weights, play the same held-out seeds.
//! The gate tests the difference of their scores after every pair of games. It uses the betting test of
//! [`sequential`](crate::sequential), which may be checked after every pair and holds for skewed
//! differences. Neither is true of an interval by Student's t.
//!
//! # Judgements
//!
//! The user can extend a run, and its new result must then pass the gate again. Each test at the
//! gate is a judgement (`look` in ledgers and in `result.json`); judgements have numbers from 1. If
//! each had an error rate of 5 %, a worthless change would pass sooner or later. So judgement k has the
//! error rate
//!
//! ```text
//! α(k) = 0.05 / (k (k + 1))
//! ```
//!
//! and 1/2 + 1/6 + 1/12 + … = 1: over any number of judgements, the chance that a result passes
//! without being better is at most 5 %. (This is Bonferroni's inequality with unequal shares. It holds
//! for every result, since each judgement plays its own seeds.)

use crate::sequential::{Sequential, Verdict};
use crate::unit::Objective;

/// The maximum chance that a result passes without being better, over all judgements of a run.
pub const ERROR_RATE: f64 = 0.05;

/// The default maximum number of pairs of games in a judgement.
pub const MOST_PAIRS: u64 = 4000;

/// The smallest difference that matters, about 1 % of the score. It is the high bound of the test, so
/// a judgement can end as soon as the data rule out an improvement of this size.
const DELTA: f64 = 0.01;

/// The test of one judgement.
#[derive(Debug, Clone)]
pub struct Gate {
    judgement: u32,
    /// The test of the difference between the result and the start. The chance that its interval is
    /// wrong at any check is at most 2 α(k): 5 % in the first judgement.
    pub test: Sequential,
}

impl Gate {
    /// Creates the gate of a judgement, without pairs. `judgement` is the number of the judgement,
    /// from 1.
    ///
    /// # Panics
    /// If `judgement` is 0.
    pub fn new(judgement: u32, objective: Objective) -> Self {
        assert!(judgement > 0, "judgements are counted from 1");
        let error_rate = ERROR_RATE / shares(judgement) as f64;
        let test = Sequential::new(objective, [0.0, DELTA], error_rate, error_rate);
        Self { judgement, test }
    }

    /// True if the test has shown the result to be better. Only such a result may be exported.
    pub fn passed(&self) -> bool {
        self.test.verdict() == Some(Verdict::Above)
    }

    /// The confidence of the interval in percent, such as `95` or `98.33`, rounded down.
    fn sure(&self) -> f64 {
        // 2 α(k) is 1000 / (k (k + 1)) hundredths of a percent.
        let doubt = 1000_u64.div_ceil(shares(self.judgement));
        (10_000 - doubt) as f64 / 100.0
    }

    /// Returns the verdict as one line. With `the start` as `other`, for example: `The best is better
    /// than the start: +2.1 % (95 % sure: +0.6 to +3.7 %; judgement 1, 812 pairs of games).`
    pub fn verdict_text(&self, other: &str) -> String {
        let verdict = if self.passed() {
            "is better"
        } else {
            "was not shown to be better"
        };
        let mean = self.test.estimate();
        let mean = mean.map_or("nothing played yet".into(), |mean| format!("{mean:+.1} %"));
        let (low, high) = self.test.interval();
        format!(
            "The best {verdict} than {other}: {mean} ({} % sure: {low:+.1} to {high:+.1} %; judgement {}, \
             {} pairs of games).",
            self.sure(),
            self.judgement,
            self.test.count(),
        )
    }
}

/// Computes k (k + 1), the divisor of [`ERROR_RATE`] for judgement k.
fn shares(judgement: u32) -> u64 {
    u64::from(judgement) * (u64::from(judgement) + 1)
}

#[cfg(test)]
mod tests;
