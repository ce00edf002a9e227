//! The hashes of the states in a layer, to find duplicates.

/// A set of hashes, with open addressing.
#[derive(Default)]
pub(super) struct Hashes {
    slots: Vec<u64>,
}

/// The number that replaces the hash 0, since 0 marks an empty slot.
const ZERO_HASH: u64 = 0x5851_f42d_4c95_7f2d;
/// The factor that spreads hashes over the slots, even hashes that differ in few bits.
const HASH_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hashes {
    /// Empties the set and makes room for `count` hashes.
    pub(super) fn reset(&mut self, count: usize) {
        let size = (count * 2).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(size, 0);
    }

    /// Inserts a hash. Returns true if it was new.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        let hash = if hash == 0 { ZERO_HASH } else { hash };
        let mask = self.slots.len() - 1;
        let mut at = self.first_slot(hash);
        while self.slots[at] != 0 {
            if self.slots[at] == hash {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = hash;
        true
    }

    fn first_slot(&self, hash: u64) -> usize {
        let product = u128::from(hash) * u128::from(HASH_MULTIPLIER);
        (product ^ product >> 64) as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_survive_once() {
        let mut hashes = Hashes::default();
        hashes.reset(4);
        assert!(hashes.insert(5) && hashes.insert(21) && !hashes.insert(5) && !hashes.insert(21));
        assert!(hashes.insert(0) && hashes.insert(1) && !hashes.insert(0));
    }

    #[test]
    fn hashes_that_differ_in_few_bits_are_spread() {
        for shift in [0, 16, 24, 32, 40, 48] {
            let mut hashes = Hashes::default();
            hashes.reset(30_000);
            let all = (1..=30_000_u64).map(|number| number << shift);
            for hash in all {
                hashes.insert(hash);
            }
            let mask = hashes.slots.len() - 1;
            let distances = hashes
                .slots
                .iter()
                .enumerate()
                .map(|(at, &hash)| match hash {
                    0 => 0,
                    _ => at.wrapping_sub(hashes.first_slot(hash)) & mask,
                });
            let total: usize = distances.sum();
            assert!(total < 60_000, "{total} steps for hashes << {shift}");
        }
    }
}
