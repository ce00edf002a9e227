//! A complete bot: a beam that values points and the best chain that one more jewel would set off.
//! `cargo build --release --examples -p columns-core`, then
//! `judge run --seeds 1..=20 --bot target/release/examples/beam`

#![allow(clippy::print_stdout)] // a bot prints its plan

use columns_core::beam::{best_path, Budget, Position};
use columns_core::rules::case::{Case, Colour, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simulator::Simulator;
use std::time::Instant;

/// A game in play, and its value in hundredths of a match.
#[derive(Clone, Copy)]
struct State<'c> {
    game: Simulator<'c>,
    palette: &'c [Colour],
    value: i32,
}

/// Values a game: what is paid, 85 % of the best chain that one more jewel would set off and 3.5
/// matches for each of its steps, and 3 matches for each stack that can take a column.
fn value(game: &Simulator, palette: &[Colour]) -> i32 {
    let paid = (game.points() / MATCH_POINTS) as i32 * 100;
    let (mut open, mut best) = (0, 0);
    for stack in 0..game.case().width() {
        if game.stack_height(stack) + 3 <= game.case().height() {
            open += 1;
            for &jewel in palette {
                let chain = game.fire(stack, &[jewel]);
                best = best.max(chain.points as i32 * 85 + chain.steps as i32 * 350);
            }
        }
    }
    paid + best + 300 * open
}

impl Position for State<'_> {
    type Move = Placement;
    fn children(&self, list: &mut dyn FnMut(Placement, Self)) {
        for place in 0..3 * self.game.case().width() {
            let (mut game, (stack, shift)) = (self.game, (place / 3, place % 3));
            if game.place(Placement { stack, shift }).is_ok() {
                let value = value(&game, self.palette);
                list(
                    Placement { stack, shift },
                    State {
                        game,
                        value,
                        ..*self
                    },
                );
            }
        }
    }
    fn score(&self) -> i64 {
        self.game.points() as i64
    }
    fn value(&self) -> i32 {
        self.value
    }
    fn hash(&self) -> u64 {
        self.game.hash()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let case: Case = std::io::read_to_string(std::io::stdin())?.parse()?;
    let (game, palette) = (Simulator::new(&case), &case.palette());
    let root = State {
        game,
        palette,
        value: 0,
    };
    let (layers, clock) = (case.columns().len(), || start.elapsed().as_secs_f64());
    let placements = best_path(root, layers, Budget::Until(3.5), &clock).path;
    print!("{}", Plan { placements });
    Ok(())
}
