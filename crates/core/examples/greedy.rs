//! A complete bot in a few lines. It looks two columns ahead: of the eight best placements of the next
//! column, it chooses the one after which the best placement of the second column is worth most. When the
//! time is up, it looks only one column ahead.
//!
//! ```sh
//! cargo build --release -p columns-core --example greedy
//! judge run --seeds 101..=112 --bot target/release/examples/greedy
//! ```

#![allow(clippy::print_stdout)] // a bot prints its plan

use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simulator::{Chain, Simulator};
use std::error::Error;
use std::time::Instant;

/// The time limit for looking two columns ahead, in seconds after the start. The contest allows 4.
const TIME_LIMIT: f64 = 3.5;

/// Returns the value of a game in hundredths of a match: points, the best chain that one more jewel would
/// set off, the number of such chains, and low stacks. `colour_excess` is the number of colours in excess of
/// six; the larger it is, the more low stacks matter.
fn value(game: &Simulator, colour_excess: i64) -> i64 {
    let worth = |chain: Chain| {
        let (points, steps) = (i64::from(chain.points), i64::from(chain.steps));
        points * (75 - 8 * colour_excess) + steps * (250 - 32 * colour_excess)
    };
    let mut chains = 0;
    let best = game.find_best_trigger(|_, chain| {
        chains += 100;
        worth(chain)
    });
    let best = best.map_or(0, |(_, chain)| worth(chain));
    let heights = (0..game.case().width()).map(|stack| game.stack_height(stack) as i64);
    let height_penalty: i64 = heights
        .map(|height| height * height * (5 + 3 * colour_excess))
        .sum();
    (game.points() / MATCH_POINTS) as i64 * 100 + best + chains - height_penalty
}

/// Returns the possible placements of the next column, each with the game after it and that game's value. The
/// most valuable game comes first.
fn children<'c>(game: &Simulator<'c>, colour_excess: i64) -> Vec<(i64, Placement, Simulator<'c>)> {
    let stacks = 0..game.case().width();
    let placements = stacks.flat_map(|stack| (0..3).map(move |shift| Placement { stack, shift }));
    let children = placements.filter_map(|placement| {
        let mut child = *game;
        child.place(placement).ok()?;
        Some((value(&child, colour_excess), placement, child))
    });
    let mut children: Vec<_> = children.collect();
    children.sort_by_key(|child| -child.0);
    children
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
    let colour_excess = (case.palette().len() as i64 - 6).clamp(0, 4);
    let mut game = Simulator::new(&case);
    let mut plan = Plan::default();
    loop {
        let look_ahead = |(now, _, child): &(i64, Placement, Simulator)| {
            children(child, colour_excess)
                .first()
                .map_or(*now, |next| next.0)
        };
        let is_late = start.elapsed().as_secs_f64() > time_limit;
        let breadth = if is_late { 1 } else { 8 };
        let children = children(&game, colour_excess).into_iter().take(breadth);
        let Some((_, placement, after)) = children.max_by_key(look_ahead) else {
            break;
        };
        plan.placements.push(placement);
        game = after;
    }
    print!("{plan}");
    Ok(())
}
