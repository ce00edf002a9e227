//! A complete bot: a beam search that values points, empty cells, and the best chain that one more jewel
//! would set off.
//!
//! ```sh
//! cargo build --release -p columns-core --example beam
//! judge run --seeds 101..=112 --bot 'target/release/examples/beam --time-limit 2'
//! ```

#![allow(clippy::print_stdout)] // a bot prints its plan

use columns_core::beam::{Budget, Position, find_best_path};
use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simulator::{Chain, Simulator, Trigger};
use std::error::Error;
use std::time::Instant;

/// The time at which the search ends, in seconds after the start. The contest allows 4; the margin is for a
/// busy machine.
const TIME_LIMIT: f64 = 3.5;

/// A state of the search: a game in progress, and its best trigger.
#[derive(Clone, Copy)]
struct State<'c> {
    game: Simulator<'c>,
    /// The number of colours in excess of six, at most 4. With more colours, fewer jewels match, so empty
    /// cells matter more.
    colour_excess: i64,
    /// The jewel that would set off the best chain, and that chain; `None` if there is none.
    trigger: Option<(Trigger, Chain)>,
    /// The number of jewels that would set off a chain.
    trigger_count: i64,
}

/// Returns the worth of a chain that one jewel would set off, in hundredths of a match.
fn worth(chain: Chain) -> i64 {
    85 * i64::from(chain.points) + 300 * i64::from(chain.steps)
}

impl Position for State<'_> {
    type Move = Placement;
    const QUOTA_SHARE: f64 = 0.1;

    /// Lists the children with their parent's trigger. [`evaluate`](Self::evaluate) finds the best trigger of
    /// each child that is built.
    fn children(&self, list: &mut dyn FnMut(Placement, Self)) {
        for stack in 0..self.game.case().width() {
            for placement in (0..3).map(|shift| Placement { stack, shift }) {
                if let Some(mut child) = self.child(placement) {
                    if let Some((trigger, chain)) = &mut child.trigger {
                        *chain = child.game.simulate_trigger(*trigger);
                    }
                    list(placement, child);
                }
            }
        }
    }

    fn child(&self, placement: Placement) -> Option<Self> {
        let mut child = *self;
        child.game.place(placement).ok()?;
        Some(child)
    }

    /// Finds the best trigger. This takes too long for children that are only listed.
    fn evaluate(&mut self) {
        self.trigger_count = 0;
        self.trigger = self.game.find_best_trigger(|_, chain| {
            self.trigger_count += 1;
            worth(chain)
        });
    }

    fn score(&self) -> i64 {
        self.game.points() as i64
    }

    /// Returns the value of the game in hundredths of a match.
    fn value(&self) -> i64 {
        let earned = (self.game.points() / MATCH_POINTS) as i64 * 100;
        if self.game.next_column().is_none() {
            return earned; // no later jewel can set off a chain
        }
        let chains = self.trigger.map_or(0, |(_, chain)| worth(chain)) + 150 * self.trigger_count;
        let (jewels, open) = (
            self.game.jewel_count() as i64,
            self.game.open_stack_count() as i64,
        );
        earned + chains + 300 * open - (5 + 20 * self.colour_excess) * jewels
    }

    /// Values empty cells more than [`value`](Self::value), so that part of the beam survives if the games
    /// of the most valuable positions end.
    fn quota_score(&self) -> i64 {
        let (jewels, open) = (
            self.game.jewel_count() as i64,
            self.game.open_stack_count() as i64,
        );
        self.value() + 2000 * open - (100 + 50 * self.colour_excess) * jewels
    }

    fn hash(&self) -> u64 {
        self.game.hash()
    }
}

/// Returns the value of the option `--time-limit`, or [`TIME_LIMIT`].
fn time_limit() -> Result<f64, Box<dyn Error>> {
    let options: Vec<String> = std::env::args().skip(1).collect();
    match &options[..] {
        [] => Ok(TIME_LIMIT),
        [name, seconds] if name == "--time-limit" => Ok(seconds.parse()?),
        _ => Err("expected no option but --time-limit SECONDS".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (start, time_limit) = (Instant::now(), time_limit()?);
    let case: Case = std::io::read_to_string(std::io::stdin())?.parse()?;
    let root = State {
        game: Simulator::new(&case),
        colour_excess: (case.palette().len() as i64 - 6).clamp(0, 4),
        trigger: None,
        trigger_count: 0,
    };
    let budget = Budget::Deadline(time_limit);
    let clock = || start.elapsed().as_secs_f64();
    let placements = find_best_path(root, case.columns().len(), budget, &clock).path;
    print!("{}", Plan { placements });
    Ok(())
}
