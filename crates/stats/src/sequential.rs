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
//! variance: I. Waudby-Smith, A. Ramdas, *Estimating means of bounded random variables by betting*,
//! Journal of the Royal Statistical Society B 86 (2024), arXiv:2010.09686, section 4.
//!
//! Four pairs, with a low bound of 0 and a stake of 0.8 throughout:
//!
//! ```text
//! x         +0.3   +0.1   −0.2   +0.4
//! factor    1.24   1.08   0.84   1.32
//! K₀        1.24   1.34   1.12   1.48      the verdict "above" needs 1/0.05 = 20
//! ```
//!
//! The changes need a bound, so they are cut: see [`Objective::cut`]. A lower cut allows higher
//! stakes. For the sum of scores, x − low stands for change − low × base, so that μ is the change of
//! the sum, and the unit is A's mean score in all earlier pairs. The wagers skip the first
//! [`PILOT`] pairs, whose mean may be far off.
//!
//! # Stakes
//!
//! The capital has three shares; if none has a tendency to grow, their sum has none either. The
//! stake λ = a / E x² makes capital grow fastest if the mean is a; one pair can cost at most 0.8 of
//! the capital.
//!
//! * The first share aims at a mean of 2δ, a small change worth finding.
//! * The second aims at the absolute mean so far, but at least at δ. A first guess of 0.25 counts as
//!   15 pairs, so that the test finds a large change in a few dozen pairs.
//! * The third aims at the end of the comparison: with r rounds left, the stake √(2 ln m / (r E x²))
//!   is likely to multiply the share in time by the factor m that it lacks to win the wager (V.
//!   Voráček, F. Orabona, *STaR-Bets*, arXiv:2505.22422). It is small at first and becomes bold if
//!   the time runs out.
//!
//! After [`EARLY`] pairs, a large change would have been found, and the capital is shared out
//! again: more of it for the end. If the comparison continues after its last round, the third share
//! rests.
//!
//! The capital is computed by operations that have the same result on every machine.

use crate::Objective;

/// The maximum share of a wager's capital that a pair may cost. With a smaller share, the test would
/// need more pairs if all changes have a similar size. With a larger share, it would need more
/// pairs if a few large changes go against the wager.
const MAX_STAKE: f64 = 0.8;

/// A first guess of the mean, in the unit of a wager's values, and its weight in pairs.
const MEAN: (f64, f64) = (0.25, 15.0);

/// A first guess of the root mean square of a wager's values, as a share of the cut. It has the weight
/// of one pair.
const DEVIATION: f64 = 0.3;

/// The number of pairs that only determine the unit of a comparison by the sum of scores.
const PILOT: usize = 8;

/// The shares of the capital at first, and after [`EARLY`] pairs: see the [module](self).
const SHARES: [[f64; 3]; 2] = [[0.1, 0.6, 0.3], [0.3, 0.1, 0.6]];

/// The number of pairs after which a large change would have been found, for a cut of 1. With a higher cut, the stakes are
/// lower, and it takes as many times longer.
const EARLY: f64 = 60.0;

/// The minimum number of pairs for an estimate of the number of further pairs.
const MIN_PAIRS: f64 = 10.0;

/// The minimum number of pairs before a decision can be out of reach, and the number of standard deviations by which the
/// result of the remaining rounds would have to exceed its expectation.
const OUT_OF_REACH: (f64, f64) = (100.0, 2.0);

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The mean is above the low bound. If it is not, the chance of this verdict is at most α.
    Above,
    /// The mean is below the high bound. If it is not, the chance of this verdict is at most β.
    Below,
}

/// A test that receives pairs of games one by one.
#[derive(Debug, Clone)]
pub(crate) struct Sequential {
    objective: Objective,
    /// The low and the high bound, changes of the objective.
    bounds: [f64; 2],
    /// The number of rounds, which the test was given beforehand.
    rounds: usize,
    /// The number of pairs so far, and the sum of A's scores in them.
    pairs: usize,
    scores: f64,
    bets: Vec<Bet>,
    /// The wagers against a mean of at most the low bound, and of at least the high one.
    against: [Wager; 2],
    verdict: Option<Verdict>,
}

/// A pair on which the wagers have bet.
#[derive(Debug, Clone, Copy)]
struct Bet {
    /// The change of the pair, and its base: see [`Objective::cut`].
    change: f64,
    base: f64,
    /// True if the wagers shared out their capital again before this bet.
    is_reshared: bool,
    /// The stakes of the shares of each wager.
    stakes: [[f64; 3]; 2],
}

/// The constants of a wager that a mean is above 0: the mean of x − low, or that of high − x.
#[derive(Debug, Clone, Copy)]
struct Rules {
    /// The smallest change that matters: the high bound minus the low one.
    delta: f64,
    /// No value is below `-cut`.
    cut: f64,
    /// The largest base of a pair.
    max_base: f64,
    /// The capital at which the wager is won. A wager begins with a capital of 1.
    goal: f64,
}

/// A wager, with the sums of its values so far, which determine the next stakes.
#[derive(Debug, Clone, Copy)]
struct Wager {
    rules: Rules,
    shares: [f64; 3],
    /// The number of values, their sum, and the sum of their squares.
    count: f64,
    sum: f64,
    squares: f64,
}

/// Shares out the capital again.
fn reshare(shares: &mut [f64; 3]) {
    let capital: f64 = shares.iter().sum();
    *shares = SHARES[1].map(|share| share * capital);
}

/// Bets all shares of a capital on a value.
fn bet(shares: &mut [f64; 3], stakes: [f64; 3], value: f64) {
    for (share, stake) in shares.iter_mut().zip(stakes) {
        *share *= 1.0 + stake * value;
    }
}

impl Wager {
    fn new(rules: Rules) -> Self {
        let shares = SHARES[0];
        Self {
            rules,
            shares,
            count: 0.0,
            sum: 0.0,
            squares: 0.0,
        }
    }

    fn capital(&self) -> f64 {
        self.shares.iter().sum()
    }

    fn mean(&self) -> f64 {
        let (guess, pairs) = MEAN;
        (guess * pairs + self.sum) / (pairs + self.count)
    }

    /// Returns the mean square of the values so far. The first guess counts as one more value: see
    /// [`DEVIATION`].
    fn square(&self) -> f64 {
        let guess = DEVIATION * self.rules.cut;
        (guess * guess + self.squares) / (1.0 + self.count)
    }

    /// Returns the stakes of the shares for the next bet. `left` is the number of rounds left.
    ///
    /// If the mean is below 0, no stake makes the capital grow, but a high stake still narrows the
    /// interval, so the second share aims at the absolute mean.
    fn stakes(&self, left: f64) -> [f64; 3] {
        let (delta, square) = (self.rules.delta, self.square());
        let max = MAX_STAKE / self.rules.cut;
        let missing = (self.rules.goal - self.shares[0] - self.shares[1]) / self.shares[2];
        let to_the_end = if missing > 1.0 && left > 0.0 {
            libm::sqrt(2.0 * libm::log(missing) / (left * square))
        } else {
            0.0
        };
        let aims = [2.0 * delta, self.mean().abs().max(delta)];
        [aims[0] / square, aims[1] / square, to_the_end].map(|stake| stake.min(max))
    }

    /// Bets on a value with these stakes.
    fn add(&mut self, stakes: [f64; 3], value: f64) {
        bet(&mut self.shares, stakes, value);
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// Compares the sum of the next `left` values with the sum that wins the wager. Returns the
    /// expected difference in standard deviations.
    fn odds(&self, left: f64) -> f64 {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(f64::MIN_POSITIVE);
        let missing = libm::log((self.rules.goal / self.capital()).max(1.0));
        let expected = mean * libm::sqrt(left / variance) - libm::sqrt(2.0 * missing);
        expected / libm::sqrt(1.0 + left / self.count)
    }

    /// Estimates the number of values until the wager is won, if the mean of the values is `mean`.
    fn rounds_left(&self, mean: f64) -> f64 {
        let square = self.square();
        let stake = (mean / square).min(MAX_STAKE / self.rules.cut);
        let growth = stake * mean - stake * stake * square / 2.0;
        let missing = (self.rules.goal / self.capital()).max(1.0);
        if mean > 0.0 {
            libm::log(missing) / growth
        } else {
            f64::INFINITY
        }
    }
}

/// Maps a pair to the value of one of the two wagers.
fn value(side: usize, [low, high]: [f64; 2], bet: &Bet) -> f64 {
    match side {
        0 => bet.change - low * bet.base,
        _ => high * bet.base - bet.change,
    }
}

impl Sequential {
    /// Returns a test of the mean change of the objective, for a comparison of at most `rounds` pairs.
    /// The chance of a wrong [`Verdict::Above`] is at most `rates[0]`, and the chance of a wrong
    /// [`Verdict::Below`] at most `rates[1]`.
    ///
    /// # Panics
    /// If the low bound is above 0, the high bound is below 0, they are equal or differ by more than
    /// the cut, if an error rate is not above 0 and below 1, or if there are no rounds.
    pub(crate) fn new(
        objective: Objective,
        bounds: [f64; 2],
        rates: [f64; 2],
        rounds: usize,
    ) -> Self {
        let [low, high] = bounds;
        let (delta, cut) = (high - low, objective.max_change());
        assert!(low <= 0.0 && 0.0 <= high && rates.iter().all(|&rate| rate > 0.0 && rate < 1.0));
        assert!(delta > 0.0 && delta <= cut && rounds > 0);
        let max_base = match objective {
            Objective::Log => 1.0,
            Objective::Sum => cut,
        };
        Self {
            objective,
            bounds,
            rounds,
            pairs: 0,
            scores: 0.0,
            bets: Vec::new(),
            against: rates.map(|rate| {
                Wager::new(Rules {
                    delta,
                    cut,
                    max_base,
                    goal: 1.0 / rate,
                })
            }),
            verdict: None,
        }
    }

    /// Adds the points of the base and of the candidate in the next pair, and bets on it, unless the
    /// pair has no change or only determines the unit.
    pub(crate) fn add(&mut self, pair: [Option<u64>; 2]) {
        let usual = self.scores / (self.pairs.max(1) as f64);
        let is_pilot = self.objective == Objective::Sum && self.pairs < PILOT;
        let change = self.objective.cut(pair, usual).filter(|_| !is_pilot);
        self.scores += pair[0].unwrap_or(0) as f64;
        self.bet(change);
    }

    /// Bets on the next pair. `change` is its change with the base; `None` if there is nothing to bet on.
    pub(crate) fn bet(&mut self, change: Option<(f64, f64)>) {
        let left = self.left();
        self.pairs += 1;
        let Some((change, base)) = change else { return };
        let is_reshared = self.against[0].count == EARLY * self.objective.max_change();
        let mut bet = Bet {
            change,
            base,
            is_reshared,
            stakes: [[0.0; 3]; 2],
        };
        for (side, wager) in self.against.iter_mut().enumerate() {
            if is_reshared {
                reshare(&mut wager.shares);
            }
            bet.stakes[side] = wager.stakes(left);
            wager.add(bet.stakes[side], value(side, self.bounds, &bet));
        }
        self.bets.push(bet);
    }

    /// Returns the number of rounds left; 0 if the comparison continues after the last one.
    fn left(&self) -> f64 {
        self.rounds.saturating_sub(self.pairs) as f64
    }

    /// Returns the capitals of both wagers, as a share of the capital that decides a test of one
    /// candidate.
    pub(crate) fn evidence(&self) -> [f64; 2] {
        self.against.map(|wager| wager.capital() / wager.rules.goal)
    }

    /// Sets the verdict, which is final: later pairs only change the interval.
    pub(crate) fn decide(&mut self, verdict: Verdict) {
        self.verdict.get_or_insert(verdict);
    }

    /// Returns the verdict; `None` while the test is open.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// True if the rounds that are left will hardly lead to a verdict: see [`OUT_OF_REACH`].
    pub(crate) fn is_out_of_reach(&self) -> bool {
        let (pairs, deviations) = OUT_OF_REACH;
        let left = self.left();
        let both = self.against.iter();
        self.verdict.is_none()
            && left > 0.0
            && both
                .into_iter()
                .all(|wager| wager.count >= pairs && wager.odds(left) < -deviations)
    }

    /// Returns an interval of the mean [cut](Objective::cut) change of the score in percent. It contains
    /// the mean with a probability of at least 1 − α − β, however often the caller checks it: the
    /// chance that its lower end is ever above the mean is at most α, and the chance that its upper end
    /// is ever below the mean is at most β. After a verdict, it excludes the bound of the verdict.
    pub(crate) fn interval(&self) -> (f64, f64) {
        let ([low, high], cut) = (self.bounds, self.objective.max_change());
        // No change is below −1: changes of logarithms are cut there, and no player loses more
        // than its whole score.
        let mut lower = low + self.bound(0, -1.0 - low, cut - low);
        let mut upper = high - self.bound(1, high - cut, high + 1.0);
        match self.verdict {
            Some(Verdict::Above) => lower = lower.max(low),
            Some(Verdict::Below) => upper = upper.min(high),
            None => {}
        }
        // If one of the two wagers is wrong, their bounds can cross.
        let percent = |change| self.objective.percent(change);
        (percent(lower.min(upper)), percent(upper.max(lower)))
    }

    /// Returns a lower confidence bound of the mean of a wager's values, between `low` and `high`, by
    /// bisection.
    ///
    /// The bound is the largest m for which the wager "the mean is above m" is won. The values of
    /// this wager are `value - m * base`; its stakes are those of the wager "the mean is above 0", so
    /// that its capital falls as m rises. Returns `low` if the wager is not won for any m.
    fn bound(&self, side: usize, mut low: f64, mut high: f64) -> f64 {
        let rules = self.against[side].rules;
        let is_won = |mean: f64| {
            let max = MAX_STAKE / (rules.cut + mean.max(0.0) * rules.max_base);
            let mut shares = SHARES[0];
            for one in &self.bets {
                if one.is_reshared {
                    reshare(&mut shares);
                }
                let stakes = one.stakes[side].map(|stake| stake.min(max));
                bet(
                    &mut shares,
                    stakes,
                    value(side, self.bounds, one) - mean * one.base,
                );
            }
            shares.iter().sum::<f64>() >= rules.goal
        };
        if !is_won(low) {
            return low;
        }
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if is_won(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Estimates the number of pairs until a verdict, as an interval: for a mean one standard error
    /// above and below the mean so far. `None` before the tenth pair. The upper end is infinite if the lower or higher mean
    /// leads to no verdict.
    pub(crate) fn rounds_left(&self) -> Option<(f64, f64)> {
        let [above, _] = &self.against;
        let (count, sum) = (above.count, above.sum);
        if count < MIN_PAIRS {
            return None;
        }
        let base = self.bets.iter().map(|bet| bet.base).sum::<f64>() / count;
        let width = (self.bounds[1] - self.bounds[0]) * base;
        let mean = sum / count;
        let variance = above.squares / count - mean * mean;
        let error = libm::sqrt(variance.max(0.0) / count);
        let rounds = [mean - error, mean, mean + error].map(|mean| {
            let both = [
                above.rounds_left(mean),
                self.against[1].rounds_left(width - mean),
            ];
            both[0].min(both[1])
        });
        let bound = |f: fn(f64, f64) -> f64| rounds[0..].iter().copied().reduce(f);
        Some((bound(f64::min)?, bound(f64::max)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stakes_match_a_calculation_by_hand() {
        let mut test = Sequential::new(Objective::Log, [0.0, 0.1], [0.05; 2], 100);
        test.bet(Some((1.0, 1.0)));
        test.bet(Some((-1.0, 1.0)));
        // The first guesses are a mean of 0.25 and a mean square of 0.09: stakes of 0.2 / 0.09 and 0.25 / 0.09, at most 0.8.
        // The third share, 0.3, needs 20 − 0.7 at the end of 100 rounds; its stake is at the maximum too.
        assert!((2.0 * (19.3_f64 / 0.3).ln() / (100.0 * 0.09)).sqrt() > 0.8);
        // Then the shares are 1.8 times as high, the mean is (15 × 0.25 + 1) / 16 and the mean square (0.09 + 1) / 2.
        let missing: f64 = (20.0 - 1.8 * 0.7) / (1.8 * 0.3);
        let to_the_end = (2.0 * missing.ln() / (99.0 * 0.545)).sqrt();
        let stakes = [0.2 / 0.545, 4.75 / 16.0 / 0.545, to_the_end];
        let shares = [0.1, 0.6, 0.3].iter().zip(stakes);
        let expected: Vec<f64> = shares
            .map(|(share, stake)| share * 1.8 * (1.0 - stake))
            .collect();
        for (share, expected) in test.against[0].shares.iter().zip(expected) {
            assert!((share - expected).abs() < 1e-15, "{share} {expected}");
        }
    }

    #[test]
    fn the_last_share_bets_only_while_rounds_are_left() {
        let mut test = Sequential::new(Objective::Log, [0.0, 0.1], [0.05; 2], 3);
        for (left, bets_to_the_end) in [
            (3.0, true),
            (2.0, true),
            (1.0, true),
            (0.0, false),
            (0.0, false),
        ] {
            assert_eq!(test.left(), left);
            test.bet(Some((0.1, 1.0)));
            assert_eq!(
                test.bets.last().unwrap().stakes[0][2] > 0.0,
                bets_to_the_end
            );
        }
        test.bet(None);
        assert_eq!((test.pairs, test.bets.len()), (6, 5));
    }
}
