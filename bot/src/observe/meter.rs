//! A budget of work: about as long as a budget of time, but the same on every machine.
//!
//! A meter is a clock for a search. Instead of the time, a meter shows the work that the search has
//! done. Each kind of work has a price: the processor time that this work took on the machine where
//! the prices were measured. With [`Budget::Deadline`], a meter controls a search as a clock does in the
//! contest, but the plan is identical on every machine and under any load.
//!
//! The prices were measured on an AMD EPYC (Zen 4) on 2026-11-22, and fitted by this command, which
//! also reports by how much work and time differ:
//!
//! ```text
//! cargo bench -p columns-tuner --bench work -- --fit
//! ```

use crate::observe::work::WorkCounter;
pub use crate::observe::work::{WORK_KIND_COUNT, Work};
use crate::search::player::Player;
use crate::search::{Machine, Search, Solution, layout};
use columns_core::beam::{Budget, Clock};
use columns_core::field::smallest_layout;
use columns_core::rules::case::Case;
use columns_core::simd::Cpu;
use std::cell::Cell;

/// The price of each kind of work, in picoseconds for each unit, in the order of [`Work::counts`].
pub type Prices = [u64; WORK_KIND_COUNT];

/// The prices for each layout of the field. There is a row each for up to 7, 15 and 26 colours; a row has the
/// prices for up to 6 stacks, then those for more.
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

/// Returns the prices for a case, which depend on its width and its number of colours.
pub fn prices(case: &Case) -> &'static Prices {
    let (words, planes) = smallest_layout(case.width(), case.palette().len());
    // There are 3 to 5 planes, and 2 or 4 words.
    &PRICES[planes - 3][words / 2 - 1]
}

/// Returns the time that `work` takes at these prices, in seconds.
fn work_seconds(work: Work, prices: &Prices) -> f64 {
    let each = work.counts().into_iter().zip(prices);
    each.map(|(count, price)| count * price).sum::<u64>() as f64 / 1e12
}

/// Plays a case with a budget of `limit_s` seconds of work.
pub fn play_metered(
    case: &Case,
    player: Player,
    limit_s: f64,
    machine: impl Into<Machine>,
) -> Solution {
    let (work, prices) = (Cell::default(), prices(case));
    let clock = || work_seconds(work.get(), prices);
    let machine = machine.into();
    play(
        case,
        player,
        Budget::Deadline(limit_s),
        &clock,
        machine,
        &work,
    )
}

/// Plays a case with a beam of this width. Returns the work of the search.
pub fn measure_work(case: &Case, player: Player, width: usize, cpu: Cpu) -> Work {
    let work = Cell::default();
    let budget = Budget::Width(width);
    play(case, player, budget, &|| 0.0, cpu.into(), &work);
    work.get()
}

/// Plays a case. Adds the work of the search to `work`.
fn play(
    case: &Case,
    player: Player,
    budget: Budget,
    clock: Clock,
    machine: Machine,
    work: &Cell<Work>,
) -> Solution {
    let observer = &mut WorkCounter { work };
    let search = Search::new(case, player, budget, clock, machine, observer);
    layout::run_task(case, search)
}
