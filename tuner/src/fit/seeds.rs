//! The seeds that a search plays, generation by generation, and those that validate it.

use anyhow::{ensure, Context, Result};
use columns_generator::seeds::SeedRange;

/// Most seeds to validate on, so that a slip does not play for weeks.
const MOST_HELD_OUT: u128 = 1_000_000;

/// All seeds of so many generations of `games` seeds each, the first of them `from`.
///
/// # Errors
/// No seed at all, or more than there are from there.
pub fn played(from: u64, games: u64, generations: u32) -> Result<SeedRange> {
    let count = games.checked_mul(u64::from(generations));
    let last = count.and_then(|count| from.checked_add(count.checked_sub(1)?));
    let seeds = last.and_then(|last| SeedRange::new(from, last));
    seeds.with_context(|| {
        format!(
            "expected seeds up to {}, found {generations} generations of {games} seeds from {from}",
            u64::MAX
        )
    })
}

/// Whether a search that plays these seeds can be validated on those that are held out.
///
/// # Errors
/// Too few or too many, or some that are played.
pub fn check_held_out(held_out: SeedRange, played: SeedRange) -> Result<()> {
    ensure!(
        (2..=MOST_HELD_OUT).contains(&held_out.count()),
        "expected from 2 to {MOST_HELD_OUT} held-out seeds, found {held_out}"
    );
    ensure!(
        held_out.last() < played.first() || played.last() < held_out.first(),
        "expected held-out seeds that are not used for fitting, found {held_out}, \
         and {played} to fit on"
    );
    Ok(())
}
