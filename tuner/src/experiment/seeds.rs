//! The seeds of a run. Each generation, challenge and judgement plays its own seeds.

use super::stage::Stage;
use super::state::{RunState, SEED_STRIDE};
use columns_cases::digest::Digest;
use columns_cases::seeds::SeedRange;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The first seeds of a search and of its first judgement are multiples of this number.
const FIRST_SEED_UNIT: u64 = 1_000_000_000;

impl RunState {
    /// Returns `count` seeds for a stage. The seeds of successive generations are consecutive. Each challenge
    /// and each judgement has its own range.
    pub(super) fn seeds(&self, stage: Stage, count: u64) -> SeedRange {
        const CHALLENGE_OFFSET: u64 = 500_000_000;
        let first = first_search_seed(self.identity);
        let first = match stage {
            Stage::Generation(number) => {
                first + u64::from(number - 1) * u64::from(self.config.settings.pairs_per_generation)
            }
            Stage::Challenge(number) => {
                first + CHALLENGE_OFFSET + u64::from(number - 1) * SEED_STRIDE
            }
            Stage::Judgement(number) => return held_out_seeds(self.identity, number, count),
        };
        SeedRange::new(first, first + (count - 1)).expect("a stage plays seeds")
    }
}

/// Returns the seeds of a judgement of at most `max_pairs` pairs of games. The identity of the run determines
/// the first seed of the first judgement: an odd multiple of a billion, up to about 2e18. Each later
/// judgement begins a million seeds higher, so no two judgements of a run share a seed. Two runs with
/// different identities share seeds with a probability of one in a billion.
///
/// An extension of the run must not change the identity, since the recorded games depend on these seeds.
///
/// # Panics
/// Panics if `judgement` is 0, or if `max_pairs` is not from 1 to a million.
fn held_out_seeds(identity: Digest, judgement: u32, max_pairs: u64) -> SeedRange {
    assert!(judgement > 0, "judgements are counted from 1");
    assert!(
        (1..=SEED_STRIDE).contains(&max_pairs),
        "from 1 to {SEED_STRIDE} pairs"
    );
    let first =
        first_search_seed(identity) + FIRST_SEED_UNIT + u64::from(judgement - 1) * SEED_STRIDE;
    SeedRange::new(first, first + (max_pairs - 1)).expect("at least one seed")
}

/// Returns the first seed of a search. The identity of the run determines it: a positive even multiple of a
/// billion. A search of fewer than a billion seeds therefore plays no seed that [`held_out_seeds`] returns.
fn first_search_seed(identity: Digest) -> u64 {
    let number = Xoshiro256PlusPlus::seed_from_u64(identity.to_u64()).next_u64();
    2 * (number % FIRST_SEED_UNIT + 1) * FIRST_SEED_UNIT
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_stats::gate::DEFAULT_MAX_PAIRS;

    #[test]
    fn every_judgement_of_every_run_has_its_own_seeds() {
        let ranges: Vec<SeedRange> = (0..50_u8)
            .flat_map(|run| {
                (1..=20).map(move |judgement| {
                    held_out_seeds(Digest::new(&[run]), judgement, DEFAULT_MAX_PAIRS)
                })
            })
            .collect();
        for (i, a) in ranges.iter().enumerate() {
            assert_eq!(a.count(), u128::from(DEFAULT_MAX_PAIRS));
            for b in &ranges[..i] {
                assert!(a.last() < b.first() || b.last() < a.first(), "{a} and {b}");
            }
            assert!(a.first() > FIRST_SEED_UNIT && a.first().is_multiple_of(SEED_STRIDE));
            assert_eq!(a.first() / FIRST_SEED_UNIT % 2, 1);
        }
        assert_eq!(
            first_search_seed(Digest::EMPTY),
            632_601_968 * FIRST_SEED_UNIT
        );
        // The seeds are the same on every machine, and even the last possible judgement has enough of them.
        assert_eq!(
            held_out_seeds(Digest::EMPTY, 1, 2).to_string(),
            "632601969000000000..=632601969000000001"
        );
        let last = held_out_seeds(Digest::EMPTY, u32::MAX, SEED_STRIDE);
        assert_eq!(last.count(), u128::from(SEED_STRIDE));
    }
}
