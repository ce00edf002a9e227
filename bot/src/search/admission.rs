//! The scores that a candidate must beat to be among the best, estimated before all candidates are
//! listed.

use columns_core::beam::{Scores, Selector};

/// A histogram of the scores listed so far. It estimates the lowest score that will be selected.
#[derive(Clone)]
struct ScoreHistogram {
    lowest: i32,
    /// The number of consecutive scores that a bin counts.
    width: u32,
    bins: [u32; Self::BINS],
    /// The number of best candidates that the threshold must admit.
    wanted: u32,
    /// The lowest bin whose candidates may still be selected.
    least: usize,
    /// The number of candidates in the bins above `least`.
    above: u32,
}

impl ScoreHistogram {
    const BINS: usize = 128;
    /// The span of the histogram, as a fraction of the score range of the parents: 3/2.
    const HEADROOM: [i64; 2] = [3, 2];

    /// Creates a histogram of scores that are likely to lie near those in `about`. If `wanted` is
    /// 0, no score is high enough.
    fn new(wanted: usize, about: impl Iterator<Item = i32>) -> Self {
        let (low, high) = about.fold((i32::MAX, i32::MIN), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        // In 64 bits, since the difference of two scores may not fit into an `i32`.
        let span = (i64::from(high) - i64::from(low)).max(0);
        let width = span / Self::HEADROOM[1] * Self::HEADROOM[0] / Self::BINS as i64 + 1;
        Self {
            lowest: low,
            width: width as u32,
            bins: [0; Self::BINS],
            // `try_into` is not in the prelude of the editions before 2021.
            wanted: wanted.min(u32::MAX as usize) as u32,
            least: 0,
            above: 0,
        }
    }

    /// Counts a candidate. Returns true if it may be selected.
    fn add(&mut self, number: i32) -> bool {
        let bin = number.max(self.lowest).abs_diff(self.lowest) / self.width;
        let bin = (bin as usize).min(Self::BINS - 1);
        self.bins[bin] += 1;
        if bin < self.least {
            return false;
        }
        self.above += u32::from(bin > self.least);
        while self.above >= self.wanted && self.least + 1 < Self::BINS {
            self.least += 1;
            self.above -= self.bins[self.least];
        }
        bin >= self.least
    }

    /// Returns the score that a candidate must beat.
    fn threshold(&self) -> i32 {
        match self.least {
            _ if self.wanted == 0 => i32::MAX,
            0 => i32::MIN,
            least => {
                let lowest = i64::from(self.lowest) + least as i64 * i64::from(self.width);
                (lowest - 1).min(i64::from(i32::MAX)) as i32
            }
        }
    }
}

/// The scores that a candidate for the next layer must beat to be among the best, estimated from
/// the candidates listed so far. A candidate that beats none of these scores need not be listed.
#[derive(Clone)]
pub struct AdmissionThreshold<const Q: usize> {
    value: ScoreHistogram,
    quotas: [ScoreHistogram; Q],
}

impl<const Q: usize> AdmissionThreshold<Q> {
    /// Creates the threshold for a layer in which `count` candidates will be chosen. `states`
    /// yields the scores of the states in the previous layer.
    pub fn new<'s>(
        count: usize,
        shares: [f64; Q],
        states: impl Iterator<Item = &'s Scores<Q>> + Clone,
    ) -> Self {
        let wanted = Selector::candidates_per_quota(count, shares);
        let quotas = std::array::from_fn(|quota| {
            let about = states.clone().map(|scores| scores.quotas[quota]);
            ScoreHistogram::new(wanted[quota], about)
        });
        Self {
            value: ScoreHistogram::new(count, states.map(|scores| scores.value)),
            quotas,
        }
    }

    /// Counts a candidate.
    pub fn add(&mut self, scores: &Scores<Q>) {
        // A quota is filled from the candidates that are not chosen by value.
        if !self.value.add(scores.value) {
            for (histogram, &number) in self.quotas.iter_mut().zip(&scores.quotas) {
                if histogram.wanted > 0 {
                    histogram.add(number);
                }
            }
        }
    }

    /// Returns the threshold: a candidate must beat at least one of these scores.
    pub fn scores(&self) -> Scores<Q> {
        Scores {
            value: self.value.threshold(),
            quotas: std::array::from_fn(|quota| self.quotas[quota].threshold()),
        }
    }
}
