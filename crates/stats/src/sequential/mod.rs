//! A paired comparison that may be checked after every pair.
//!
//! The test asks about the mean change μ over the pairs: is it above a low bound, or below a high
//! one? To find an improvement of at least δ the bounds are 0 and δ; to show that a simplification
//! costs less than δ they are −δ and 0. The test keeps two wagers. The one against "μ ≤ low" has
//! the capital
//!
//! ```text
//! K₀(n) = Π (1 + λᵢ (xᵢ − low))
//! ```
//!
//! and the one against "μ ≥ high" has K₁(n) = Π (1 + λᵢ (high − xᵢ)), where every stake λᵢ is
//! chosen before xᵢ is known and no factor can be negative. If the hypothesis against which a wager
//! bets is true, the capital has no tendency to grow (it is a supermartingale). Then, by Ville's
//! inequality, the chance that it *ever* reaches 1/α is at most α. So the verdict is
//! [`Verdict::Above`] when K₀ ≥ 1/α, and [`Verdict::Below`] when K₁ ≥ 1/β: the user may check at any
//! time and stop at any time. This holds for every distribution, skewed or heavy-tailed, of any
//! variance: the source is I. Waudby-Smith, A. Ramdas, *Estimating
//! means of bounded random variables by betting*, Journal of the Royal Statistical Society B 86
//! (2024), arXiv:2010.09686, section 4.
//!
//! Four pairs, with a low bound of 0 and a stake of 0.8 throughout:
//!
//! ```text
//! x         +0.3   +0.1   −0.2   +0.4
//! factor    1.24   1.08   0.84   1.32
//! K₀        1.24   1.34   1.12   1.48      the verdict "above" needs 1/0.05 = 20
//! ```
//!
//! The differences need a bound, so they are cut: see [`Unit::cut`]. A lower cut allows higher
//! stakes. A difference of scores also needs a scale, the usual score. The first `PILOT` pairs
//! determine it, and the wagers skip them. For scores, x − low stands for gain − low × base
//! ([`Gain`]), so that μ is the change of the sum of scores.
//!
//! The stake λ = a / E x² makes capital grow fastest if the mean is a; one pair can cost at most
//! 0.8 of the capital. The capital has two halves with different aims a (section 5 of the paper
//! calls that a mixture). One half aims at 2δ, a small difference worth finding. The other aims at
//! the absolute mean of the differences so far, but at least at δ. A first guess of 0.25 counts as
//! 15 of these differences, so that the test finds a large difference in a few dozen pairs. If
//! neither half has a tendency to grow, their sum has none either. Halving costs few pairs: the
//! logarithm of a half must grow by ln (1/α) + ln 2, where the whole capital would have to grow by
//! ln (1/α).
//!
//! The capital is computed by basic arithmetic alone, so it is bit-identical on every machine.

use crate::unit::{Gain, Objective, Unit, change};
use serde::{Deserialize, Serialize};

/// The maximum share of a wager's capital that a pair may cost. With a smaller share, the test would
/// need more pairs if all differences have a similar size. With a larger share, it would need more
/// pairs if a few large differences go against the wager.
const MOST: f64 = 0.8;

/// A first guess of the mean, in the unit of a wager's values, and its weight in pairs.
const MEAN: (f64, f64) = (0.25, 15.0);

/// A first guess of the root mean square of a wager's values, as a share of the cut. It has the weight
/// of one pair.
const DEVIATION: f64 = 0.3;

/// The number of pairs that determine the usual score of a comparison by the sum of scores.
const PILOT: usize = 8;

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The mean is above the low bound. If it is not, the chance of this verdict is at most α.
    Above,
    /// The mean is below the high bound. If it is not, the chance of this verdict is at most β.
    Below,
}

/// A test that receives pairs of games one by one.
#[derive(Debug, Clone)]
pub struct Sequential {
    unit: Unit,
    /// The low and the high bound, changes of the objective.
    bounds: [f64; 2],
    /// The points of the base and of the candidate in the first pairs, until the unit is known.
    pilot: Vec<(u64, u64)>,
    gains: Vec<Gain>,
    /// The wagers against a mean of at most the low bound, and of at least the high one.
    against: [Wager; 2],
    verdict: Option<Verdict>,
}

/// A wager that a mean is above 0: the mean of x − low, or that of high − x.
///
/// The value of a pair is its x − low or high − x, and its base is [`Gain::base`].
#[derive(Debug, Clone)]
struct Wager {
    /// The smallest difference that matters: the high bound minus the low one.
    delta: f64,
    /// No value is below `-lowest`.
    lowest: f64,
    /// The minimum and the maximum base of a pair.
    bases: [f64; 2],
    /// The capital at which the wager is won. A wager begins with a capital of 1.
    goal: f64,
    /// The values of the pairs so far, each with the base of its pair.
    values: Vec<(f64, f64)>,
    state: State,
}

/// The capital of a wager, and the sums of its values so far, which determine the next stakes.
#[derive(Debug, Clone, Copy)]
struct State {
    /// The halves of the capital: see [`Wager::aims`].
    halves: [f64; 2],
    /// The number of values, their sum, and the sum of their squares.
    count: f64,
    sum: f64,
    squares: f64,
}

impl State {
    const FIRST: Self = Self {
        halves: [0.5; 2],
        count: 0.0,
        sum: 0.0,
        squares: 0.0,
    };

    fn capital(&self) -> f64 {
        self.halves.iter().sum()
    }

    fn mean(&self) -> f64 {
        let (guess, pairs) = MEAN;
        (guess * pairs + self.sum) / (pairs + self.count)
    }
}

impl Wager {
    fn new(error_rate: f64, delta: f64, unit: Unit) -> Self {
        Self {
            delta,
            lowest: unit.cut(),
            bases: unit.bases(),
            goal: 1.0 / error_rate,
            values: Vec::new(),
            state: State::FIRST,
        }
    }

    /// Returns the aim of each half of the capital: the mean at which this half grows fastest.
    ///
    /// `mean` is the mean of the values so far. If it is below 0, no stake makes the capital grow, but
    /// a high stake still narrows the interval, so the second aim is the absolute mean.
    fn aims(&self, mean: f64) -> [f64; 2] {
        [2.0 * self.delta, mean.abs().max(self.delta)]
    }

    /// Returns the mean square of the values so far. The first guess counts as one more value: see
    /// [`DEVIATION`].
    fn square(&self, state: &State) -> f64 {
        ((DEVIATION * self.lowest).powi(2) + state.squares) / (1.0 + state.count)
    }

    /// Returns the stake of one half of the capital, for a bet on a value minus `mean` times its base.
    /// `state` describes the earlier values only.
    fn stake(&self, aim: f64, state: &State, mean: f64) -> f64 {
        let base = self.bases[usize::from(mean > 0.0)];
        let lowest = (self.lowest + mean * base).max(f64::MIN_POSITIVE);
        (aim / self.square(state)).min(MOST / lowest)
    }

    /// Bets both halves of the capital on a value minus `mean` times its base, and updates `state`.
    fn bet(&self, state: &mut State, (value, base): (f64, f64), mean: f64) {
        let before = *state;
        for (half, aim) in state.halves.iter_mut().zip(self.aims(before.mean())) {
            *half *= 1.0 + self.stake(aim, &before, mean) * (value - mean * base);
        }
        state.count += 1.0;
        state.sum += value;
        state.squares += value * value;
    }

    /// Bets on a value with its base. Returns true if the wager is won.
    fn add(&mut self, value: f64, base: f64) -> bool {
        let mut state = self.state;
        self.bet(&mut state, (value, base), 0.0);
        self.state = state;
        self.values.push((value, base));
        state.capital() >= self.goal
    }

    /// Returns a lower confidence bound of the mean, between `low` and `high`, by bisection.
    ///
    /// The bound is the largest m for which the wager "the mean is above m" is won. The values of
    /// this wager are `value - m * base`. Returns `low` if the wager is not won for any m.
    fn bound(&self, mut low: f64, mut high: f64) -> f64 {
        let won = |mean: f64| {
            let mut state = State::FIRST;
            for &value in &self.values {
                self.bet(&mut state, value, mean);
            }
            state.capital() >= self.goal
        };
        if !won(low) {
            return low;
        }
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if won(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Estimates the number of values that it takes to win the wager if its capital keeps its rate of
    /// growth. `None` if the capital does not grow.
    fn about(&self) -> Option<f64> {
        let growth = libm::log(self.state.capital()) / self.state.count;
        (growth > 0.0).then(|| libm::log(self.goal) / growth)
    }
}

impl Sequential {
    /// Returns a test of the mean change of the objective. The chance of a wrong [`Verdict::Above`]
    /// is at most `alpha`, and the chance of a wrong [`Verdict::Below`] at most `beta`.
    ///
    /// # Panics
    /// If the low bound is above 0, the high bound is below 0, they are equal or differ by more than
    /// the [cut](Unit::cut), or if an error rate is not above 0 and below 1.
    pub fn new(objective: Objective, bounds: [f64; 2], alpha: f64, beta: f64) -> Self {
        let unit = Unit {
            objective,
            usual: 0.0,
        };
        let [low, high] = bounds;
        let delta = high - low;
        let rates = [alpha, beta].map(|rate| rate > 0.0 && rate < 1.0);
        assert!(low <= 0.0 && 0.0 <= high && rates == [true; 2]);
        assert!(delta > 0.0 && delta <= unit.cut());
        Self {
            unit,
            bounds,
            pilot: Vec::new(),
            gains: Vec::new(),
            against: [alpha, beta].map(|rate| Wager::new(rate, delta, unit)),
            verdict: None,
        }
    }

    /// Adds the points of the base and of the candidate in the next pair. The first verdict is final;
    /// later pairs only change [`Sequential::estimate`] and the interval.
    pub fn add(&mut self, base: u64, points: u64) -> Option<Verdict> {
        if self.unit.objective == Objective::Log || self.pilot.len() == PILOT {
            return self.bet(self.unit.difference(base, points));
        }
        self.pilot.push((base, points));
        let bases = self.pilot.iter().map(|&(base, _)| base as f64);
        self.unit.usual = bases.sum::<f64>() / self.pilot.len() as f64;
        let pilot = self.pilot.iter();
        let gains = pilot.map(|&(base, points)| self.unit.difference(base, points));
        self.gains = gains.collect();
        None
    }

    /// Places both wagers on the gain of the next pair. Returns the first verdict so far, if any.
    pub(crate) fn bet(&mut self, gain: Gain) -> Option<Verdict> {
        let Gain { gain: value, base } = gain;
        let ([low, high], [against_low, against_high]) = (self.bounds, &mut self.against);
        let above = against_low.add(value - low * base, base);
        let above = above.then_some(Verdict::Above);
        let below = against_high.add(high * base - value, base);
        let below = below.then_some(Verdict::Below);
        self.gains.push(gain);
        self.verdict = self.verdict.or(above).or(below);
        self.verdict
    }

    /// Returns the verdict; `None` while the test is open.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Returns the number of pairs so far.
    pub fn count(&self) -> usize {
        self.gains.len()
    }

    /// Returns the unit of the differences.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Estimates the number of pairs that the test needs for a verdict, if the wagers keep their rates
    /// of growth. The number is rounded up to two significant digits. `None` if neither wager grows.
    pub fn about(&self) -> Option<usize> {
        let both = self.against.iter().filter_map(Wager::about);
        let about = both.min_by(f64::total_cmp)?.min(1e9).ceil() as usize;
        let digit = 10_usize.pow(about.ilog10().saturating_sub(1));
        Some(about.next_multiple_of(digit).max(self.count()))
    }

    /// Returns the change of the score so far in percent, with each difference cut; `None` before the
    /// first pair. See [`Unit::estimate`].
    pub fn estimate(&self) -> Option<f64> {
        let (change, _) = change(&self.gains);
        (!self.gains.is_empty()).then(|| self.unit.objective.percent(change))
    }

    /// Returns an interval of the mean change of the score in percent. It contains the mean with a
    /// probability of at least 1 − α − β, however often the caller checks it: the chance that its
    /// lower end is ever above the mean is at most α, and the chance that its upper end is ever
    /// below the mean is at most β. As soon as the interval excludes a bound, the test has its
    /// verdict, and every later interval excludes that bound.
    ///
    /// The wagers are designed to separate the bounds, so the interval never becomes much narrower
    /// than the distance between them.
    pub fn interval(&self) -> (f64, f64) {
        let ([low, high], cut) = (self.bounds, self.unit.cut());
        let [against_low, against_high] = &self.against;
        // No change is below −1: differences of logarithms are cut there, and no player loses more
        // than its whole score.
        let mut lower = low + against_low.bound(-1.0 - low, cut - low);
        let mut upper = high - against_high.bound(high - cut, high + 1.0);
        match self.verdict() {
            Some(Verdict::Above) => lower = lower.max(low),
            Some(Verdict::Below) => upper = upper.min(high),
            None => {}
        }
        let objective = self.unit.objective;
        (objective.percent(lower), objective.percent(upper))
    }
}

#[cfg(test)]
pub(crate) mod tests;
