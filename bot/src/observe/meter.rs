//! A budget that is the same on every machine and follows the time: equal work is equal time.
//!
//! A meter is a clock for a search. It does not show the time but the work that the search has
//! done, each kind at its price: the processor time that it takes on the machine where the prices
//! were measured. So a search within [`Budget::Until`] is steered by it as in the contest, and
//! comes to the same plan to the bit, whatever the machine and its load.
//!
//! The prices are those of an AMD EPYC (Zen 4), measured and fitted on 2026-11-22 by
//! `cargo bench -p columns-tuner --bench work -- --fit`, which also says how far work and time are
//! apart.

use crate::observe::work::Counting;
pub use crate::observe::work::{Work, KINDS};
use crate::search::player::Player;
use crate::search::{simulator, Cores, Search, Solution};
use columns_core::beam::{Budget, Clock};
use columns_core::rules::case::Case;
use columns_core::simd::Cpu;
use std::cell::Cell;

/// What each of [`Work::counts`] takes, in picoseconds.
pub type Prices = [u64; KINDS];

/// The prices of each simulator: up to 7, 15 and 26 colours; up to six stacks, and more.
const PRICES: [[Prices; 2]; 3] = [
    [
        [85_000, 32_800, 233_700, 33_700, 8_151_000, 25_100],
        [230_500, 37_800, 464_700, 25_600, 12_730_000, 27_500],
    ],
    [
        [324_300, 27_600, 648_600, 22_300, 4_416_000, 5_000],
        [173_700, 44_200, 825_400, 24_200, 5_717_000, 7_600],
    ],
    [
        [135_200, 40_200, 805_200, 20_900, 3_508_000, 0],
        [0, 48_000, 1_036_400, 25_900, 4_801_000, 0],
    ],
];

/// The prices for a case.
pub fn prices(case: &Case) -> &'static Prices {
    let planes = match case.palette().len() {
        ..=7 => 0,
        8..=15 => 1,
        _ => 2,
    };
    &PRICES[planes][usize::from(case.width() > 6)]
}

/// How long work takes, in seconds.
fn seconds(work: Work, prices: &Prices) -> f64 {
    let each = work.counts().into_iter().zip(prices);
    each.map(|(count, price)| count * price).sum::<u64>() as f64 / 1e12
}

/// Plays a case with so many seconds of work.
pub fn play_metered(case: &Case, player: Player, limit: f64, cores: impl Into<Cores>) -> Solution {
    let (work, prices) = (Cell::default(), prices(case));
    let clock = || seconds(work.get(), prices);
    let cores = cores.into();
    play(case, player, Budget::Until(limit), &clock, cores, &work)
}

/// Plays a case by a beam of this width, and returns what that took.
pub fn measure(case: &Case, player: Player, width: usize, cpu: Cpu) -> Work {
    let work = Cell::default();
    let budget = Budget::Width(width);
    play(case, player, budget, &|| 0.0, cpu.into(), &work);
    work.get()
}

/// Plays a case and counts the work.
fn play(
    case: &Case,
    player: Player,
    budget: Budget,
    clock: Clock,
    cores: Cores,
    work: &Cell<Work>,
) -> Solution {
    let search = Search {
        case,
        player,
        budget,
        clock,
        cores,
        observer: &mut Counting { work },
    };
    simulator::run_task(case, search)
}
