//! A work budget, which limits a search in place of a clock. The search finds the same plan on every machine.
//! On the machine where the prices were measured, the search takes about as long as with a clock.
//!
//! Instead of reading a clock, the search computes the price of its [`Costs`] so far. Each kind of work has a
//! price: the processor time that this work took on the machine where the prices were measured. With
//! [`Budget::Deadline`], the price controls a search as a clock does in the contest, but the plan is
//! identical on every machine and under any load.
//!
//! The prices were measured on an AMD EPYC (Zen 4) on 2026-11-22, and fitted by this command, which
//! also reports how closely the work tracks the time:
//!
//! ```text
//! cargo bench -p columns-tuner --bench work -- --fit
//! ```

use crate::search::player::Player;
use crate::search::{Machine, Search, Solution, smallest_layout};
use columns_core::beam::{Budget, Costs, Meter};
use columns_core::rules::case::Case;
use columns_core::simd::InstructionSet;

/// The number of kinds of work, one for each field of [`Costs`].
pub const WORK_KIND_COUNT: usize = 6;

/// The price of each kind of work, in picoseconds per unit, in the order of [`counts`].
pub type Prices = [u64; WORK_KIND_COUNT];

/// Returns the number of units of each kind of work in `costs`.
pub fn counts(costs: Costs) -> [u64; WORK_KIND_COUNT] {
    [
        costs.expanded_states,
        costs.listed_children,
        costs.nodes,
        costs.game_work,
        costs.layers,
        costs.sorting,
    ]
}

/// The prices for each [`Layout`](columns_core::field::Layout) of the field, in the order of its variants.
const PRICES: [Prices; 6] = [
    [85_000, 32_800, 233_700, 33_700, 8_151_000, 25_100],
    [324_300, 27_600, 648_600, 22_300, 4_416_000, 5_000],
    [135_200, 40_200, 805_200, 20_900, 3_508_000, 0],
    [230_500, 37_800, 464_700, 25_600, 12_730_000, 27_500],
    [173_700, 44_200, 825_400, 24_200, 5_717_000, 7_600],
    [0, 48_000, 1_036_400, 25_900, 4_801_000, 0],
];

/// Returns the prices for a case, which depend on its width and its number of colours.
pub fn prices(case: &Case) -> &'static Prices {
    &PRICES[smallest_layout(case) as usize]
}

/// Plays a case with a budget of `limit_s` seconds of work, on one thread.
pub fn play_metered(case: &Case, player: Player, limit_s: f64, cpu: InstructionSet) -> Solution {
    let prices = prices(case);
    let meter = |costs: &Costs| {
        let each = counts(*costs).into_iter().zip(prices);
        each.map(|(count, price)| count * price).sum::<u64>() as f64 / 1e12
    };
    play(case, player, Budget::Deadline(limit_s), &meter, cpu)
}

/// Plays a case with a beam of this width. Returns the costs of the search.
pub fn measure_costs(case: &Case, player: Player, width: usize, cpu: InstructionSet) -> Costs {
    play(case, player, Budget::Width(width), &|_| 0.0, cpu)
        .search
        .costs
}

fn play(
    case: &Case,
    player: Player,
    budget: Budget,
    meter: Meter,
    cpu: InstructionSet,
) -> Solution {
    let (machine, observer) = (Machine::new(cpu, 1), &mut ());
    let search = Search::new(case, player, budget, meter, machine, observer);
    smallest_layout(case).run(search)
}
