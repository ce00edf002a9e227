//! A paired comparison that may be looked at after every pair.
//!
//! The question about differences x₁, x₂, … with mean μ is: better by at least δ, or not better?
//! The test keeps two wagers. The one against "μ ≤ 0" has the capital
//!
//! ```text
//! K₀(n) = Π (1 + λᵢ xᵢ)
//! ```
//!
//! and the one against "μ ≥ δ" has K₁(n) = Π (1 + λᵢ (δ − xᵢ)), where every stake λᵢ is chosen
//! before xᵢ is seen and no factor can be negative. Where its hypothesis holds, a wager's capital
//! has no tendency to grow, and by Ville's inequality the chance that it *ever* reaches 1/α is at
//! most α. So the verdict [`Verdict::Better`] falls when K₀ ≥ 1/α, [`Verdict::NotBetter`] when
//! K₁ ≥ 1/β: the user may look at any time and stop at any time. This holds for every distribution,
//! skewed or heavy-tailed, whatever its variance: the source is I. Waudby-Smith, A. Ramdas,
//! *Estimating means of bounded random variables by betting*, Journal of the Royal Statistical
//! Society B 86 (2024), arXiv:2010.09686, section 4.
//!
//! The differences must have a bound. They are cut at ± [`Unit::CUT`], and μ is the mean of the
//! differences so cut. The lower the cut, the more may be staked.
//!
//! The stake λ = a / E x² lets capital grow fastest if the mean is a; at most 0.8 of the capital
//! can be lost on one pair. The capital has two halves of different aims a (section 5 of the paper
//! calls that a mixture). One half aims at 2δ, a small difference worth finding. The other aims at
//! the mean of the differences so far, without its sign and at no less than δ; a first guess of 0.25
//! counts as some of these differences, so that a plain one is found in some dozens of pairs. The
//! mean of capitals that have no tendency to grow has none either. A half costs few pairs: it needs
//! ln 2 more in the logarithm of its capital, of about ln (1/α) in all.
//!
//! The capital is computed by products and quotients only, so it is the same to the bit on every
//! machine.

use crate::units::Unit;
use serde::Serialize;
use std::marker::PhantomData;

/// The most of a wager's capital that a pair may cost. Less would be slow where the differences are
/// even, more where there are rare great losses.
const MOST: f64 = 0.8;

/// A first guess of the mean, and as how many pairs it counts.
const MEAN: (f64, f64) = (0.25, 15.0);

/// A first guess of the standard deviation, as a share of the cut; it counts as one pair.
const DEVIATION: f64 = 0.3;

/// [`Sequential::about`] takes this many pairs without a difference to have been seen already, so
/// that the first pairs do not promise too much.
const DOUBT: f64 = 4.0;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The mean difference is above 0. If it is not, this verdict falls with a chance of at most α.
    Better,
    /// The mean difference is below δ. If it is not, this verdict falls with a chance of at most β.
    NotBetter,
}

/// A test that takes differences of one unit one by one.
#[derive(Debug, Clone)]
pub struct Sequential<U> {
    delta: f64,
    /// The wagers against a mean of at most 0 and against one of at least δ; the latter is on
    /// δ − x.
    against: [Wager; 2],
    verdict: Option<Verdict>,
    unit: PhantomData<U>,
}

/// A wager on the mean of some values being above 0.
#[derive(Debug, Clone)]
struct Wager {
    delta: f64,
    /// No value is below minus this number.
    lowest: f64,
    /// The capital at which the wager is won; it is 1 at first.
    goal: f64,
    values: Vec<f64>,
    stand: Stand,
}

/// How a wager stands.
#[derive(Debug, Clone, Copy)]
struct Stand {
    /// The halves of the capital, which is 1 at first: see [`Wager::aims`].
    halves: [f64; 2],
    /// How many values there were, their sum, and the sum of their squares.
    count: f64,
    sum: f64,
    squares: f64,
}

impl Stand {
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
    fn new(error_rate: f64, delta: f64, cut: f64) -> Self {
        Self {
            delta,
            lowest: cut,
            goal: 1.0 / error_rate,
            values: Vec::new(),
            stand: Stand::FIRST,
        }
    }

    /// The means for which the halves grow fastest, after values of the mean `seen`. Where it is
    /// below 0 neither grows, but the higher the stake, the narrower the interval.
    fn aims(&self, seen: f64) -> [f64; 2] {
        [2.0 * self.delta, seen.abs().max(self.delta)]
    }

    /// The mean of the squares so far.
    fn square(&self, stand: &Stand) -> f64 {
        ((DEVIATION * self.lowest).powi(2) + stand.squares) / (1.0 + stand.count)
    }

    /// The stake of a half on a value less `mean`, after what has been seen before it.
    fn stake(&self, aim: f64, stand: &Stand, mean: f64) -> f64 {
        (aim / self.square(stand)).min(MOST / (self.lowest + mean).max(f64::MIN_POSITIVE))
    }

    /// Bets on a value less `mean`.
    fn bet(&self, stand: &mut Stand, value: f64, mean: f64) {
        let before = *stand;
        for (half, aim) in stand.halves.iter_mut().zip(self.aims(before.mean())) {
            *half *= 1.0 + self.stake(aim, &before, mean) * (value - mean);
        }
        stand.count += 1.0;
        stand.sum += value;
        stand.squares += value * value;
    }

    /// Takes a value. Returns whether the wager is won.
    fn add(&mut self, value: f64) -> bool {
        let mut stand = self.stand;
        self.bet(&mut stand, value, 0.0);
        self.stand = stand;
        self.values.push(value);
        stand.capital() >= self.goal
    }

    /// The largest number, from −`highest` to `highest`, that the mean has been shown to be no
    /// smaller than: the wager on the values less that number is still won.
    fn bound(&self, highest: f64) -> f64 {
        let won = |mean: f64| {
            let mut stand = Stand::FIRST;
            for &value in &self.values {
                self.bet(&mut stand, value, mean);
            }
            stand.capital() >= self.goal
        };
        let (mut low, mut high) = (-highest, highest);
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

    /// How many more values will win the wager if their mean is this one.
    fn missing(&self, mean: f64) -> f64 {
        let growth = self.aims(mean).map(|aim| {
            let stake = self.stake(aim, &self.stand, 0.0);
            stake * (mean - stake * self.square(&self.stand) / 2.0)
        });
        let capital = |values: f64| -> f64 {
            let halves = self.stand.halves.iter().zip(growth);
            halves
                .map(|(half, growth)| half * libm::exp(growth * values))
                .sum()
        };
        let mut values = 1.0;
        while values < 1e9 && capital(values) < self.goal {
            values *= 1.05;
        }
        values
    }
}

impl<U: Unit> Sequential<U> {
    /// A test whether something is better. It says wrongly that it is with a chance of at most
    /// `alpha`; it says wrongly that it is not, if it is by `delta`, with at most `beta`.
    ///
    /// # Panics
    /// If `delta` is not above 0 and at most [`Unit::CUT`], or if an error rate is not above 0 and
    /// below 1.
    pub fn new(delta: U, alpha: f64, beta: f64) -> Self {
        let delta = delta.number();
        let rates = [alpha, beta].map(|rate| rate > 0.0 && rate < 1.0);
        assert!(delta > 0.0 && delta <= U::CUT && rates == [true; 2]);
        Self {
            delta,
            against: [alpha, beta].map(|rate| Wager::new(rate, delta, U::CUT)),
            verdict: None,
            unit: PhantomData,
        }
    }

    /// Takes the next difference, which is positive if the new one was better. The first verdict
    /// stays; later differences count in [`Sequential::estimate`] only.
    ///
    /// # Panics
    /// If the difference is not a number.
    pub fn add(&mut self, difference: U) -> Option<Verdict> {
        assert!(!difference.number().is_nan(), "a difference is a number");
        let x = difference.number().clamp(-U::CUT, U::CUT);
        let [zero, delta] = &mut self.against;
        let better = zero.add(x).then_some(Verdict::Better);
        let not_better = delta.add(self.delta - x).then_some(Verdict::NotBetter);
        self.verdict = self.verdict.or(better).or(not_better);
        self.verdict
    }

    /// The verdict, if there is one yet.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The number of differences so far.
    pub fn count(&self) -> usize {
        self.against[0].values.len()
    }

    /// About how many pairs there will be at the verdict, in two digits: if the next differences
    /// are like those before, or before the first, if there is none. If there is a verdict, how many
    /// there were.
    pub fn about(&self) -> usize {
        if self.verdict.is_some() {
            return self.count();
        }
        let [zero, delta] = &self.against;
        let mean = zero.values.iter().sum::<f64>() / (zero.values.len() as f64 + DOUBT);
        let missing = zero.missing(mean).min(delta.missing(self.delta - mean));
        let all = self.count() + missing.ceil() as usize;
        let digit = 10_usize.pow(all.ilog10().saturating_sub(1));
        all.next_multiple_of(digit)
    }

    /// The mean of the differences, each cut at ± [`Unit::CUT`]; `None` without any.
    pub fn estimate(&self) -> Option<U> {
        let values = &self.against[0].values;
        (!values.is_empty()).then(|| U::new(values.iter().sum::<f64>() / values.len() as f64))
    }

    /// An interval that holds that mean, with a chance of at least 1 − α − β at all times at once:
    /// its lower end is ever above the mean with a chance of at most α, its upper end below it with
    /// at most β. The verdict "better" falls when it leaves 0 behind, "not better" when it leaves δ;
    /// what it has left it does not take in again.
    ///
    /// The wagers are laid out to tell 0 from δ, so it never becomes much narrower than δ.
    pub fn interval(&self) -> (U, U) {
        let [zero, delta] = &self.against;
        let lower = zero.bound(U::CUT);
        let upper = (self.delta - delta.bound(U::CUT + self.delta)).min(U::CUT);
        let (lower, upper) = match self.verdict() {
            Some(Verdict::Better) => (lower.max(0.0), upper),
            Some(Verdict::NotBetter) => (lower, upper.min(self.delta)),
            None => (lower, upper),
        };
        (U::new(lower), U::new(upper))
    }
}

#[cfg(test)]
pub(super) mod tests;
