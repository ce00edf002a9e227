//! The game that a new page shows: a game of the bot, in the middle of its longest chain.

/// The address of the example: its seed, generator options, plan and moment. The field is small enough for
/// every screen. The plan comes from a search of 400,000 states.
pub(crate) const EXAMPLE_ADDRESS: &str = "seed=13&profile=constant&width=8&height=15&columns=120&colours=5&\
    plan=348b6h7ac6ckfljmcfkel7fje95mhj0446af38cb8g6kgnicgmcfc0kk3mn0\
    083b69dh388bdfbjn3ckg0feli9fd1h7hbdc93heb5741a3j8717ij5c0n03&at=60.32";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Stage;
    use crate::link;
    use crate::origin::Origin;
    use crate::record::Record;
    use columns_core::rules::quickstart::play_quickstart;
    use columns_core::rules::replay;
    use std::collections::BTreeMap;

    #[test]
    fn it_is_a_long_chain_of_a_good_game() {
        let values = EXAMPLE_ADDRESS
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        let mut options: BTreeMap<String, String> = values
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let [seed, plan, at] = ["seed", "plan", "at"].map(|name| options.remove(name).unwrap());
        let case = Origin { seed, options }.generate_case().unwrap();
        let plan = link::unpack_plan(&plan, &case).unwrap();
        let outcome = replay::score(&case, &plan);
        assert!(!outcome.ended_early && outcome.longest_chain >= 10);
        let rival = replay::score(&case, &play_quickstart(&case)).points;
        assert!(outcome.points > 10 * rival);
        let (turn, moment) = at.split_once('.').unwrap();
        let record = Record::new(case, &plan, usize::MAX);
        let frame = record.frame(turn.parse().unwrap(), moment.parse().unwrap());
        assert_eq!(frame.stage, Stage::Marked);
        assert_eq!(frame.combo, outcome.longest_chain / 2 + 1);
    }
}
