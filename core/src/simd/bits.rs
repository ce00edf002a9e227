//! Gathering and scattering of bits without intrinsics, a run of ones of the mask at a time.

/// Gathers the bits of `word` at the ones of `mask` in the lowest bits of the result.
#[inline(always)]
pub(super) fn extract(word: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut to = 0;
    while mask != 0 {
        let (from, run) = lowest_run(mask);
        out |= (word & run) >> from << to;
        to += run.count_ones();
        mask ^= run;
    }
    out
}

/// Scatters the lowest bits of `word` to the ones of `mask`.
#[inline(always)]
pub(super) fn deposit(word: u64, mut mask: u64) -> u64 {
    let mut out = 0;
    let mut from = 0;
    while mask != 0 {
        let (to, run) = lowest_run(mask);
        out |= word >> from << to & run;
        from += run.count_ones();
        mask ^= run;
    }
    out
}

/// Returns the lowest bit of the lowest run of ones of a mask, and the run.
#[inline(always)]
fn lowest_run(mask: u64) -> (u32, u64) {
    let lowest = mask & mask.wrapping_neg();
    (mask.trailing_zeros(), mask & !mask.wrapping_add(lowest))
}
