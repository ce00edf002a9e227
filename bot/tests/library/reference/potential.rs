//! Compares the potential with the results of all triggers, each of which is played on a grid.

use super::grid::Grid;
use super::position::{Position, PositionTest, test_positions};
use crate::random::Random;
use columns_bot::Weights;
use columns_bot::eval::context::Context;
use columns_bot::eval::potential::evaluate;
use columns_bot::eval::state::State;
use columns_core::field::Trigger;
use columns_core::rules::case::Case;
use columns_core::simd::Portable;

/// A trigger with the points and the steps of its chain, and the field after the chain.
pub(crate) struct FiredTrigger {
    pub(crate) trigger: Trigger,
    pub(crate) points: u32,
    pub(crate) steps: u32,
    pub(crate) after: Grid,
}

/// Converts a weight to an integer in units of 1/256, rounded.
pub(crate) fn scale_weight(weight: f64) -> i32 {
    (weight * 256.0).round() as i32
}

/// Computes the worth of a chain on the field of `grid`, whose size decides the weight of a step.
pub(crate) fn chain_value(weights: &Weights, grid: &Grid, points: u32, steps: u32) -> i32 {
    let is_large = grid.width * grid.height >= 150;
    let step = weights.steps + if is_large { weights.steps_large } else { 0.0 };
    points as i32 * scale_weight(weights.potential) + steps as i32 * scale_weight(step)
}

/// Plays the triggers on all open stacks, for all colours that are still to come.
pub(crate) fn fire_all<const W: usize, const P: usize>(
    position: &Position<W, P>,
) -> Vec<FiredTrigger> {
    let grid = &position.grid;
    let mut all = Vec::new();
    for x in grid.open_stacks() {
        let top = grid.stacks[x].len() as isize;
        for code in (1..=position.colour_count).filter(|&code| position.has_colour_left(code)) {
            let fires = [0, 1].map(|above| grid.completes_any((x as isize, top + above), code));
            let is_on_filler = match fires {
                [true, _] => false,
                [false, true] => true,
                _ => continue,
            };
            let trigger = Trigger {
                stack: x as u8,
                code,
                is_on_filler,
            };
            let (points, steps, after) = fire::<P>(grid, trigger);
            all.push(FiredTrigger {
                trigger,
                points,
                steps,
                after,
            });
        }
    }
    all
}

/// Plays the chain of a trigger. Returns the points, the number of steps, and the field after the chain.
pub(crate) fn fire<const P: usize>(grid: &Grid, trigger: Trigger) -> (u32, u32, Grid) {
    let mut after = grid.with_jewels(trigger.stack.into(), &jewel_codes(trigger), false);
    let (points, steps) = after.resolve();
    (points, steps, encode_filler::<P>(after))
}

/// The code of a filler while a chain is played. No colour has this code.
const FILLER: u8 = 99;

pub(crate) fn jewel_codes(trigger: Trigger) -> Vec<u8> {
    if trigger.is_on_filler {
        vec![FILLER, trigger.code]
    } else {
        vec![trigger.code]
    }
}

/// Replaces the code of every filler with the highest code of the layout, as [`Trigger::add_filler`] does.
pub(crate) fn encode_filler<const P: usize>(mut grid: Grid) -> Grid {
    for jewel in grid.stacks.iter_mut().flatten() {
        if jewel.0 == FILLER {
            jewel.0 = [7, 15, 31][P - 3];
        }
    }
    grid
}

#[derive(Default)]
struct PotentialTest {
    triggers: usize,
    on_filler: usize,
    longest: u32,
}

impl PositionTest for PotentialTest {
    fn test<const W: usize, const P: usize>(
        &mut self,
        position: &Position<W, P>,
        random: &mut Random,
    ) {
        let (evaluation, feature_inputs) = &position.evaluate();
        let (grid, weights) = (&position.grid, &position.weights);
        let all = fire_all(position);
        let message = || format!("{grid:?} {:?}", evaluation.potential);
        let max_worth = |is_in: &dyn Fn(&Trigger) -> bool| {
            let fired = all.iter().filter(|fired| is_in(&fired.trigger));
            fired
                .map(|f| chain_value(weights, grid, f.points, f.steps))
                .max()
                .unwrap_or(0)
        };
        let chain = evaluation.potential.best_chain;
        assert_eq!(
            chain_value(weights, grid, chain.points, chain.steps),
            max_worth(&|_| true),
            "{}",
            message()
        );
        // `features.rs` tests the counts of the patterns. Here only their weighted sum is tested.
        let [on_top, above, any] = feature_inputs.patterns[1]
            .completions_by_height
            .map(|n| n as i32);
        let terms = on_top * scale_weight(weights.spot)
            + above * scale_weight(weights.second_spot)
            + any * scale_weight(weights.completion)
            + grid.open_stacks().len() as i32 * scale_weight(weights.open_stacks);
        assert_eq!(
            evaluation.potential.structure_value.0,
            terms,
            "{}",
            message()
        );
        let Some(trigger) = evaluation.potential.trigger else {
            assert!(all.is_empty(), "{}", message());
            assert_eq!(evaluation.after_chain, position.field);
            assert_eq!(
                (chain.points, evaluation.potential.other_stack_chain.points),
                (0, 0)
            );
            return;
        };
        let best = all.iter().find(|fired| fired.trigger == trigger).unwrap();
        assert_eq!(
            (chain.points, chain.steps),
            (best.points, best.steps),
            "{}",
            message()
        );
        assert_eq!(
            evaluation.after_chain,
            best.after.to_field(),
            "{}",
            message()
        );
        let other = evaluation.potential.other_stack_chain;
        let elsewhere = max_worth(&|other| other.stack != trigger.stack);
        assert_eq!(
            chain_value(weights, grid, other.points, other.steps),
            elsewhere,
            "{}",
            message()
        );
        assert_eq!(feature_inputs.trigger_count as usize, all.len());
        let strong = all.iter().filter(|fired| 2 * fired.points >= best.points);
        assert_eq!(feature_inputs.strong_trigger_count as usize, strong.count());
        let steps: u32 = all.iter().map(|fired| fired.steps + 1).sum();
        assert_eq!(feature_inputs.played_steps, steps);
        self.triggers += all.len();
        let on_filler = |fired: &&FiredTrigger| fired.trigger.is_on_filler;
        self.on_filler += all.iter().filter(on_filler).count();
        self.longest = self.longest.max(best.steps);
        // If the chain of one trigger is known, the result is the same and costs fewer steps.
        let fired = &all[random.below(all.len())];
        let mut known = State::root(position.field, 0);
        known.potential.trigger = Some(fired.trigger);
        known.potential.best_chain.points = fired.points;
        known.potential.best_chain.steps = fired.steps;
        known.after_chain = fired.after.to_field();
        for with_features in [true, false] {
            let (mut state, context) = (known, &position.context);
            let placed_columns = position.placed_columns;
            let inputs = evaluate(Portable, context, &mut state, placed_columns, with_features);
            assert_eq!(
                (state.potential, state.after_chain),
                (evaluation.potential, evaluation.after_chain)
            );
            assert_eq!(
                inputs.played_steps,
                feature_inputs.played_steps - fired.steps - 1
            );
            assert_eq!(inputs.trigger_count, feature_inputs.trigger_count);
        }
    }
}

#[test]
fn the_potential_is_the_best_of_all_triggers_played_by_the_naive_rules() {
    let mut test = PotentialTest::default();
    test_positions(1, 6, &mut test);
    assert!(
        test.triggers > 5000 && test.on_filler > 1000,
        "{} {}",
        test.triggers,
        test.on_filler
    );
    assert!(test.longest >= 4, "{}", test.longest);
}

#[test]
fn the_worked_examples_of_the_modules_are_correct() {
    let case: Case = "6 13\n2\nabc\nabc\n".parse().unwrap();
    let mut grid = Grid::new(6, 13);
    for (x, stack) in [(1, [1, 3].as_slice()), (2, &[1, 3]), (3, &[3])] {
        grid = grid.with_jewels(x, stack, false);
    }
    let weights = Weights::default();
    let position = Position::<2, 3> {
        context: Context::new(&case, &weights),
        weights,
        field: grid.to_field(),
        case,
        placed_columns: 0,
        grid,
        colour_count: 3,
    };
    let all = fire_all(&position);
    let chains = all.iter().map(|fired| {
        (
            fired.trigger.stack,
            fired.trigger.code,
            fired.points,
            fired.steps,
        )
    });
    let expected = [(0, 1, 3, 2), (0, 3, 1, 1), (1, 3, 1, 1), (3, 3, 1, 1)];
    assert_eq!(chains.collect::<Vec<_>>(), expected);
    let patterns = &position.evaluate().1.patterns[0];
    assert_eq!(patterns.pair_counts, [2, 0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(
        (
            patterns.completions_by_direction,
            patterns.completions_by_height
        ),
        ([3, 0, 1, 0], [3, 1, 4])
    );
    assert_eq!((patterns.jewel_count, patterns.bumpiness), (5, 4));
}
