//! A complete bot: a beam that values points, the chains that one more jewel would set off, and
//! room. A first search shows how long the game lasts, so that the second one can be wide.
//!
//! ```sh
//! cargo build --release -p columns-core --example beam
//! judge run --seeds 101..=112 --bot target/release/examples/beam
//! ```

#![allow(clippy::print_stdout)] // a bot prints its plan

use columns_core::beam::{Budget, Position, best_path};
use columns_core::field::Chain;
use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simulator::Simulator;

/// The number of states of both searches together: about two seconds.
const STATES: u64 = 100_000;

/// A game in progress, and the number of colours in excess of six, at most 4: they need more room.
#[derive(Clone, Copy)]
struct State<'c>(Simulator<'c>, i32);

impl Position for State<'_> {
    type Move = Placement;

    fn children(&self, list: &mut dyn FnMut(Placement, Self)) {
        for place in 0..3 * self.0.case().width() {
            let (mut game, stack, shift) = (self.0, place / 3, place % 3);
            if game.place(Placement { stack, shift }).is_ok() {
                list(Placement { stack, shift }, Self(game, self.1));
            }
        }
    }

    fn score(&self) -> i64 {
        self.0.points() as i64
    }

    /// Values a game in hundredths of a match. `children` runs too often to do this.
    fn value(&self) -> i32 {
        let Self(game, excess) = self;
        let worth = |chain: Chain| {
            chain.points as i32 * (75 - 8 * excess) + chain.steps as i32 * (250 - 32 * excess)
        };
        let (mut value, mut chains) = ((game.points() / MATCH_POINTS) as i32 * 100, 0);
        value += worth(game.best_chain(|chain| {
            chains += 100;
            worth(chain).into()
        }));
        for stack in 0..game.case().width() {
            let height = game.stack_height(stack) as i32;
            value += 300 * i32::from(height + 3 <= game.case().height() as i32);
            value -= (5 + 20 * excess) * height + (5 + 25 * excess) * height * height / 10;
        }
        value + chains
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let case: Case = std::io::read_to_string(std::io::stdin())?.parse()?;
    let (columns, colours) = (case.columns().len(), case.palette().len() as i32);
    let root = State(Simulator::new(&case), (colours - 6).clamp(0, 4));
    let search = |root, layers, budget| best_path(root, layers, budget, &|| 0.0);
    let first = search(root, columns, Budget::Nodes(STATES / 8));
    let horizon = columns.min(2 * first.depth);
    let second = search(root, horizon, Budget::Nodes(STATES / 8 * 7));
    let (mut placements, mut end) = (first.better_of(second).path, root);
    for &placement in &placements {
        end.0.place(placement)?;
    }
    // The game can last more than twice as long as in the first search.
    placements.extend(search(end, columns - placements.len(), Budget::Width(3)).path);
    print!("{}", Plan { placements });
    Ok(())
}
