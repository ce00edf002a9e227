//! The threshold that a candidate must beat to be listed, estimated while the search lists the
//! candidates of a layer.

use super::selector::{Scores, Selector};

/// A histogram of one score, the value or that of a quota, of the candidates listed so far. It estimates the
/// lowest score that the search will select.
struct ScoreHistogram {
    /// The lowest score of bin 0, which also counts all lower scores.
    lowest_score: i32,
    /// The number of consecutive scores that share a bin.
    bin_width: u32,
    /// 2⁶³ divided by `bin_width`, rounded up: a multiplication is faster than a division.
    reciprocal: u64,
    bins: [u32; Self::BINS],
    /// The number of best candidates that the threshold must admit.
    wanted: u32,
    /// The lowest bin whose candidates the search may still select.
    threshold_bin: usize,
    /// The number of candidates in the bins above `threshold_bin`.
    candidates_above: u32,
}

impl ScoreHistogram {
    const BINS: usize = 128;
    /// The span of the histogram, as a multiple of the score range of the parents: 3/2.
    const SPAN_RATIO: [i64; 2] = [3, 2];

    /// Creates an empty histogram. `parent_scores` yields scores of the parents, which the scores of the
    /// candidates are likely to resemble. If `wanted` is 0, no score is high enough.
    fn new(wanted: usize, parent_scores: impl Iterator<Item = i32>) -> Self {
        let (low, high) = parent_scores.fold((i32::MAX, i32::MIN), |(low, high), score| {
            (low.min(score), high.max(score))
        });
        // In 64 bits, since the difference of two scores may not fit into an `i32`.
        let span = (i64::from(high) - i64::from(low)).max(0);
        let bin_width = span / Self::SPAN_RATIO[1] * Self::SPAN_RATIO[0] / Self::BINS as i64 + 1;
        Self {
            lowest_score: low,
            bin_width: bin_width as u32,
            reciprocal: (1 << 63) / bin_width as u64 + 1,
            bins: [0; Self::BINS],
            // `try_into` is not in the prelude of the editions before 2021.
            wanted: wanted.min(u32::MAX as usize) as u32,
            threshold_bin: 0,
            candidates_above: 0,
        }
    }

    /// Counts a candidate. Returns true if the search may still select it.
    fn add(&mut self, score: i32) -> bool {
        let distance = score.max(self.lowest_score).abs_diff(self.lowest_score);
        // Exact, since the distance times the width of a bin is less than 2⁶³.
        let bin = (u128::from(self.reciprocal) * u128::from(distance)) >> 63;
        let bin = (bin as usize).min(Self::BINS - 1);
        self.bins[bin] += 1;
        if bin < self.threshold_bin {
            return false;
        }
        self.candidates_above += u32::from(bin > self.threshold_bin);
        while self.candidates_above >= self.wanted && self.threshold_bin + 1 < Self::BINS {
            self.threshold_bin += 1;
            self.candidates_above -= self.bins[self.threshold_bin];
        }
        bin >= self.threshold_bin
    }

    /// Returns the threshold: a candidate must beat this score.
    fn threshold(&self) -> i32 {
        match self.threshold_bin {
            _ if self.wanted == 0 => i32::MAX,
            0 => i32::MIN,
            bin => {
                let lowest = i64::from(self.lowest_score) + bin as i64 * i64::from(self.bin_width);
                (lowest - 1).min(i64::from(i32::MAX)) as i32
            }
        }
    }
}

/// The threshold for the candidates of the next layer, estimated from the candidates listed so far. If the
/// next layer is no wider than expected, the search cannot select a candidate that beats none of the
/// threshold's scores.
pub struct AdmissionThreshold<const Q: usize> {
    value: ScoreHistogram,
    quotas: [ScoreHistogram; Q],
}

impl<const Q: usize> AdmissionThreshold<Q> {
    /// Creates the threshold for a layer in which the search will select `count` candidates. `shares` are
    /// the shares of the quotas, and `states` the scores of the states in the previous layer.
    pub fn new(count: usize, shares: [f64; Q], states: &[Scores<Q>]) -> Self {
        let wanted = Selector::candidates_per_quota(count, shares);
        let quotas = std::array::from_fn(|quota| {
            let parent_scores = states.iter().map(|scores| scores.quota_scores[quota]);
            ScoreHistogram::new(wanted[quota], parent_scores)
        });
        Self {
            value: ScoreHistogram::new(count, states.iter().map(|scores| scores.value)),
            quotas,
        }
    }

    /// Adds the scores of a listed candidate. The threshold may rise.
    pub fn add(&mut self, scores: &Scores<Q>) {
        // Quotas get only candidates that are not selected by their value.
        if !self.value.add(scores.value) {
            for (histogram, &score) in self.quotas.iter_mut().zip(&scores.quota_scores) {
                if histogram.wanted > 0 {
                    histogram.add(score);
                }
            }
        }
    }

    /// Returns the threshold: a candidate must beat at least one of these scores.
    pub fn threshold(&self) -> Scores<Q> {
        Scores {
            value: self.value.threshold(),
            quota_scores: std::array::from_fn(|quota| self.quotas[quota].threshold()),
        }
    }
}
