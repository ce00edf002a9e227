//! A bet on the mean of a sequence of changes. The caller may check it after each change.
//!
//! A wager bets that the mean change is above a bound, or that it is below the bound. It begins with a
//! capital of 1. A change that is beyond the bound by x multiplies the capital by 1 + λ x. The stake λ is
//! chosen before x is known, and small enough that no factor is negative. If the mean of x is at most 0, the
//! capital is a supermartingale: it does not tend to grow. By Ville's inequality, the chance that it *ever*
//! reaches 1/α is then at most α. So a capital of 1/α wins the wager at any check. This holds for every
//! distribution, skewed or heavy-tailed, of any variance: I. Waudby-Smith, A. Ramdas, *Estimating means of
//! bounded random variables by betting*, Journal of the Royal Statistical Society B 86 (2024),
//! arXiv:2010.09686, section 4.
//!
//! Four changes, a wager that their mean is above 0.1, and a stake of 0.8 throughout:
//!
//! ```text
//! change    +0.4   +0.2   −0.1   +0.5
//! x         +0.3   +0.1   −0.2   +0.4
//! factor    1.24   1.08   0.84   1.32
//! capital   1.24   1.34   1.12   1.48      1/0.05 = 20 wins the wager
//! ```
//!
//! With the same stakes and a higher bound, the capital is lower. The highest bound for which it reaches 1/α
//! is the lower end of an interval for the mean: see [`Wager::won_bound`].
//!
//! # Stakes
//!
//! The capital is split into shares that bet independently; if none of them tends to grow, neither does their
//! sum. The capital grows fastest with a stake of E x / E x², which is unknown. The first shares keep
//! constant stakes, each half of the previous one ([`STAKES`]): one of them is near the best stake. The last
//! share aims to win by the end of the comparison. If the share must grow by a factor of m in the r rounds
//! that are left, a stake of √(2 ln m / (r E x²)) is likely to be enough (V. Voráček, F. Orabona,
//! *STaR-Bets*, arXiv:2505.22422). This stake is small at first, and grows as the rounds run out. If the
//! comparison continues after its last round, the last share stops betting.
//!
//! All operations give the same result on every machine.

/// The maximum share of the capital that a single change can cost.
const MAX_STAKE: f64 = 0.9;

/// The constant stakes, as multiples of the largest one.
const STAKES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];

/// The initial shares of the capital: one for each of [`STAKES`], and the last share.
const SHARES: [f64; 5] = [0.45, 0.08, 0.04, 0.03, 0.4];

/// The stake of the last share, as a multiple of the stake that is likely to reach the goal in time. A value
/// below 1 leaves more capital for the end.
const STAKE_FACTOR: f64 = 0.9;

/// A first guess of the root mean square of x, as a share of the maximum change. The guess weighs as much as
/// one change.
const PRIOR_RMS: f64 = 0.3;

/// A change and its base. The mean change is the sum of the changes divided by the sum of their bases.
pub(crate) type ChangeAndBase = [f64; 2];

/// A wager that the mean change is above a bound, or below it.
#[derive(Debug, Clone)]
pub(crate) struct Wager {
    /// 1 for "above the bound", −1 for "below the bound".
    side: f64,
    bound: f64,
    /// An upper bound on the absolute value of a change, and also on its base.
    max_change: f64,
    /// A capital of this size wins the wager. With several candidates, less may be enough: see `add_case`.
    goal: f64,
    pub(crate) is_won: bool,
    shares: [f64; 5],
    /// The changes so far, each with the stake of the last share.
    bets: Vec<(ChangeAndBase, f64)>,
    /// The sum of x over all bets.
    sum: f64,
    /// The sum of x² over all bets.
    squares: f64,
}

impl Wager {
    /// Creates a wager without bets. If the mean is at the bound or on the wrong side of it, the chance that
    /// the capital ever reaches the goal, 1 / `rate`, is at most `rate`.
    ///
    /// # Panics
    /// If `rate` is not between 0 and 1.
    pub(crate) fn new(side: f64, bound: f64, max_change: f64, rate: f64) -> Self {
        assert!(0.0 < rate && rate < 1.0, "a rate is between 0 and 1");
        Self {
            side,
            bound,
            max_change,
            goal: 1.0 / rate,
            is_won: false,
            shares: SHARES,
            bets: Vec::new(),
            sum: 0.0,
            squares: 0.0,
        }
    }

    /// Returns the capital as a share of the goal.
    pub(crate) fn capital_share(&self) -> f64 {
        self.shares.iter().sum::<f64>() / self.goal
    }

    pub(crate) fn bet_count(&self) -> f64 {
        self.bets.len() as f64
    }

    /// Bets on the next change. `rounds_left` is the number of remaining rounds, 0 after the last round.
    pub(crate) fn bet(&mut self, change: ChangeAndBase, rounds_left: f64) {
        let prior_rms = PRIOR_RMS * self.max_change;
        let mean_square = (prior_rms * prior_rms + self.squares) / (1.0 + self.bet_count());
        let constant: f64 = self.shares[..4].iter().sum();
        let missing = ((self.goal - constant) / self.shares[4]).max(1.0);
        let needed =
            STAKE_FACTOR * libm::sqrt(2.0 * libm::log(missing) / (rounds_left * mean_square));
        let stake = if rounds_left > 0.0 { needed } else { 0.0 };
        let x = self.excess(self.bound, change);
        multiply(&mut self.shares, self.max_change, stake, x);
        self.bets.push((change, stake));
        self.sum += x;
        self.squares += x * x;
    }

    /// Returns the distance by which a change is beyond a bound; negative if it is not.
    fn excess(&self, bound: f64, [change, base]: ChangeAndBase) -> f64 {
        self.side * (change - bound * base)
    }

    /// True if, with `bound` in place of the wager's own bound, the capital would now be at or above the
    /// goal.
    pub(crate) fn is_won_at(&self, bound: f64) -> bool {
        // A change can fall short of a farther bound by a larger amount, so the stakes are smaller there.
        let extra_distance = (self.side * (bound - self.bound)).max(0.0);
        let max_shortfall = self.max_change * (1.0 + extra_distance);
        let mut shares = SHARES;
        for &(change, stake) in &self.bets {
            let x = self.excess(bound, change);
            multiply(&mut shares, max_shortfall, stake, x);
        }
        shares.iter().sum::<f64>() >= self.goal
    }

    /// Returns the farthest bound at which the wager would be won, from −1 to the maximum change. If the
    /// wager is won, the result is at least as far as the wager's own bound, even if the wager was won with
    /// less capital than the goal.
    pub(crate) fn won_bound(&self) -> f64 {
        // The mean is at least −1: changes in logarithms are clipped there, and no player loses more than its
        // whole score.
        let (mut won, mut open) = (-1.0, self.max_change);
        if self.side < 0.0 {
            (won, open) = (open, won);
        }
        if self.is_won {
            won = self.bound;
        }
        // The farther the bound, the lower the capital, so bisection finds the last bound that is won.
        for _ in 0..50 {
            let middle = f64::midpoint(won, open);
            if self.is_won_at(middle) {
                won = middle;
            } else {
                open = middle;
            }
        }
        won
    }

    /// Estimates the number of changes until the wager is won, if the mean of further changes is
    /// `standard_errors` standard errors above the mean so far.
    pub(crate) fn rounds_to_win(&self, standard_errors: f64) -> f64 {
        let (mean, mean_square) = (self.sum / self.bet_count(), self.squares / self.bet_count());
        let variance = (mean_square - mean * mean).max(0.0);
        // Without a positive mean, the capital does not grow: the result is infinite.
        let mean = (mean + standard_errors * libm::sqrt(variance / self.bet_count())).max(0.0);
        let stake = (mean / mean_square).min(MAX_STAKE / self.max_change);
        let growth = stake * mean - stake * stake * mean_square / 2.0;
        -libm::log(self.capital_share().min(1.0)) / growth
    }
}

/// Multiplies each share by its factor for a change that is beyond the bound by `x`, which is at least
/// `-max_shortfall`. `stake` is the stake of the last share.
fn multiply(shares: &mut [f64; 5], max_shortfall: f64, stake: f64, x: f64) {
    let max = MAX_STAKE / max_shortfall;
    for (share, stake) in shares.iter_mut().zip(STAKES) {
        *share *= 1.0 + stake * max * x;
    }
    shares[4] *= 1.0 + stake.min(max) * x;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capital_matches_a_calculation_by_hand() {
        let mut wager = Wager::new(1.0, 0.5, 1.0, 0.05);
        let mut stake = |change: f64, left: f64| {
            wager.bet([change, 1.0], left);
            (wager.bets[wager.bets.len() - 1].1, wager.capital_share())
        };
        // The first guess of the mean square is 0.09. In 100 rounds, the last share must grow from 0.4 to
        // 19.4: the goal of 20, minus the 0.6 of the other shares.
        let expected = 0.9 * (2.0 * (19.4_f64 / 0.4).ln() / (100.0 * 0.09)).sqrt();
        let (first, capital_share) = stake(1.0, 100.0);
        assert!((first - expected).abs() < 1e-12);
        let shares = [0.45, 0.08, 0.04, 0.03, 0.4];
        let stakes = [0.9, 0.45, 0.225, 0.1125, first];
        let shares: Vec<f64> = (0..5)
            .map(|i| shares[i] * (1.0 + stakes[i] * 0.5))
            .collect();
        assert!((capital_share - shares.iter().sum::<f64>() / 20.0).abs() < 1e-12);
        let missing = (20.0 - shares[..4].iter().sum::<f64>()) / shares[4];
        let expected = 0.9 * (2.0 * missing.ln() / (99.0 * (0.09 + 0.25) / 2.0)).sqrt();
        let (second, capital_share) = stake(-0.5, 99.0);
        assert!((second - expected).abs() < 1e-12);
        let stakes = [0.9, 0.45, 0.225, 0.1125, second];
        let capital: f64 = (0..5).map(|i| shares[i] * (1.0 - stakes[i])).sum();
        assert!((capital_share - capital / 20.0).abs() < 1e-12);
        let (last, _) = stake(1.0, 0.0);
        assert_eq!(last, 0.0, "the last share rests after the last round");
    }

    /// The mirror image of a wager has the limit with the opposite sign.
    #[test]
    fn the_limit_is_the_farthest_bound_that_would_be_won() {
        let limits = [1.0, -1.0].map(|side| {
            let mut wager = Wager::new(side, 0.0, 1.0, 0.05);
            assert_eq!(wager.won_bound(), if side > 0.0 { -1.0 } else { 1.0 });
            for round in 0..100 {
                wager.bet([side * [0.4, -0.1][round % 2], 1.0], (100 - round) as f64);
            }
            let limit = wager.won_bound();
            // A wager that was won with less capital than the goal excludes its own bound.
            let mut poor = Wager::new(side, 0.3, 1.0, 0.05);
            poor.is_won = true;
            assert_eq!(poor.won_bound(), 0.3);
            limit
        });
        assert!(0.05 < limits[0] && limits[0] < 0.15, "{limits:?}");
        assert!((limits[0] + limits[1]).abs() < 1e-12, "{limits:?}");
    }

    /// The farther the bound, the more a change can fall short of it, so the stakes are smaller at farther
    /// bounds. Otherwise a factor would be below −1, and an even number of losses would win.
    #[test]
    fn the_largest_losses_win_at_no_bound() {
        let mut wager = Wager::new(1.0, 0.0, 4.0, 0.05);
        for round in 0..10 {
            wager.bet([-4.0, 4.0], f64::from(10 - round));
        }
        assert!(!wager.is_won_at(0.0) && !wager.is_won_at(4.0));
        assert_eq!(wager.won_bound(), -1.0);
    }
}
