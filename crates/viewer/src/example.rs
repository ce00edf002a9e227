//! The game that a new page shows: a game played by the bot, in the middle of its longest chain.

use crate::link;
use crate::origin::Origin;
use crate::record::Record;
use columns_generator::Profile;
use columns_generator::args::SpecArgs;
use serde::Serialize;

/// The generator's options of the example's case, whose field fits every screen.
const OPTIONS: SpecArgs = SpecArgs {
    profile: Profile::Constant,
    width: Some(8),
    height: Some(15),
    columns: Some(120),
    colours: Some(5),
    palette: None,
    magic_rate: None,
};
/// The seed of this case.
const SEED: u64 = 13;

/// The bot's plan for this case, from a search of 400,000 nodes, packed by [`link::pack_plan`].
const PLAN: &str = "348b6h7ac6ckfljmcfkel7fje95mhj0446af38cb8g6kgnicgmcfc0kk3mn0\
    083b69dh388bdfbjn3ckg0feli9fd1h7hbdc93heb5741a3j8717ij5c0n03";

/// A game and a moment in it.
#[derive(Debug, Serialize)]
pub(crate) struct Example {
    /// The seed and options that generate the case.
    pub(crate) origin: Origin,
    pub(crate) plan: String,
    /// The turn of the longest chain.
    pub(crate) turn: usize,
    /// The moment at which the matches of the chain's middle step are marked.
    pub(crate) moment: usize,
}

/// Returns the game that a new page shows.
pub(crate) fn example() -> Example {
    let origin = Origin::new(SEED, &OPTIONS);
    let case = origin.case().expect("an origin of this page");
    let plan = link::unpack_plan(PLAN, &case).expect("a plan of this case");
    let record = Record::new(case, &plan);
    let steps = record.turns().iter().map(|turn| turn.steps.len());
    let longest = steps.enumerate().max_by_key(|&(_, steps)| steps);
    let (turn, steps) = longest.expect("a plan with turns");
    Example {
        origin,
        plan: plan.to_string(),
        turn,
        moment: 2 + 3 * (steps / 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Kind;
    use columns_core::rules::plan::Plan;
    use columns_core::rules::quickstart::quickstart;
    use columns_core::rules::replay;

    #[test]
    fn it_is_a_long_chain_of_a_good_game() {
        let example = example();
        let case = example.origin.case().unwrap();
        let plan = Plan::parse(&example.plan, case.width(), case.columns().len()).unwrap();
        let outcome = replay::score(&case, &plan);
        assert!(!outcome.ended_early && outcome.longest_chain >= 10);
        let rival = replay::score(&case, &quickstart(&case)).points;
        assert!(outcome.points > 10 * rival);
        let frame = Record::new(case, &plan).frame(example.turn, example.moment);
        assert_eq!(frame.kind, Kind::Marked);
        assert_eq!(frame.combo, outcome.longest_chain / 2 + 1);
    }
}
