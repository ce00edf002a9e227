//! A complete bot in few lines: it looks two columns ahead, for the three best places of the first,
//! and fires a chain late, when the field is nearly full.
//!
//! ```sh
//! cargo build --release -p columns-core --example greedy
//! judge run --seeds 1..=20 --bot target/release/examples/greedy
//! ```

#![allow(clippy::print_stdout)] // a bot prints its plan

use columns_core::rules::case::{Case, Colour, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simulator::Simulator;
use std::error::Error;

/// What a game is worth, in hundredths of a match: what is paid, the best chain that one more jewel
/// would set off, less the squares of the heights. While there is room, a promised chain counts more
/// than a paid one.
fn value(game: &Simulator, palette: &[Colour]) -> i64 {
    let (width, height) = (game.case().width(), game.case().height());
    let heights: Vec<usize> = (0..width).map(|stack| game.stack_height(stack)).collect();
    let has_room = heights.iter().sum::<usize>() * 4 < width * height * 3;
    let percent = if has_room { 130 } else { 70 };
    let open = (0..width).filter(|&stack| heights[stack] + 3 <= height);
    let chains =
        open.flat_map(|stack| palette.iter().map(move |&jewel| game.fire(stack, &[jewel])));
    let worth = chains.map(|chain| i64::from(chain.points + 2 * chain.steps) * percent);
    let squares: usize = heights.iter().map(|height| height * height).sum();
    (game.points() / MATCH_POINTS) as i64 * 100 + worth.max().unwrap_or(-1000) - 9 * squares as i64
}

/// The games after each placement of the next column, the most valuable first.
fn children<'c>(game: &Simulator<'c>, palette: &[Colour]) -> Vec<(i64, Placement, Simulator<'c>)> {
    let stacks = 0..game.case().width();
    let places = stacks.flat_map(|stack| (0..3).map(move |shift| Placement { stack, shift }));
    let after = places.filter_map(|placement| {
        let mut after = *game;
        after.place(placement).ok()?;
        Some((value(&after, palette), placement, after))
    });
    let mut children: Vec<_> = after.collect();
    children.sort_by_key(|child| -child.0);
    children
}

fn main() -> Result<(), Box<dyn Error>> {
    let case: Case = std::io::read_to_string(std::io::stdin())?.parse()?;
    let palette = case.palette();
    let mut game = Simulator::new(&case);
    let mut plan = Plan::default();
    loop {
        let best = children(&game, &palette)
            .into_iter()
            .take(3)
            .max_by_key(|(now, _, child)| {
                let next = children(child, &palette);
                next.first().map_or(*now, |next| next.0)
            });
        let Some((_, placement, after)) = best else {
            break;
        };
        plan.placements.push(placement);
        game = after;
    }
    print!("{plan}");
    Ok(())
}
