//! The hashes of the states in a layer, to find duplicates.

/// A set of hashes, with open addressing.
#[derive(Default)]
pub(super) struct Hashes {
    slots: Vec<u64>,
}

/// The number that stands for the hash 0, since 0 marks an empty slot.
const ZERO_HASH: u64 = 0x5851_f42d_4c95_7f2d;

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
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] == hash {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = hash;
        true
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
}
