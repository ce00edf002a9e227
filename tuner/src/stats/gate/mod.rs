//! The gate through which a result must pass to be called better and to be exported.
//!
//! The result and the start play the same held-out seeds, and the gate looks at the difference of
//! their scores after every pair of games. It uses the betting test of
//! [`sequential`](super::sequential), which may be checked after every pair and holds for skewed
//! differences; an interval by Student's t does neither.
//!
//! # Looks
//!
//! A run can be extended and its new result taken to the gate again. Each time is a look, and the
//! looks are counted from 1. If each were allowed to be wrong in 5 of 100 cases, a worthless change
//! would pass sooner or later. So look k has the error rate
//!
//! ```text
//! α(k) = 0.05 / (k (k + 1))
//! ```
//!
//! and 1/2 + 1/6 + 1/12 + … = 1: over any number of looks, the chance that any result passes that
//! is not better is at most 5 %. (This is Bonferroni's inequality with unequal shares. It holds for
//! whatever is taken to the gate, since each look plays seeds that no look has seen: [`held_out`].)

use super::sequential::{Sequential, Verdict};
use crate::{digest::Digest, units::Objective};
use columns_generator::seeds::SeedRange;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The chance that a run ever lets something pass that is not better, over all its looks.
pub const ERROR_RATE: f64 = 0.05;

/// The default of the most pairs of games that a look plays.
pub const MOST_PAIRS: u64 = 4000;

/// A difference that matters, about 1 % of the score. A look ends early when the result is shown to be
/// better by less than that, or worse.
const DELTA: f64 = 0.01;

/// How far apart the seeds of two looks begin: the most pairs that a look can have.
const APART: u64 = 1_000_000;

/// The test of one look.
#[derive(Debug, Clone)]
pub struct Gate {
    look: u32,
    /// The test. Its interval is wrong with a chance of at most 2 α(k) over all checks of the look:
    /// 5 % in the first look.
    pub test: Sequential,
}

impl Gate {
    /// The gate at the beginning of a look, the first being 1.
    ///
    /// # Panics
    /// If the look is 0.
    pub fn new(look: u32, objective: Objective) -> Self {
        assert!(look > 0, "looks are counted from 1");
        let error_rate = ERROR_RATE / shares(look) as f64;
        let test = Sequential::new(objective, [0.0, DELTA], error_rate, error_rate);
        Self { look, test }
    }

    /// True if the result was shown to be better. Nothing else may be exported.
    pub fn passed(&self) -> bool {
        self.test.verdict() == Some(Verdict::Above)
    }

    /// The confidence of that interval in this look, in percent, such as `95` or `98.33`; never
    /// rounded up.
    fn sure(&self) -> f64 {
        // 2 α(k) is 1000 / (k (k + 1)) hundredths of a percent.
        let doubt = 1000_u64.div_ceil(shares(self.look));
        (10_000 - doubt) as f64 / 100.0
    }

    /// The verdict in a line, such as `The result is better than the start: +2.1 % (95 % sure: +0.6
    /// to +3.7 %; judgement 1, 812 pairs of games).` where `other` is `the start`.
    pub fn told(&self, other: &str) -> String {
        let found = if self.passed() {
            "is better"
        } else {
            "was not shown to be better"
        };
        let mean = self.test.estimate();
        let mean = mean.map_or("nothing played yet".into(), |mean| format!("{mean:+.1} %"));
        let (low, high) = self.test.interval();
        format!(
            "The result {found} than {other}: {mean} ({} % sure: {low:+.1} to {high:+.1} %; judgement {}, \
             {} pairs of games).",
            self.sure(),
            self.look,
            self.test.count(),
        )
    }
}

/// k (k + 1): the share of look k is the error rate divided by it.
fn shares(look: u32) -> u64 {
    u64::from(look) * (u64::from(look) + 1)
}

/// The seeds of a look, for at most `most` pairs of games. The first look begins at an odd number
/// of billions that is drawn from the identity of the run, up to two billion of them; every later
/// one begins a million further on. So looks have no seed in common, and neither have runs of
/// different identity, but for a chance of one in a billion.
///
/// The identity must stay what it is when a run is extended.
///
/// # Panics
/// If the look is 0, or `most` is not from 1 to a million.
pub fn held_out(identity: Digest, look: u32, most: u64) -> SeedRange {
    assert!(look > 0, "looks are counted from 1");
    assert!((1..=APART).contains(&most), "from 1 to {APART} pairs");
    let first = to_play(identity) + BILLION + u64::from(look - 1) * APART;
    SeedRange::new(first, first + (most - 1)).expect("at least one seed")
}

/// The first of the seeds that a search may play; the others follow. It is an even number of
/// billions above 0, drawn from the identity of the run, so that a search that plays less than a
/// billion of them plays none that are [`held_out`].
pub fn to_play(identity: Digest) -> u64 {
    let drawn = Xoshiro256PlusPlus::seed_from_u64(identity.number()).next_u64();
    2 * (drawn % BILLION + 1) * BILLION
}

const BILLION: u64 = 1_000_000_000;

#[cfg(test)]
mod tests;
