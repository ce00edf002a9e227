//! Which states a layer holds already.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The hashes of a layer's states: an open-addressed set. One thread adds to it while others read. What they see may be
/// a little old.
#[derive(Default)]
pub(super) struct Hashes {
    slots: Vec<AtomicU64>,
}

impl Hashes {
    /// Empties the set and makes room for `count` hashes.
    pub(super) fn clear(&mut self, count: usize) {
        let size = (count * 2).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize_with(size, AtomicU64::default);
    }

    /// The slot of a hash, or the free slot where it belongs, and what that holds.
    fn find(&self, hash: u64) -> (&AtomicU64, u64) {
        let mut at = hash as usize;
        loop {
            let slot = &self.slots[at & (self.slots.len() - 1)];
            let content = slot.load(Relaxed);
            if content == hash || content == 0 {
                return (slot, content);
            }
            at += 1;
        }
    }

    /// True if the set holds the hash.
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.find(hash.max(1)).1 != 0
    }

    /// Adds a hash. Returns true if it is new.
    pub(super) fn insert(&self, hash: u64) -> bool {
        let hash = hash.max(1);
        let (slot, content) = self.find(hash);
        slot.store(hash, Relaxed);
        content == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_survive_once() {
        let mut hashes = Hashes::default();
        hashes.clear(4);
        assert!(hashes.insert(5) && hashes.insert(21) && !hashes.insert(5) && !hashes.insert(21));
        assert!(hashes.contains(5) && hashes.contains(21) && !hashes.contains(37));
        assert!(hashes.insert(0) && !hashes.insert(0));
    }
}
