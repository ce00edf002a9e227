//! What a candidate has to beat to be among the best, known before all are listed.

use columns_core::beam::{Scores, Selector};

/// A histogram of the scores listed so far. It estimates the lowest score that will be selected.
#[derive(Clone)]
struct ScoreHistogram {
    lowest: i32,
    /// How many consecutive numbers make a level.
    width: u32,
    levels: [u32; Self::LEVELS],
    /// How many are wanted.
    wanted: u32,
    /// The lowest level that may still be wanted, and how many are above it.
    least: usize,
    above: u32,
}

impl ScoreHistogram {
    const LEVELS: usize = 128;
    /// The levels reach this many times as high as the numbers that are expected.
    const HEADROOM: [i64; 2] = [3, 2];

    /// For numbers about as high as those of `about`; none is wanted where `wanted` is 0.
    fn new(wanted: usize, about: impl Iterator<Item = i32>) -> Self {
        let (low, high) = about.fold((i32::MAX, i32::MIN), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        // In 64 bits, since the states of a layer may lie as far apart as numbers can.
        let span = (i64::from(high) - i64::from(low)).max(0);
        let width = span / Self::HEADROOM[1] * Self::HEADROOM[0] / Self::LEVELS as i64 + 1;
        Self {
            lowest: low,
            width: width as u32,
            levels: [0; Self::LEVELS],
            wanted: wanted.try_into().unwrap_or(u32::MAX),
            least: 0,
            above: 0,
        }
    }

    /// Counts a candidate, and tells whether it may be wanted.
    fn add(&mut self, number: i32) -> bool {
        let level = number.max(self.lowest).abs_diff(self.lowest) / self.width;
        let level = (level as usize).min(Self::LEVELS - 1);
        self.levels[level] += 1;
        if level < self.least {
            return false;
        }
        self.above += u32::from(level > self.least);
        while self.above >= self.wanted && self.least + 1 < Self::LEVELS {
            self.least += 1;
            self.above -= self.levels[self.least];
        }
        level >= self.least
    }

    /// What has to be beaten.
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

/// The scores that a candidate for the next layer needs to be one of the best, as far as is known
/// from those listed before. One that has not a single one of them need not be listed.
#[derive(Clone)]
pub struct AdmissionThreshold<const Q: usize> {
    value: ScoreHistogram,
    quotas: [ScoreHistogram; Q],
}

impl<const Q: usize> AdmissionThreshold<Q> {
    /// For a layer of which `count` candidates will be chosen, after a layer of states with these
    /// scores.
    pub fn new<'s>(
        count: usize,
        shares: [f64; Q],
        states: impl Iterator<Item = &'s Scores<Q>> + Clone,
    ) -> Self {
        let wanted = Selector::looks_at(count, shares);
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
        // A quota is filled from what is not chosen by value.
        if !self.value.add(scores.value) {
            for (histogram, &number) in self.quotas.iter_mut().zip(&scores.quotas) {
                if histogram.wanted > 0 {
                    histogram.add(number);
                }
            }
        }
    }

    /// The scores of which a candidate has to beat at least one.
    pub fn scores(&self) -> Scores<Q> {
        let mut scores = Scores::LOWEST;
        scores.value = self.value.threshold();
        for (number, histogram) in scores.quotas.iter_mut().zip(&self.quotas) {
            *number = histogram.threshold();
        }
        scores
    }
}
