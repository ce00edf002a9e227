//! Gathers and scatters bits without intrinsics. Each step moves the bits for one run of ones in the mask.

/// Gathers the bits of `word` that `mask` selects, and packs them into the lowest bits of the
/// result.
#[inline(always)]
pub(super) fn extract(word: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut target_bit = 0;
    while mask != 0 {
        let (source_bit, run_mask) = lowest_run(mask);
        out |= (word & run_mask) >> source_bit << target_bit;
        target_bit += run_mask.count_ones();
        mask ^= run_mask;
    }
    out
}

/// Scatters the lowest bits of `word` to the positions of the set bits of `mask`.
#[inline(always)]
pub(super) fn deposit(word: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut source_bit = 0;
    while mask != 0 {
        let (target_bit, run_mask) = lowest_run(mask);
        out |= word >> source_bit << target_bit & run_mask;
        source_bit += run_mask.count_ones();
        mask ^= run_mask;
    }
    out
}

/// Returns the lowest run of ones in a mask: the position of its lowest bit, and its bits.
#[inline(always)]
fn lowest_run(mask: u64) -> (u32, u64) {
    let lowest = mask & mask.wrapping_neg();
    (mask.trailing_zeros(), mask & !mask.wrapping_add(lowest))
}
