//! Compares the referee, which plays plans on the naive field, with a replay on the fast field. The two
//! fields share no code.

use columns_core::field::Field;
use columns_core::rules::case::{Case, Colour, Column, HEIGHTS, MATCH_POINTS, MAX_COLOURS, WIDTHS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, Outcome};
use columns_core::simd::{InstructionSet, Isa, Kernel, Scalar, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// The kernel that replays a plan from its text, on a field of `W` words and 5 planes.
struct Replayed<'a, const W: usize> {
    case: &'a Case,
    plan: &'a str,
}

impl<const W: usize> Kernel for Replayed<'_, W> {
    type Return = Outcome;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Outcome {
        // A second parser of the plan's text: position and shift of each column, `1 0` for columns
        // that the plan does not mention.
        let mut numbers = self.plan.split_whitespace().map(|n| n.parse().unwrap());
        let t: usize = numbers.next().unwrap();
        let mut field = Field::<W, 5>::EMPTY;
        let mut outcome = Outcome {
            points: 0,
            placed: 0,
            ended_early: false,
            longest_chain: 0,
        };
        for (index, column) in self.case.columns().iter().enumerate() {
            let (position, shift) = if index < t {
                (numbers.next().unwrap(), numbers.next().unwrap())
            } else {
                (1, 0)
            };
            let codes = match *column {
                Column::Magic => None,
                Column::Jewels(jewels) => {
                    let code = |i: usize| jewels[i % 3].index() as u8 + 1;
                    Some([code(shift), code(shift + 1), code(shift + 2)])
                }
            };
            let height = self.case.height() as u32;
            let placed = field.place(isa, height, position - 1, codes);
            let Some((chain, after)) = placed else {
                outcome.ended_early = true;
                break;
            };
            field = after;
            outcome.placed += 1;
            outcome.points += MATCH_POINTS * u64::from(chain.points);
            outcome.longest_chain = outcome.longest_chain.max(chain.steps as usize);
        }
        outcome
    }
}

/// Plays a plan with every instruction set.
fn replayed(case: &Case, plan: &str) -> [Outcome; 3] {
    fn on_all<const W: usize>(case: &Case, plan: &str) -> [Outcome; 3] {
        let kernel = || Replayed::<W> { case, plan };
        [
            Scalar.enter(kernel()),
            run(InstructionSet::Portable, kernel()),
            run(InstructionSet::Bmi2, kernel()),
        ]
    }
    if case.width() <= 6 {
        on_all::<2>(case, plan)
    } else {
        on_all::<4>(case, plan)
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let length = prop_oneof![4 => 1..60usize, 1 => 60..600usize];
    (WIDTHS, HEIGHTS, 1..=MAX_COLOURS, 2..6usize, length).prop_flat_map(
        |(width, height, colours, few, length)| {
            // Half of the cases have few colours, so that many jewels are cleared.
            let colours = prop_oneof![Just(colours), Just(few)];
            colours.prop_flat_map(move |colours| {
                let colour = (0..colours).prop_map(Colour::from_index);
                let jewels = [colour.clone(), colour.clone(), colour].prop_map(Column::Jewels);
                let column = prop_oneof![15 => jewels, 1 => Just(Column::Magic)];
                proptest::collection::vec(column, length)
                    .prop_map(move |columns| Case::new(width, height, columns).unwrap())
            })
        },
    )
}

/// Generates a case and a plan that places any number of its columns.
fn games() -> impl Strategy<Value = (Case, Plan)> {
    cases().prop_flat_map(|case| {
        let placement = (0..case.width(), 0..=2usize);
        let placement = placement.prop_map(|(stack, shift)| Placement { stack, shift });
        let k = case.columns().len();
        let t = prop_oneof![Just(0), Just(k), 0..=k];
        let placements = t.prop_flat_map(move |t| proptest::collection::vec(placement.clone(), t));
        (Just(case), placements).prop_map(|(case, placements)| (case, Plan { placements }))
    })
}

/// Counts of the games by kind, so that the test can check that it covers enough.
#[derive(Debug, Default)]
struct Kinds {
    early: u32,
    early_after_the_plan: u32,
    to_the_end: u32,
    scoring_after_the_plan: u32,
    chains: u32,
}

#[test]
fn the_referee_agrees_with_a_replay_on_the_fast_field() {
    let kinds = std::cell::RefCell::new(Kinds::default());
    let mut runner = TestRunner::new(Config {
        cases: 2_000,
        failure_persistence: None,
        ..Config::default()
    });
    let checked = runner.run(&games(), |(case, plan)| {
        let outcome = replay::score(&case, &plan);
        let text = plan.to_string();
        prop_assert_eq!([outcome; 3], replayed(&case, &text));
        let turns = replay::replay(&case, &plan);
        let (points, longest_chain) = turns
            .last()
            .map_or((0, 0), |turn| (turn.total_points, turn.longest_chain));
        let replayed = Outcome {
            points,
            placed: turns.len(),
            ended_early: turns.len() < case.columns().len(),
            longest_chain,
        };
        prop_assert_eq!(outcome, replayed);
        let t = plan.placements.len();
        prop_assert!(
            turns
                .iter()
                .enumerate()
                .all(|(i, turn)| turn.planned == (i < t))
        );
        let at_the_end_of_the_plan = match t.min(turns.len()) {
            0 => 0,
            placed => turns[placed - 1].total_points,
        };
        let mut kinds = kinds.borrow_mut();
        kinds.early += u32::from(outcome.ended_early);
        kinds.early_after_the_plan += u32::from(outcome.ended_early && outcome.placed >= t);
        kinds.to_the_end += u32::from(!outcome.ended_early);
        kinds.scoring_after_the_plan += u32::from(outcome.points > at_the_end_of_the_plan);
        kinds.chains += u32::from(outcome.longest_chain >= 3);
        Ok(())
    });
    checked.unwrap();
    let kinds = kinds.into_inner();
    eprintln!("{kinds:?}");
    assert!(
        kinds.early > 300 && kinds.early_after_the_plan > 100,
        "{kinds:?}"
    );
    assert!(kinds.to_the_end > 300, "{kinds:?}");
    assert!(
        kinds.scoring_after_the_plan > 100 && kinds.chains > 60,
        "{kinds:?}"
    );
}

proptest! {
    #![proptest_config(Config { cases: 300, failure_persistence: None, ..Config::default() })]

    #[test]
    fn quickstart_places_every_column_that_fits(case in cases()) {
        let plan = play_quickstart(&case);
        let outcome = replay::score(&case, &plan);
        prop_assert_eq!(outcome.placed, plan.placements.len());
        let all = plan.placements.len() == case.columns().len();
        prop_assert_eq!(outcome.ended_early, !all);
        if !all {
            // The next column does not fit on any stack.
            for stack in 0..case.width() {
                let mut other = plan.clone();
                other.placements.push(Placement { stack, shift: 0 });
                prop_assert_eq!(replay::score(&case, &other), outcome);
            }
        }
    }
}
