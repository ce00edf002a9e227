//! The best of many by several measures.

/// How many reserves a beam has: parts of it that are filled by other numbers than the value.
pub const RESERVES: usize = 2;

/// The numbers that states and candidates are compared by; higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rank {
    /// The number that most of the beam is filled by.
    pub value: i32,
    /// The number that each reserve is filled by, from those that are not chosen yet.
    pub reserves: [i32; RESERVES],
}

impl Rank {
    /// Beats no other.
    pub(super) const LOWEST: Self = Self {
        value: i32::MIN,
        reserves: [i32::MIN; RESERVES],
    };

    /// Whether at least one of its numbers is higher than the other's.
    #[inline]
    pub(super) fn beats(&self, other: &Self) -> bool {
        let mut reserves = self.reserves.iter().zip(&other.reserves);
        self.value > other.value || reserves.any(|(a, b)| a > b)
    }
}

/// A reserve is filled from its best candidates, so many for each of its places.
pub(super) const ENOUGH: usize = 4;

/// The places of a reserve with this share of `count`.
pub(super) fn places(count: usize, share: f64) -> usize {
    match share {
        _ if share <= 0.0 || count < 2 => 0,
        _ => ((count as f64 * share) as usize).max(1),
    }
}

/// Number and index in one integer, so that sorting touches nothing else. The higher number comes
/// first, of equal numbers the lower index.
#[inline]
fn key(number: i32, index: usize) -> u64 {
    u64::from(!(number as u32 ^ 1 << 31)) << 32 | index as u64
}

/// The index in a [`key`].
#[inline]
fn index(key: u64) -> usize {
    key as u32 as usize
}

/// Memory for a choice, kept from one to the next.
#[derive(Default)]
pub(super) struct Choice {
    keys: Vec<u64>,
    chosen: Vec<usize>,
    rest: Vec<usize>,
    taken: Vec<bool>,
}

impl Choice {
    /// The indices of the best `count`. Most are chosen by value, best first; then each reserve is
    /// filled with its share from those not chosen yet. `allowed` is asked best first; a candidate
    /// that it refuses leaves its place to the next. Ties go to the lower index.
    pub(super) fn best_of(
        &mut self,
        ranks: &[Rank],
        count: usize,
        shares: [f64; RESERVES],
        mut allowed: impl FnMut(usize) -> bool,
    ) -> &[usize] {
        let Self {
            keys,
            chosen,
            rest,
            taken,
        } = self;
        keys.clear();
        keys.extend((0..ranks.len()).map(|i| key(ranks[i].value, i)));
        let places = shares.map(|share| places(count, share));
        let count = count.saturating_sub(places.iter().sum()).max(1);
        chosen.clear();
        rest.clear();
        // Mostly the first `count` are allowed, so not many more are sorted.
        let mut sorted = 0;
        while chosen.len() < count && sorted < keys.len() {
            let end = (sorted + (count - chosen.len()) * 5 / 4 + 8).min(keys.len());
            if end < keys.len() {
                keys[sorted..].select_nth_unstable(end - sorted);
            }
            keys[sorted..end].sort_unstable();
            for &key in &keys[sorted..end] {
                if chosen.len() < count && allowed(index(key)) {
                    chosen.push(index(key));
                } else {
                    rest.push(index(key));
                }
            }
            sorted = end;
        }
        if places == [0; RESERVES] {
            return chosen;
        }
        rest.extend(keys[sorted..].iter().map(|&key| index(key)));
        taken.clear();
        taken.resize(ranks.len(), false);
        for (reserve, places) in places.into_iter().enumerate() {
            // More are sorted than there are places, since some may not be allowed.
            let enough = places.saturating_mul(ENOUGH);
            let left = rest.iter().filter(|&&i| !taken[i]);
            keys.clear();
            keys.extend(left.map(|&i| key(ranks[i].reserves[reserve], i)));
            if enough < keys.len() {
                keys.select_nth_unstable(enough);
                keys.truncate(enough);
            }
            keys.sort_unstable();
            let best = keys.iter().filter(|&&key| allowed(index(key)));
            for &key in best.take(places) {
                taken[index(key)] = true;
                chosen.push(index(key));
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best_of(
        ranks: &[Rank],
        count: usize,
        shares: [f64; RESERVES],
        allowed: impl FnMut(usize) -> bool,
    ) -> Vec<usize> {
        // What is left of another choice does not matter.
        let mut choice = Choice::default();
        choice.best_of(&[Rank::default(); 9], 5, [0.2, 0.2], |i| i > 3);
        choice.best_of(ranks, count, shares, allowed).to_vec()
    }

    #[test]
    fn the_best_are_chosen_and_reserves_filled() {
        let ranks: Vec<Rank> = (0..40)
            .map(|i| Rank {
                value: i,
                reserves: [-i, -(i - 20).abs()],
            })
            .collect();
        let best = |count, shares, ranks| best_of(ranks, count, shares, |_| true);
        assert_eq!(best(3, [0.0, 0.0], &ranks), [39, 38, 37]);
        assert_eq!(best(5, [0.4, 0.0], &ranks), [39, 38, 37, 0, 1]);
        assert_eq!(best(6, [0.34, 0.17], &ranks), [39, 38, 37, 0, 1, 20]);
        assert_eq!(best(10, [0.5, 0.5], &ranks[..2]), [1, 0]);
        // The smallest share gets a place, but not the only one.
        assert_eq!(best(3, [0.01, 0.01], &ranks), [39, 0, 20]);
        assert_eq!(best(1, [0.5, 0.0], &ranks), [39]);
        let even = best_of(&ranks, 4, [0.25, 0.0], |i| i % 2 == 0);
        assert_eq!(even, [38, 36, 34, 0]);
    }
}
