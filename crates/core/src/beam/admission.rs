//! The threshold that a candidate must beat to be listed, estimated while the search lists the
//! candidates of a layer.

use super::selector::{Scores, Selector};
use std::array;

/// A histogram of one score of the candidates listed so far: the value, or the score of a quota. It estimates
/// the lowest score that the search will select.
struct ScoreHistogram {
    /// The lowest score of bin 0, which also counts all lower scores.
    lowest_score: i32,
    /// The number of consecutive scores that share a bin.
    bin_width: u32,
    /// 2⁶³ divided by `bin_width`, rounded down, plus 1. Multiplying by it is faster than dividing by
    /// `bin_width`.
    reciprocal: u64,
    bins: [u32; Self::BINS],
    /// The number of top candidates that the threshold must admit.
    wanted_count: u32,
    /// The lowest bin whose candidates the search may still select.
    threshold_bin: usize,
    /// The number of candidates in the bins above `threshold_bin`.
    candidates_above: u32,
}

impl ScoreHistogram {
    const BINS: usize = 128;
    /// The span of the histogram, as a multiple of the score range of the parents: 3/2.
    const SPAN_RATIO: [i64; 2] = [3, 2];

    /// Creates an empty histogram. The range of `parent_scores` determines the bins, since the candidates are
    /// likely to score about as high as their parents. If `wanted_count` is 0, no score is high enough.
    fn new(wanted_count: usize, parent_scores: impl Iterator<Item = i32>) -> Self {
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
            // A cast, since `try_into` is not in the prelude of Rust 2018, and the submission must compile in
            // every edition.
            wanted_count: wanted_count.min(u32::MAX as usize) as u32,
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
        while self.candidates_above >= self.wanted_count && self.threshold_bin + 1 < Self::BINS {
            self.threshold_bin += 1;
            self.candidates_above -= self.bins[self.threshold_bin];
        }
        bin >= self.threshold_bin
    }

    /// Returns the threshold: a candidate must beat this score.
    fn threshold(&self) -> i32 {
        match self.threshold_bin {
            _ if self.wanted_count == 0 => i32::MAX,
            0 => i32::MIN,
            bin => {
                let lowest = i64::from(self.lowest_score) + bin as i64 * i64::from(self.bin_width);
                (lowest - 1).min(i64::from(i32::MAX)) as i32
            }
        }
    }
}

/// The threshold for the candidates of the next layer, estimated from the candidates listed so far. If the
/// next layer is no wider than expected, the search will select only candidates that beat at least one of
/// the threshold's scores.
pub(super) struct AdmissionThreshold<const Q: usize> {
    value: ScoreHistogram,
    quotas: [ScoreHistogram; Q],
}

impl<const Q: usize> AdmissionThreshold<Q> {
    /// Creates the threshold for a layer in which the search will select `count` candidates. `shares` are
    /// the shares of the quotas, and `states` the scores of the states in the previous layer.
    pub(super) fn new(count: usize, shares: [f64; Q], states: &[Scores<Q>]) -> Self {
        let wanted_counts = Selector::candidates_per_quota(count, shares);
        let quotas = array::from_fn(|quota| {
            let parent_scores = states.iter().map(|scores| scores.quota_scores[quota]);
            ScoreHistogram::new(wanted_counts[quota], parent_scores)
        });
        Self {
            value: ScoreHistogram::new(count, states.iter().map(|scores| scores.value)),
            quotas,
        }
    }

    /// Adds the scores of a listed candidate. The threshold may rise.
    pub(super) fn add(&mut self, scores: &Scores<Q>) {
        // The quotas choose only among candidates that are not selected by their value.
        if !self.value.add(scores.value) {
            for (histogram, &score) in self.quotas.iter_mut().zip(&scores.quota_scores) {
                if histogram.wanted_count > 0 {
                    histogram.add(score);
                }
            }
        }
    }

    /// Returns the threshold: a candidate must beat at least one of these scores.
    pub(super) fn threshold(&self) -> Scores<Q> {
        Scores {
            value: self.value.threshold(),
            quota_scores: array::from_fn(|quota| self.quotas[quota].threshold()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Draws a value and two quota scores from a range of size `spread` around `centre`. Subtracts the value
    /// from the second quota score, so that this quota prefers candidates with a low value.
    fn scores(random: &mut Random, centre: i32, spread: usize) -> Scores<2> {
        let mut number = || centre.saturating_add(random.below(spread) as i32 - spread as i32 / 2);
        let value = number();
        Scores {
            value,
            quota_scores: [number(), number().saturating_sub(value)],
        }
    }

    #[test]
    fn the_threshold_rejects_no_candidate_that_could_be_selected() {
        let mut random = Random(3);
        let mut rejected = 0;
        for round in 0..400 {
            let centre = [0, 1_000_000, -500, i32::MAX - 50, i32::MIN + 50][round % 5];
            let spread = [1, 3, 50, 1000, 1_000_000][random.below(5)];
            let count = 1 + random.below(120);
            let shares =
                [(0.0, 0.0), (0.1, 0.0), (0.0, 0.3), (0.2, 0.1), (0.9, 0.4)][random.below(5)];
            let shares = [shares.0, shares.1];
            let parents: Vec<_> = (0..=random.below(50))
                .map(|_| scores(&mut random, centre, spread))
                .collect();
            // If children score higher than their parents, many of them fall into a histogram's last bin.
            let rise = [0, spread as i32, 4 * spread as i32][random.below(3)];
            let all: Vec<_> = (0..random.below(2000))
                .map(|_| scores(&mut random, centre.saturating_add(rise), spread))
                .collect();
            let mut admission = AdmissionThreshold::new(count, shares, &parents);
            let mut listed = Vec::new();
            for (i, scores) in all.iter().enumerate() {
                let threshold = admission.threshold();
                if scores.exceeds_any(&threshold) {
                    admission.add(scores);
                    listed.push(i);
                }
            }
            rejected += all.len() - listed.len();
            let admitted: Vec<_> = listed.iter().map(|&i| all[i]).collect();
            let mut selector = Selector::default();
            let is_allowed = &mut |_| true;
            let chosen =
                selector.select_best(admitted.len(), |i| admitted[i], count, shares, is_allowed);
            let chosen: Vec<usize> = chosen.iter().map(|&i| listed[i]).collect();
            let expected = selector.select_best(all.len(), |i| all[i], count, shares, is_allowed);
            let numbers = |chosen: &[usize]| chosen.iter().map(|&i| all[i]).collect::<Vec<_>>();
            assert_eq!(numbers(&chosen), numbers(expected), "round {round}");
        }
        assert!(rejected > 50_000, "{rejected}");
    }

    #[test]
    fn the_threshold_is_at_most_a_bin_below_the_last_place() {
        // Parents and children have the values 0 to 1279, and a tenth of the children are selected. Each of
        // the 128 bins covers 15 values. Together the bins span 3/2 of the parents' range of values.
        let new_scores = |value| Scores::<1> {
            value,
            quota_scores: [-value],
        };
        let parents: Vec<_> = (0..1280).map(new_scores).collect();
        let mut threshold = AdmissionThreshold::new(128, [0.0], &parents);
        assert_eq!(threshold.threshold().value, i32::MIN);
        assert_eq!(
            threshold.threshold().quota_scores,
            [i32::MAX],
            "a quota without places wants none"
        );
        for scores in &parents {
            threshold.add(scores);
        }
        let value = threshold.threshold().value;
        // The candidate in the last place has the value 1152. The lowest value of its bin, 1140, beats the
        // threshold.
        assert_eq!(value, 1139);
        // A quota counts only candidates that do not get a place by their value. With 16 places, its
        // threshold admits the best 64 of them.
        let mut threshold = AdmissionThreshold::new(128, [0.125], &parents);
        parents
            .iter()
            .rev()
            .for_each(|scores| threshold.add(scores));
        let quota = threshold.threshold().quota_scores[0];
        assert!((-63 - 16..-63).contains(&quota), "{quota}");
    }

    #[test]
    fn extreme_scores_do_not_overflow() {
        let scores = |value| Scores {
            value,
            quota_scores: [value],
        };
        let states = [i32::MIN, i32::MAX].map(scores);
        let mut threshold = AdmissionThreshold::new(2, [0.0], &states);
        assert_eq!(threshold.threshold().value, i32::MIN);
        for number in [i32::MAX, 0, i32::MAX, i32::MIN] {
            threshold.add(&scores(number));
        }
        // The layer has places for two states. The two children with the highest score fill them, so the
        // threshold is at the lower end of the bin that contains both.
        let value = threshold.threshold().value;
        assert!((0..i32::MAX).contains(&value), "{value}");
    }
}
