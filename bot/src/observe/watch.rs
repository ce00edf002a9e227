//! Looking at the states of a search without knowing their types, and ahead from them.

use crate::observe::observer::Observer;
pub use crate::observe::observer::{RolloutConfig, Seen, Watch};
use crate::search::player::Player;
use crate::search::{Search, Solution};
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::simd::Cpu;

/// Plays a case, watched.
pub fn play_watched(
    case: &Case,
    player: Player,
    budget: Budget,
    watch: &mut dyn Watch,
) -> Solution {
    let observer = Observer {
        work: None,
        watch: Some(watch),
    };
    let search = Search {
        case,
        player,
        budget,
        clock: &|| 0.0,
        cpu: Cpu::detect(),
        observer,
    };
    search.solve()
}
