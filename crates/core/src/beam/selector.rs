//! Selects the best of many candidates by several scores.

use std::array;

/// The scores by which states and candidates are compared; higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scores<const Q: usize> {
    /// The score by which most places of the beam are filled.
    pub value: i32,
    /// For each quota, the score by which its places are filled, from the candidates that are not chosen
    /// yet.
    pub quota_scores: [i32; Q],
}

impl<const Q: usize> Scores<Q> {
    /// The lowest possible scores, in `value` and in every quota.
    pub const MIN: Self = Self {
        value: i32::MIN,
        quota_scores: [i32::MIN; Q],
    };

    /// Returns the minimum of each pair of corresponding scores.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self {
            value: self.value.min(other.value),
            quota_scores: array::from_fn(|quota| {
                self.quota_scores[quota].min(other.quota_scores[quota])
            }),
        }
    }

    /// True if at least one score is higher than the corresponding score of `other`.
    pub fn exceeds_any(&self, other: &Self) -> bool {
        let mut quotas = self.quota_scores.iter().zip(&other.quota_scores);
        self.value > other.value || quotas.any(|(a, b)| a > b)
    }
}

/// The number of candidates that a quota considers for each of its places.
const CANDIDATES_PER_PLACE: usize = 4;

/// Returns the number of places of each quota: its share of `count`. A quota with a share above 0 gets at
/// least one place, if that leaves a place to fill by value.
fn places<const Q: usize>(count: usize, shares: [f64; Q]) -> [usize; Q] {
    let mut left = count.saturating_sub(1);
    shares.map(|share| {
        let places = match share {
            _ if share <= 0.0 => 0,
            _ => ((count as f64 * share) as usize).max(1).min(left),
        };
        left -= places;
        places
    })
}

/// Packs a score and an index into one integer, so that sorting touches no other memory. Higher scores sort
/// first; on a tie, lower indices do.
fn key(score: i32, index: usize) -> u64 {
    u64::from(!(score as u32 ^ 1 << 31)) << 32 | index as u64
}

/// Extracts the index from a [`key`].
fn index(key: u64) -> usize {
    key as u32 as usize
}

/// Selects the best candidates. It reuses its memory from one selection to the next.
#[derive(Debug, Default)]
pub(super) struct Selector {
    keys: Vec<u64>,
    chosen: Vec<usize>,
    is_chosen: Vec<bool>,
}

impl Selector {
    /// Returns the number of candidates that each quota considers in a selection of `count` candidates. A
    /// quota considers more candidates than it has places, since some may not be allowed.
    pub(super) fn candidates_per_quota<const Q: usize>(
        count: usize,
        shares: [f64; Q],
    ) -> [usize; Q] {
        places(count, shares).map(|places| places.saturating_mul(CANDIDATES_PER_PLACE))
    }

    /// Returns the indices of the best `count` of `len` candidates. `scores` returns the scores of a
    /// candidate, given its index. Most are chosen by value, best first. Each quota then fills its share of
    /// `count` with the best candidates that are not chosen yet. `allowed` receives candidates in that order;
    /// if it rejects one, the next one gets the place. Ties go to the lower index.
    pub(super) fn select_best<const Q: usize>(
        &mut self,
        len: usize,
        scores: impl Fn(usize) -> Scores<Q>,
        count: usize,
        shares: [f64; Q],
        allowed: &mut dyn FnMut(usize) -> bool,
    ) -> &[usize] {
        self.chosen.clear();
        self.is_chosen.clear();
        self.is_chosen.resize(len, false);
        let places = places(count, shares);
        let value_places = count.max(1) - places.iter().sum::<usize>();
        self.make_keys(|i| scores(i).value);
        self.fill(value_places, len, allowed);
        for (quota, &places) in places.iter().enumerate() {
            if places > 0 {
                self.make_keys(|i| scores(i).quota_scores[quota]);
                self.fill(places, places.saturating_mul(CANDIDATES_PER_PLACE), allowed);
            }
        }
        &self.chosen
    }

    /// Makes keys from the scores of all candidates. Candidates that are already chosen sort last.
    fn make_keys(&mut self, score: impl Fn(usize) -> i32) {
        let last = |is_chosen: bool| u64::from(is_chosen).wrapping_neg();
        let all = self.is_chosen.iter().enumerate();
        self.keys.clear();
        self.keys
            .extend(all.map(|(i, &is_chosen)| key(score(i), i) | last(is_chosen)));
    }

    /// Fills `places` places with the allowed candidates that have the best keys. Considers only the best
    /// `considered` of those that are not chosen yet.
    fn fill(&mut self, places: usize, considered: usize, allowed: &mut dyn FnMut(usize) -> bool) {
        let Self {
            keys,
            chosen,
            is_chosen,
        } = self;
        let considered = considered.min(is_chosen.len() - chosen.len());
        // First sort as many keys as there are places: usually most of these candidates are allowed. Then
        // sort a few more keys than there are places left.
        let (mut sorted_count, target_count) = (0, chosen.len() + places);
        while chosen.len() < target_count && sorted_count < considered {
            let end = considered.min(sorted_count + sorted_count / 8 + target_count - chosen.len());
            if end < keys.len() {
                keys[sorted_count..].select_nth_unstable(end - sorted_count);
            }
            keys[sorted_count..end].sort_unstable();
            for &key in &keys[sorted_count..end] {
                let index = index(key);
                if chosen.len() < target_count && allowed(index) {
                    is_chosen[index] = true;
                    chosen.push(index);
                }
            }
            sorted_count = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select_best(
        scores: &[Scores<2>],
        count: usize,
        shares: [f64; 2],
        mut allowed: impl FnMut(usize) -> bool,
    ) -> Vec<usize> {
        // Fill the selector's buffers with another selection first. That must not change the result.
        let mut selector = Selector::default();
        selector.select_best(9, |_| Scores::MIN, 5, [0.2, 0.2], &mut |i| i > 3);
        selector
            .select_best(scores.len(), |i| scores[i], count, shares, &mut allowed)
            .to_vec()
    }

    #[test]
    fn the_best_are_chosen_and_quotas_filled() {
        let scores: Vec<Scores<2>> = (0..40)
            .map(|i| Scores {
                value: i,
                quota_scores: [-i, -(i - 20).abs()],
            })
            .collect();
        let best = |count, shares, scores| select_best(scores, count, shares, |_| true);
        assert_eq!(best(3, [0.0, 0.0], &scores), [39, 38, 37]);
        assert_eq!(best(5, [0.4, 0.0], &scores), [39, 38, 37, 0, 1]);
        assert_eq!(best(6, [0.34, 0.17], &scores), [39, 38, 37, 0, 1, 20]);
        assert_eq!(best(10, [0.5, 0.5], &scores[..2]), [1, 0]);
        assert_eq!(best(10, [0.5, 0.5], &scores).len(), 10);
        // Even the smallest share gets a place, but never the only one.
        assert_eq!(best(3, [0.01, 0.01], &scores), [39, 0, 20]);
        assert_eq!(best(2, [0.01, 0.01], &scores), [39, 0]);
        assert_eq!(best(1, [0.5, 0.0], &scores), [39]);
        let even = select_best(&scores, 4, [0.25, 0.0], |i| i % 2 == 0);
        assert_eq!(even, [38, 36, 34, 0]);
    }
}
