//! Which seeds a search uses: the options of the commands that search by playing.

use clap::Args;
use columns_generator::seeds::SeedRange;

/// Which seeds a search uses.
#[derive(Debug, Args)]
pub(crate) struct SearchSeeds {
    /// The first seed of the first generation; the others follow
    #[arg(long, value_name = "SEED", default_value_t = 1_000_000)]
    pub(crate) seeds_from: u64,
    /// Seeds to validate the result on
    #[arg(long, value_name = "A..=B", default_value = "500000..=500499")]
    pub(crate) held_out: SeedRange,
    /// Seed of the search's own random numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
}
