//! A bet on the mean of values that come one by one, which may be checked after each of them.
//!
//! A wager bets that the mean of the values is above 0. It begins with a capital of 1, and a value x
//! multiplies the capital by 1 + λ x, where the stake λ is chosen before x is known, and no factor is
//! negative. If the mean is not above 0, the capital has no tendency to grow (it is a supermartingale). By
//! Ville's inequality, the chance that it *ever* reaches 1/α is then at most α. So a capital of 1/α wins the
//! wager, whenever the caller checks it. This holds for every distribution, skewed or heavy-tailed, of any
//! variance: I. Waudby-Smith, A. Ramdas, *Estimating means of bounded random variables by betting*, Journal
//! of the Royal Statistical Society B 86 (2024), arXiv:2010.09686, section 4.
//!
//! Four values, with a stake of 0.8 throughout:
//!
//! ```text
//! x         +0.3   +0.1   −0.2   +0.4
//! factor    1.24   1.08   0.84   1.32
//! capital   1.24   1.34   1.12   1.48      1/0.05 = 20 wins the wager
//! ```
//!
//! # Stakes
//!
//! The capital is split into shares that bet independently; if none has a tendency to grow, their sum has
//! none either. The capital grows fastest with a stake of E x / E x², which is unknown. The first shares keep
//! constant stakes, each half of the previous one ([`STAKES`]): one of them is near the best stake. The last
//! share aims at the end of the comparison. With r rounds left, a stake of √(2 ln m / (r E x²)) is likely to
//! multiply the share in time by the factor m that it lacks to win the wager (V. Voráček, F. Orabona,
//! *STaR-Bets*, arXiv:2505.22422). It is small at first and becomes bold if the time runs out. If the
//! comparison continues after its last round, the last share rests.
//!
//! All operations have the same result on every machine.

/// The maximum share of the capital that one value can cost.
const MAX_STAKE: f64 = 0.9;

/// The constant stakes, as multiples of the largest one.
const STAKES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];

/// The shares of the capital at first: one for each of [`STAKES`], and the last one.
const SHARES: [f64; 5] = [0.45, 0.08, 0.04, 0.03, 0.4];

/// The stake of the last share, as a multiple of the one that is likely to reach the goal in time: a little
/// caution leaves more for the end.
const CAUTION: f64 = 0.9;

/// A first guess of the root mean square of the values, as a share of the largest loss. It counts as one
/// value.
const FIRST_RMS: f64 = 0.3;

/// A wager that the mean of some values is above 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wager {
    /// No value is below minus this number.
    max_loss: f64,
    /// The capital that wins the wager.
    goal: f64,
    /// True once the wager is won.
    pub(crate) is_won: bool,
    shares: [f64; 5],
    /// The number of values, their sum, and the sum of their squares.
    count: f64,
    sum: f64,
    squares: f64,
}

impl Wager {
    /// Returns a wager without values, which is won with a chance of at most `rate` if the mean is not above
    /// 0.
    pub(crate) fn new(max_loss: f64, rate: f64) -> Self {
        let (goal, shares) = (1.0 / rate, SHARES);
        Self {
            max_loss,
            goal,
            is_won: false,
            shares,
            count: 0.0,
            sum: 0.0,
            squares: 0.0,
        }
    }

    /// Returns the capital as a share of the goal.
    pub(crate) fn evidence(&self) -> f64 {
        self.shares.iter().sum::<f64>() / self.goal
    }

    /// Returns the number of values so far.
    pub(crate) fn count(&self) -> f64 {
        self.count
    }

    /// Bets on the next value. `left` is the number of rounds left, 0 after the last one. Returns the stake
    /// of the last share.
    pub(crate) fn add(&mut self, value: f64, left: f64) -> f64 {
        let guess = FIRST_RMS * self.max_loss;
        let mean_square = (guess * guess + self.squares) / (1.0 + self.count);
        let constant: f64 = self.shares[..4].iter().sum();
        let missing = (self.goal - constant) / self.shares[4];
        let stake = if left > 0.0 && missing > 1.0 {
            CAUTION * libm::sqrt(2.0 * libm::log(missing) / (left * mean_square))
        } else {
            0.0
        };
        bet(&mut self.shares, self.max_loss, stake, value);
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
        stake
    }

    /// True if the goal is reached by a wager with these values, the stakes of whose last share were chosen
    /// for other values.
    pub(crate) fn would_be_won(
        &self,
        max_loss: f64,
        values: impl Iterator<Item = (f64, f64)>,
    ) -> bool {
        let mut shares = SHARES;
        values.for_each(|(stake, value)| bet(&mut shares, max_loss, stake, value));
        shares.iter().sum::<f64>() >= self.goal
    }

    /// Estimates the number of values until the wager is won, if the mean of further values exceeds the mean
    /// so far by this number of standard errors.
    pub(crate) fn rounds_left(&self, errors: f64) -> f64 {
        let (mean, mean_square) = (self.sum / self.count, self.squares / self.count);
        let variance = (mean_square - mean * mean).max(0.0);
        let mean = mean + errors * libm::sqrt(variance / self.count);
        let stake = (mean / mean_square).min(MAX_STAKE / self.max_loss);
        let growth = stake * mean - stake * stake * mean_square / 2.0;
        let missing = -libm::log(self.evidence().min(1.0));
        if mean > 0.0 {
            missing / growth
        } else {
            f64::INFINITY
        }
    }
}

/// Bets all shares on a value. `stake` is that of the last share.
fn bet(shares: &mut [f64; 5], max_loss: f64, stake: f64, value: f64) {
    let max = MAX_STAKE / max_loss;
    for (share, stake) in shares.iter_mut().zip(STAKES) {
        *share *= 1.0 + stake * max * value;
    }
    shares[4] *= 1.0 + stake.min(max) * value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capital_matches_a_calculation_by_hand() {
        let mut wager = Wager::new(1.0, 0.05);
        // The first guess of the mean square is 0.09. The last share, 0.4, needs 20 − 0.6 in 100 rounds.
        let stake = 0.9 * (2.0 * (19.4_f64 / 0.4).ln() / (100.0 * 0.09)).sqrt();
        assert!((wager.add(0.5, 100.0) - stake).abs() < 1e-12);
        let shares = [0.45, 0.08, 0.04, 0.03, 0.4];
        let stakes = [0.9, 0.45, 0.225, 0.1125, stake];
        let shares: Vec<f64> = (0..5)
            .map(|i| shares[i] * (1.0 + stakes[i] * 0.5))
            .collect();
        assert!((wager.evidence() - shares.iter().sum::<f64>() / 20.0).abs() < 1e-12);
        let missing = (20.0 - shares[..4].iter().sum::<f64>()) / shares[4];
        let stake = 0.9 * (2.0 * missing.ln() / (99.0 * (0.09 + 0.25) / 2.0)).sqrt();
        assert!((wager.add(-1.0, 99.0) - stake).abs() < 1e-12);
        let stakes = [0.9, 0.45, 0.225, 0.1125, stake];
        let capital: f64 = (0..5).map(|i| shares[i] * (1.0 - stakes[i])).sum();
        assert!((wager.evidence() - capital / 20.0).abs() < 1e-12);
        assert_eq!(
            wager.add(0.5, 0.0),
            0.0,
            "the last share rests after the last round"
        );
    }
}
