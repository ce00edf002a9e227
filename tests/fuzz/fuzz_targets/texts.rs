//! Parses cases and plans. A valid case or plan must survive a round trip through its text, and the plan's
//! score must equal the score of its replay.

#![no_main]

use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use columns_core::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(both) = text::decode_utf8(bytes) else {
        return;
    };
    // The input is a case, a line `plan`, and the plan.
    let (case, plan) = both.split_once("\nplan\n").unwrap_or((both, ""));
    let Ok(case) = case.parse::<Case>() else {
        return;
    };
    assert_eq!(case.to_string().parse::<Case>().as_ref(), Ok(&case));
    let Ok(plan) = Plan::parse(plan, case.width(), case.columns().len()) else {
        return;
    };
    let again = Plan::parse(&plan.to_string(), case.width(), case.columns().len());
    assert_eq!(again.as_ref(), Ok(&plan));
    let outcome = replay::score(&case, &plan);
    let turns = replay::replay(&case, &plan);
    let (points, longest_chain) = turns
        .last()
        .map_or((0, 0), |turn| (turn.total_points, turn.longest_chain));
    let replayed = replay::Outcome {
        points,
        placed_columns: turns.len(),
        ended_early: turns.len() < case.columns().len(),
        longest_chain,
    };
    assert_eq!(replayed, outcome);
});
