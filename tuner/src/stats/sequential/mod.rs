//! A paired comparison that may be checked after every pair.
//!
//! The question about the mean change μ of some pairs: is it above a low bound, or below a high
//! one? To find an improvement of at least δ the bounds are 0 and δ; to show that a simplification
//! costs less than δ they are −δ and 0. The test keeps two wagers. The one against "μ ≤ low" has
//! the capital
//!
//! ```text
//! K₀(n) = Π (1 + λᵢ (xᵢ − low))
//! ```
//!
//! and the one against "μ ≥ high" has K₁(n) = Π (1 + λᵢ (high − xᵢ)), where every stake λᵢ is
//! chosen before xᵢ is seen and no factor can be negative. Where its hypothesis holds, a wager's
//! capital has no tendency to grow, and by Ville's inequality the chance that it *ever* reaches 1/α
//! is at most α. So the verdict [`Verdict::Above`] falls when K₀ ≥ 1/α, [`Verdict::Below`] when
//! K₁ ≥ 1/β: the user may check at any time and stop at any time. This holds for every
//! distribution, skewed or heavy-tailed, whatever its variance: the source is I. Waudby-Smith, A.
//! Ramdas, *Estimating means of bounded random variables by betting*, Journal of the Royal
//! Statistical Society B 86 (2024), arXiv:2010.09686, section 4.
//!
//! Four pairs, with a low bound of 0 and a stake of 0.8 throughout:
//!
//! ```text
//! x         +0.3   +0.1   −0.2   +0.4
//! factor    1.24   1.08   0.84   1.32
//! K₀        1.24   1.34   1.12   1.48      "above" falls at 1/0.05 = 20
//! ```
//!
//! The differences must have a bound, and so they are cut: see [`Unit::cut`]. The lower the cut,
//! the more may be staked. A difference of scores also needs a scale, the usual score; the first
//! `PILOT` pairs give it and are not wagered on. There x − m stands for gain − m × base
//! ([`Difference`]), so that μ is the change of the sum of scores.
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

use crate::units::{change, Difference, Objective, Unit};
use serde::{Deserialize, Serialize};

/// The largest share of a wager's capital that a pair may cost. A smaller one would be slow where
/// the differences are even, a larger one where there are rare great losses.
const MOST: f64 = 0.8;

/// A first guess of the mean, and the number of pairs that it counts as.
const MEAN: (f64, f64) = (0.25, 15.0);

/// A first guess of the standard deviation, as a share of the cut; it counts as one pair.
const DEVIATION: f64 = 0.3;

/// Pairs that give the usual score of a comparison by the sum of scores.
const PILOT: usize = 8;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The mean is above the low bound. If it is not, this verdict falls with a chance of at most α.
    Above,
    /// The mean is below the high bound. If it is not, this verdict falls with a chance of at most
    /// β.
    Below,
}

/// A test that takes pairs of games one by one.
#[derive(Debug, Clone)]
pub struct Sequential {
    unit: Unit,
    /// The low and the high bound, changes of the objective.
    bounds: [f64; 2],
    /// The points of the base and of the candidate in the first pairs, until the unit is known.
    pilot: Vec<(u64, u64)>,
    differences: Vec<Difference>,
    /// The wagers against a mean of at most the low bound, and of at least the high one.
    against: [Wager; 2],
    verdict: Option<Verdict>,
}

/// A wager on the mean of some values being above 0.
#[derive(Debug, Clone)]
struct Wager {
    /// The difference that matters.
    delta: f64,
    /// No value is below minus this number.
    lowest: f64,
    /// The least and the largest base of a value.
    bases: [f64; 2],
    /// The capital at which the wager is won; it begins at 1.
    goal: f64,
    /// The values, each with its base.
    values: Vec<(f64, f64)>,
    stand: Stand,
}

/// The state of a wager.
#[derive(Debug, Clone, Copy)]
struct Stand {
    /// The halves of the capital, which begins at 1: see [`Wager::aims`].
    halves: [f64; 2],
    /// The number of values, their sum, and the sum of their squares.
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
    fn new(error_rate: f64, delta: f64, unit: Unit) -> Self {
        Self {
            delta,
            lowest: unit.cut(),
            bases: unit.bases(),
            goal: 1.0 / error_rate,
            values: Vec::new(),
            stand: Stand::FIRST,
        }
    }

    /// The means for which the halves grow fastest after values of the mean `seen`. A mean below 0
    /// lets neither grow, but the higher the stake, the narrower the interval.
    fn aims(&self, seen: f64) -> [f64; 2] {
        [2.0 * self.delta, seen.abs().max(self.delta)]
    }

    /// The mean of the squares so far.
    fn square(&self, stand: &Stand) -> f64 {
        ((DEVIATION * self.lowest).powi(2) + stand.squares) / (1.0 + stand.count)
    }

    /// The stake of a half on a value less `mean` times its base, chosen from earlier values.
    fn stake(&self, aim: f64, stand: &Stand, mean: f64) -> f64 {
        let base = self.bases[usize::from(mean > 0.0)];
        let lowest = (self.lowest + mean * base).max(f64::MIN_POSITIVE);
        (aim / self.square(stand)).min(MOST / lowest)
    }

    /// Bets on a value less `mean` times its base.
    fn bet(&self, stand: &mut Stand, (value, base): (f64, f64), mean: f64) {
        let before = *stand;
        for (half, aim) in stand.halves.iter_mut().zip(self.aims(before.mean())) {
            *half *= 1.0 + self.stake(aim, &before, mean) * (value - mean * base);
        }
        stand.count += 1.0;
        stand.sum += value;
        stand.squares += value * value;
    }

    /// Takes a value with its base. Returns true if the wager is won.
    fn add(&mut self, value: f64, base: f64) -> bool {
        let mut stand = self.stand;
        self.bet(&mut stand, (value, base), 0.0);
        self.stand = stand;
        self.values.push((value, base));
        stand.capital() >= self.goal
    }

    /// The largest number from `low` to `high` that the mean has been shown to be no smaller than:
    /// the wager on the values less that number is still won.
    fn bound(&self, mut low: f64, mut high: f64) -> f64 {
        let won = |mean: f64| {
            let mut stand = Stand::FIRST;
            for &value in &self.values {
                self.bet(&mut stand, value, mean);
            }
            stand.capital() >= self.goal
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

    /// About the number of values at which the wager is won, if its capital goes on to grow as so
    /// far; `None` if it does not grow.
    fn about(&self) -> Option<f64> {
        let growth = libm::log(self.stand.capital()) / self.stand.count;
        (growth > 0.0).then(|| libm::log(self.goal) / growth)
    }
}

impl Sequential {
    /// A test of the mean change of the objective. It wrongly says "above the low bound" with a
    /// chance of at most `alpha`, and wrongly "below the high bound" with at most `beta`.
    ///
    /// # Panics
    /// If the bounds are not a low one of at most 0 and a high one of at least 0 that differ by at
    /// most the [cut](Unit::cut), or if an error rate is not above 0 and below 1.
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
            differences: Vec::new(),
            against: [alpha, beta].map(|rate| Wager::new(rate, delta, unit)),
            verdict: None,
        }
    }

    /// Takes the points of the base and of the candidate in the next pair. The first verdict stays;
    /// later pairs count in [`Sequential::estimate`] only.
    pub fn add(&mut self, base: u64, points: u64) -> Option<Verdict> {
        if self.unit.objective == Objective::Log || self.pilot.len() == PILOT {
            return self.bet(self.unit.difference(base, points));
        }
        self.pilot.push((base, points));
        let bases = self.pilot.iter().map(|&(base, _)| base as f64);
        self.unit.usual = bases.sum::<f64>() / self.pilot.len() as f64;
        let differences = self.pilot.iter();
        let differences = differences.map(|&(base, points)| self.unit.difference(base, points));
        self.differences = differences.collect();
        None
    }

    /// Takes the next difference.
    pub(super) fn bet(&mut self, difference: Difference) -> Option<Verdict> {
        let Difference { gain, base } = difference;
        let ([low, high], [against_low, against_high]) = (self.bounds, &mut self.against);
        let above = against_low.add(gain - low * base, base);
        let above = above.then_some(Verdict::Above);
        let below = against_high.add(high * base - gain, base);
        let below = below.then_some(Verdict::Below);
        self.differences.push(difference);
        self.verdict = self.verdict.or(above).or(below);
        self.verdict
    }

    /// The verdict, if there is one yet.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The number of pairs so far.
    pub fn count(&self) -> usize {
        self.differences.len()
    }

    /// The unit of the differences.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// About the number of pairs at the verdict, in two digits, if the wagers go on to grow as so far;
    /// `None` if they do not.
    pub fn about(&self) -> Option<usize> {
        let both = self.against.iter().filter_map(Wager::about);
        let about = both.min_by(f64::total_cmp)?.min(1e9).ceil() as usize;
        let digit = 10_usize.pow(about.ilog10().saturating_sub(1));
        Some(about.next_multiple_of(digit).max(self.count()))
    }

    /// The change of the score so far in percent, each difference cut; `None` without any. See
    /// [`Unit::estimate`].
    pub fn estimate(&self) -> Option<f64> {
        let (change, _) = change(&self.differences);
        (!self.differences.is_empty()).then(|| self.unit.objective.percent(change))
    }

    /// An interval that holds the mean change of the score in percent, with a chance of at least 1 − α − β
    /// however often it is checked: its lower end is ever above the mean with a chance of at most α,
    /// its upper end below it with at most β. The verdict falls when the interval leaves a bound
    /// behind; what it has left it does not take in again.
    ///
    /// The wagers are laid out to tell the bounds apart, so the interval never becomes much narrower
    /// than their distance.
    pub fn interval(&self) -> (f64, f64) {
        let ([low, high], cut) = (self.bounds, self.unit.cut());
        let [against_low, against_high] = &self.against;
        // Logarithms or shares: nothing loses more than all of its score.
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
pub(super) mod tests;
