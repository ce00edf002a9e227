use crate::{play_placements, player};
use columns_bot::observe::explain::*;
use columns_bot::search::Machine;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Placement;
use columns_core::simd::InstructionSet;

fn case() -> Case {
    "6 13\n6\naab\nbba\nabc\nacd\nbcd\ndda\n".parse().unwrap()
}

fn at(stack: usize, shift: usize) -> Placement {
    Placement { stack, shift }
}

#[test]
fn the_points_of_a_placement_are_those_of_the_rules() {
    let case = case();
    let start = [at(0, 0), at(1, 1)];
    let explanation = explain(&case, &start, player(), InstructionSet::detect()).unwrap();
    // `abc` has three distinct shifts on each of the six stacks.
    assert_eq!(explanation.placements.len(), 18);
    for evaluated in &explanation.placements {
        let turn = play_placements(&case, &start)
            .play(evaluated.placement)
            .unwrap();
        let points: u64 = turn.steps.iter().map(|step| step.points).sum();
        assert_eq!(
            (evaluated.points, evaluated.steps),
            (points, turn.chain_length())
        );
    }
    let values: Vec<f64> = explanation.placements.iter().map(|w| w.value).collect();
    assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
}

#[test]
fn the_explanation_names_the_best_chain() {
    // The lowest jewels on stacks 0 and 1 are `a`: one more `a` on stack 2 completes a line.
    let case: Case = "6 13\n3\nabc\nacb\naaa\n".parse().unwrap();
    let start = [at(0, 0), at(1, 0)];
    let explanation = explain(&case, &start, player(), InstructionSet::Portable).unwrap();
    let chain = explanation.best_chain.unwrap();
    assert_eq!((chain.points, chain.steps), (47, 1));
    assert_eq!(
        (chain.stack, chain.colour.letter(), chain.jewel_count),
        (2, 'a', 1)
    );
    // No column is left, so no jewel can set off a chain.
    let over = explain(
        &case,
        &[at(0, 0), at(1, 0), at(5, 0)],
        player(),
        InstructionSet::Portable,
    );
    let over = over.unwrap();
    assert_eq!((over.best_chain, over.placements.len()), (None, 0));
}

#[test]
fn a_start_that_cannot_be_played_is_refused() {
    let case: Case = "6 13\n5\nabc\nabc\nabc\nabc\nabc\n".parse().unwrap();
    let stacks = |stacks: &[usize]| stacks.iter().map(|&stack| at(stack, 0)).collect();
    for (start, fits) in [
        (stacks(&[0; 4]), true),
        (stacks(&[0; 5]), false),
        // More placements than columns.
        (stacks(&[0, 1, 2, 3, 4, 5]), false),
        (stacks(&[6]), false),
        (stacks(&[70]), false),
        (vec![at(0, 3)], false),
    ] {
        let explanation = explain(&case, &start, player(), InstructionSet::detect());
        assert_eq!(explanation.is_some(), fits, "{start:?}");
    }
}

#[test]
fn advice_from_the_start_is_the_plan() {
    let case = case();
    let budget = Budget::Nodes(2000);
    let cpu = InstructionSet::detect();
    let plan = columns_bot::solve(
        &case,
        player().weights,
        budget,
        &|| 0.0,
        Machine::single_threaded(),
    );
    let (_, advice) = advise(&case, &[], 99, player(), budget, &|| 0.0, cpu).unwrap();
    assert_eq!(advice.placements, plan.plan.placements);
    assert_eq!(advice.points, plan.points);
    assert!(plan.points > 0);
    // Advice counts only the points of its own placements. Here, its placements score all points of the game,
    // since the two starting placements score nothing.
    let start = vec![at(4, 2), at(4, 0)];
    let (_, onward) = advise(&case, &start, 3, player(), budget, &|| 0.0, cpu).unwrap();
    assert!(!onward.placements.is_empty() && onward.placements.len() <= 3);
    let placements = [start, onward.placements].concat();
    let points = play_placements(&case, &placements).outcome().points;
    assert_eq!(points, onward.points);
    assert!(onward.points > 0);
}
