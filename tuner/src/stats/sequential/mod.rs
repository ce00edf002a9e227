//! A paired comparison that may be looked at after every pair.
//!
//! The question about differences x₁, x₂, … (of log scores, say) with mean μ is: better by at least
//! δ, or not better? The test keeps two wagers. The one against "μ ≤ 0" has the capital
//!
//! ```text
//! K₀(n) = Π (1 + λᵢ xᵢ)
//! ```
//!
//! and the one against "μ ≥ δ" has K₁(n) = Π (1 + λᵢ (δ − xᵢ)), where every λᵢ is chosen before
//! xᵢ is seen and no factor can be negative. Where its hypothesis holds, a wager's capital has no
//! tendency to grow, and by Ville's inequality the chance that it *ever* reaches 1/α is at most α.
//! So the verdict [`Verdict::Better`] falls when K₀ ≥ 1/α, [`Verdict::NotBetter`] when K₁ ≥ 1/β:
//! the user may look at any time and stop at any time. This holds for every distribution, skewed or
//! heavy-tailed, whatever its variance: the source is I. Waudby-Smith, A. Ramdas, *Estimating means
//! of bounded random variables by betting*, Journal of the Royal Statistical Society B 86 (2024),
//! arXiv:2010.09686, section 4.
//!
//! The differences must have a bound. They are cut at ± ln 10 ([`CUT`]): a game lost by more than
//! a factor of ten counts as lost by ten, and μ is the mean of the differences so cut.
//!
//! The stake is λ = δ / E x², under which capital grows fastest if the mean is δ, but at most 0.39
//! (0.9 / ln 10). If that does not limit it (δ up to 0.39 σ²), the test is about as fast as Wald's
//! for a known variance: 6 σ²/δ² pairs at α = β = 0.05 where μ is 0 or δ; a fixed number of pairs
//! with these error rates is 10.8 σ²/δ². With differences of little variance it takes longer, 8/δ
//! pairs even where all of them are 0: this number is needed to rule out that one game in a hundred
//! is lost altogether and that none of those was seen yet. For 0 < μ < δ either verdict is right.
//!
//! If differences larger than δ are expected, [`Sequential::aimed_at`] stakes on several at once.

/// The bound at which differences of log scores are cut: ln 10, a factor of ten.
pub const CUT: f64 = std::f64::consts::LN_10;

/// The most of the capital that a difference may cost: all but a tenth.
const MOST: f64 = 0.9;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The mean difference is above 0. If it is not, this verdict falls with a chance of at most α.
    Better,
    /// The mean difference is below δ. If it is not, this verdict falls with a chance of at most β.
    NotBetter,
}

/// A test that takes differences one by one.
#[derive(Debug, Clone)]
pub struct Sequential {
    delta: f64,
    cut: f64,
    /// The wagers against a mean of at most 0 and against one of at least δ; the latter is on δ −
    /// x.
    against: [Wager; 2],
    verdict: Option<Verdict>,
}

/// Wagers on the mean of some values being above 0.
#[derive(Debug, Clone)]
struct Wager {
    /// The logarithm of the capital at which the wager is won.
    goal: f64,
    /// No value is below minus this number.
    lowest: f64,
    /// The values so far.
    values: Vec<f64>,
    /// The sum of their squares and of a first guess, which counts as one value.
    squares: f64,
    /// Equal parts of the capital, each with stakes of its own.
    parts: Vec<Part>,
}

/// A part of the capital.
#[derive(Debug, Clone)]
struct Part {
    /// The mean for which it grows fastest.
    aim: f64,
    /// The stake on each value so far.
    stakes: Vec<f64>,
    /// The logarithm of the capital, which is 1 at first.
    capital: f64,
}

impl Part {
    /// A wager with a part for each of these means.
    fn all(aims: &[f64]) -> Vec<Self> {
        let part = |&aim| Self {
            aim,
            stakes: Vec::new(),
            capital: 0.0,
        };
        aims.iter().map(part).collect()
    }
}

impl Wager {
    fn new(error_rate: f64, lowest: f64, aims: &[f64]) -> Self {
        Self {
            goal: -error_rate.ln(),
            lowest,
            values: Vec::new(),
            squares: (lowest / 4.0).powi(2),
            parts: Part::all(aims),
        }
    }

    /// Takes a value. Returns whether the wager is won.
    fn add(&mut self, value: f64) -> bool {
        // The stakes depend on earlier values only.
        let square = self.squares / (self.values.len() + 1) as f64;
        for part in &mut self.parts {
            let stake = (part.aim / square).min(MOST / self.lowest);
            part.capital += (stake * value).ln_1p();
            part.stakes.push(stake);
        }
        self.squares += value * value;
        self.values.push(value);
        mean_of_logs(self.parts.iter().map(|part| part.capital)) >= self.goal
    }

    /// The largest number, at most `highest` and at least −`highest`, that the mean has been shown
    /// to be no smaller than: the wager on the values less that number is still won.
    fn bound(&self, highest: f64) -> f64 {
        let won = |mean: f64| {
            // Values less a number above 0 can cost more, so that less may be staked on them.
            let most = MOST / (self.lowest + mean).max(f64::MIN_POSITIVE);
            let capital = |part: &Part| -> f64 {
                let both = self.values.iter().zip(&part.stakes);
                both.map(|(value, stake)| (stake.min(most) * (value - mean)).ln_1p())
                    .sum()
            };
            mean_of_logs(self.parts.iter().map(capital)) >= self.goal
        };
        let (mut low, mut high) = (-highest, highest);
        if !won(low) {
            return low;
        }
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if won(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The logarithm of the mean of some numbers that are given by their logarithms.
fn mean_of_logs(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    let (sum, count) = logs.fold((0.0, 0.0), |(sum, count), log| {
        (sum + (log - largest).exp(), count + 1.0)
    });
    largest + f64::ln(sum / count)
}

impl Sequential {
    /// A test whether log scores are better. It says wrongly that they are with a chance of at most
    /// `alpha`; it says wrongly that they are not, if they are by `delta`, with at most `beta`.
    ///
    /// # Panics
    /// If `delta` is not above 0 and at most [`CUT`], or if an error rate is not above 0 and below
    /// 1.
    pub fn new(delta: f64, alpha: f64, beta: f64) -> Self {
        Self::with_cut(delta, alpha, beta, CUT)
    }

    /// As [`Sequential::new`], for differences of another kind, which are cut at ± `cut`.
    ///
    /// # Panics
    /// If `cut` is not above 0 and finite, if `delta` is not above 0 and at most `cut`, or if an
    /// error rate is not above 0 and below 1.
    pub fn with_cut(delta: f64, alpha: f64, beta: f64, cut: f64) -> Self {
        assert!(cut > 0.0 && cut.is_finite(), "a cut is above 0");
        assert!(
            delta > 0.0 && delta <= cut,
            "a difference is above 0 and at most the cut"
        );
        for rate in [alpha, beta] {
            assert!(
                rate > 0.0 && rate < 1.0,
                "an error rate is above 0 and below 1"
            );
        }
        Self {
            delta,
            cut,
            against: [alpha, beta].map(|rate| Wager::new(rate, cut, &[delta])),
            verdict: None,
        }
    }

    /// The same test before its first difference, with the capital of either wager in equal parts,
    /// one for each of these means: the capital of each part grows fastest if the mean is its own.
    /// So a large difference is found sooner, and a small one hardly later. The error rates hold as
    /// before, since the mean of capitals that have no tendency to grow has none either.
    #[must_use]
    pub fn aimed_at(mut self, means: &[f64]) -> Self {
        for wager in &mut self.against {
            wager.parts = Part::all(means);
        }
        self
    }

    /// Takes the next difference, which is positive if the new one was better. The first verdict
    /// stays; later differences count in [`Sequential::estimate`] only.
    ///
    /// # Panics
    /// If the difference is not a number.
    pub fn add(&mut self, difference: f64) -> Option<Verdict> {
        assert!(!difference.is_nan(), "a difference is a number");
        let x = difference.clamp(-self.cut, self.cut);
        let [zero, delta] = &mut self.against;
        let better = zero.add(x);
        let not_better = delta.add(self.delta - x);
        if self.verdict.is_none() {
            self.verdict = match (better, not_better) {
                (true, _) => Some(Verdict::Better),
                (false, true) => Some(Verdict::NotBetter),
                (false, false) => None,
            };
        }
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

    /// The mean of the differences, cut at the bound; `None` without any.
    pub fn estimate(&self) -> Option<f64> {
        let values = &self.against[0].values;
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// An interval that holds the mean, with a chance of at least 1 − α − β at all times at once:
    /// its lower end is ever above the mean with a chance of at most α, its upper end below it with
    /// at most β. The verdict "better" falls when it leaves 0 behind, "not better" when it leaves δ;
    /// what it has left it does not take in again.
    ///
    /// The wagers are laid out to tell 0 from δ, so it never becomes much narrower than δ, or than
    /// the least of the means that they are [aimed at](Self::aimed_at).
    pub fn interval(&self) -> (f64, f64) {
        let [zero, delta] = &self.against;
        let lower = zero.bound(self.cut);
        let upper = (self.delta - delta.bound(self.cut + self.delta)).min(self.cut);
        match self.verdict() {
            Some(Verdict::Better) => (lower.max(0.0), upper),
            Some(Verdict::NotBetter) => (lower, upper.min(self.delta)),
            None => (lower, upper),
        }
    }
}

#[cfg(test)]
mod measured;
#[cfg(test)]
pub(super) mod tests;
