//! A budget that is the same on every machine and follows the time: equal work is equal time.
//!
//! A meter is a clock for a search. It does not show seconds gone by but what the things that
//! the search has done take together, each at its price: the processor time that it takes on the
//! machine on which the prices were measured. So a search within [`Budget::Until`] is steered by it
//! as it is in the contest, and comes to the same plan to the bit, whatever the machine and its load.
//!
//! The prices are those of an AMD EPYC (Zen 4), measured and fitted on 2026-11-22 by
//! `cargo bench -p columns-tuner --bench work -- --fit`, which also says how far work and time are
//! apart.

use crate::search::{play, Observer, Player, Solution};
use columns_core::beam::Budget;
use columns_core::case::Case;
use columns_core::isa::Cpu;
use std::cell::Cell;

/// How often things were done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// States whose children were listed.
    pub expanded: u64,
    /// Children listed.
    pub listed: u64,
    /// States built and evaluated.
    pub evaluated: u64,
    /// Steps of chains played; one more for each chain, whose start costs as much.
    pub steps: u64,
    /// Layers.
    pub layers: u64,
    /// For each layer the states evaluated times the logarithm to base 2 of their number: they are
    /// sorted, and the more there are, the farther away is the memory that they lie in.
    pub sorted: u64,
}

impl Work {
    /// The same in the order of [`Prices`].
    pub fn counts(self) -> [u64; KINDS] {
        [
            self.expanded,
            self.listed,
            self.evaluated,
            self.steps,
            self.layers,
            self.sorted,
        ]
    }
}

/// How many kinds of work there are.
pub const KINDS: usize = 6;

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

/// Counts what a search does; see the module.
struct Meter {
    prices: &'static Prices,
    done: Cell<Work>,
}

impl Meter {
    /// A meter for the search of a case, at 0.
    fn new(case: &Case) -> Self {
        Self {
            prices: prices(case),
            done: Cell::default(),
        }
    }

    /// What was done so far.
    fn done(&self) -> Work {
        self.done.get()
    }

    /// How long that takes, in seconds.
    fn seconds(&self) -> f64 {
        let counts = self.done().counts();
        let each = counts.iter().zip(self.prices);
        each.map(|(count, price)| count * price).sum::<u64>() as f64 / 1e12
    }
}

impl Observer for &Meter {
    const LISTENS: bool = false;

    fn worked(&mut self, listed: Option<usize>, evaluated: usize, steps: u32) {
        let mut done = self.done();
        done.expanded += u64::from(listed.is_some());
        done.listed += listed.unwrap_or(0) as u64;
        done.steps += u64::from(steps);
        if evaluated > 0 {
            let states = evaluated as u64;
            done.evaluated += states;
            done.layers += 1;
            done.sorted += states * u64::from(states.ilog2());
        }
        self.done.set(done);
    }
}

/// Plays a case with so many seconds of work.
pub fn play_metered(case: &Case, player: Player, seconds: f64, cpu: Cpu) -> Solution {
    let meter = Meter::new(case);
    let clock = || meter.seconds();
    play(case, player, Budget::Until(seconds), &clock, cpu, &meter)
}

/// Plays a case by a beam of this width, and returns what that took.
pub fn measure(case: &Case, player: Player, width: usize, cpu: Cpu) -> Work {
    let meter = Meter::new(case);
    play(case, player, Budget::Width(width), &|| 0.0, cpu, &meter);
    meter.done()
}
