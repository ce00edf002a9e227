//! Bits of a word moved together and apart, without intrinsics: a run of ones of the mask at a time.

/// The bits of `word` where `mask` has ones, moved together.
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

/// The lowest bits of `word`, moved apart to where `mask` has ones.
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

/// Where the lowest run of ones of a mask begins, and the run.
#[inline(always)]
fn lowest_run(mask: u64) -> (u32, u64) {
    let lowest = mask & mask.wrapping_neg();
    (mask.trailing_zeros(), mask & !mask.wrapping_add(lowest))
}
