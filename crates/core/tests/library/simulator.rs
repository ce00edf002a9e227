//! Compares the simulator with the referee, on random games of every size.

use crate::random::Random;
use columns_core::rules::case::{Case, Colour, Column, HEIGHTS, MATCH_POINTS, WIDTHS};
use columns_core::rules::naive::{GameOver, NaiveField};
use columns_core::rules::notation;
use columns_core::rules::plan::Placement;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{Referee, score};
use columns_core::simulator::{Chain, Simulator, Trigger};

#[test]
fn random_games_agree_with_the_referee() {
    let random = &mut Random(1);
    let (mut lost_games, mut fired_triggers, mut best_chains) = (0, 0, 0);
    for width in WIDTHS {
        for height in HEIGHTS {
            for colours in [3, 7, 8, 15, 16, 26] {
                let columns = (0..60).map(|_| match random.below(20) {
                    0 => Column::Magic,
                    _ => {
                        Column::Jewels([(); 3].map(|()| Colour::from_index(random.below(colours))))
                    }
                });
                let case = Case::new(width, height, columns.collect()).unwrap();
                let quickstart = play_quickstart(&case);
                let outcome = score(&case, &quickstart);
                assert_eq!(
                    outcome.placed_columns,
                    quickstart.placements.len(),
                    "{case}"
                );
                assert_eq!(outcome.ended_early, outcome.placed_columns < 60, "{case}");
                // If the game ended early, no other placement fits either.
                for stack in 0..if outcome.ended_early { width } else { 0 } {
                    let mut other = quickstart.clone();
                    other.placements.push(Placement { stack, shift: 0 });
                    assert_eq!(score(&case, &other), outcome, "{case}");
                }
                let (mut game, mut referee) = (Simulator::new(&case), Referee::new(&case));
                let mut longest_chain = 0;
                while game.next_column().is_some() {
                    best_chains += check_best_trigger(&game);
                    let stack = random.below(width);
                    // About one jewel in four may have a colour that the case does not have.
                    let palette = if random.below(4) == 0 { 26 } else { colours };
                    let trigger = Trigger {
                        stack,
                        colour: Colour::from_index(random.below(palette)),
                        is_on_filler: random.below(2) == 1,
                    };
                    fired_triggers += check_trigger(&game, referee.field(), trigger);
                    let placement = Placement {
                        stack,
                        shift: random.below(3),
                    };
                    let before = game;
                    let Ok(turn) = referee.play(placement) else {
                        assert_eq!(game.place(placement), Err(GameOver));
                        lost_games += 1;
                        break;
                    };
                    let chain = game.place(placement).unwrap();
                    let points: u64 = turn.steps.iter().map(|step| step.points).sum();
                    assert_eq!(u64::from(chain.points) * MATCH_POINTS, points, "{case}");
                    assert_eq!(
                        notation::format(&game.to_rows()),
                        referee.field().to_notation()
                    );
                    longest_chain = longest_chain.max(chain.steps as usize);
                    assert_eq!(
                        [turn.longest_chain, referee.outcome().longest_chain],
                        [longest_chain; 2]
                    );
                    assert_eq!(
                        [turn.total_points, referee.outcome().points],
                        [game.points(); 2]
                    );
                    assert_eq!(referee.next_column(), game.next_column());
                    let heights = (0..width).map(|stack| game.stack_height(stack));
                    assert_eq!(game.jewel_count(), heights.clone().sum());
                    let open = heights.filter(|stack| stack + 3 <= height).count();
                    assert_eq!(game.open_stack_count(), open);
                    assert_eq!(
                        (before.placed_columns() + 1, game.case()),
                        (game.placed_columns(), &case)
                    );
                    assert_eq!(
                        before.hash() == game.hash(),
                        before.to_rows() == game.to_rows()
                    );
                }
            }
        }
    }
    assert!(
        lost_games > 50 && fired_triggers > 200,
        "{lost_games} {fired_triggers}"
    );
    assert!(best_chains > 1000, "{best_chains}");
}

#[test]
#[should_panic(expected = "is no placement on this field")]
fn a_third_shift_panics() {
    let case: Case = "6 13\n1\nabc\n".parse().unwrap();
    let placement = Placement { stack: 0, shift: 3 };
    let _ = Simulator::new(&case).place(placement);
}

/// Compares the best trigger with the chains of all jewels on all stacks. Returns 1 if a jewel sets off a
/// chain, otherwise 0.
fn check_best_trigger(game: &Simulator) -> usize {
    let worth = |chain: Chain| i64::from(chain.points) + 3 * i64::from(chain.steps);
    let mut best_worth = 0;
    for stack in 0..game.case().width() {
        for jewel in game.case().palette() {
            let chain = |is_on_filler| {
                game.simulate_trigger(Trigger {
                    stack,
                    colour: jewel,
                    is_on_filler,
                })
            };
            let on_top = chain(false);
            best_worth = best_worth.max(worth(on_top));
            if on_top.steps == 0 {
                best_worth = best_worth.max(worth(chain(true)));
            }
        }
    }
    let mut best_listed_worth = 0;
    let best = game.find_best_trigger(|trigger, chain| {
        assert_eq!(game.simulate_trigger(trigger), chain);
        best_listed_worth = best_listed_worth.max(worth(chain));
        worth(chain)
    });
    let result_worth = best.map_or(0, |(trigger, chain)| {
        assert_eq!(game.simulate_trigger(trigger), chain);
        worth(chain)
    });
    assert_eq!(
        (result_worth, best_listed_worth),
        (best_worth, best_worth),
        "{}",
        game.case()
    );
    usize::from(best_worth > 0)
}

/// Compares the chain of a trigger with the chain on the naive field. Returns 1 if the jewel clears
/// something, otherwise 0.
fn check_trigger(game: &Simulator, naive: &NaiveField, trigger: Trigger) -> usize {
    let Trigger {
        stack,
        colour: jewel,
        ..
    } = trigger;
    let top = naive.stack_height(stack);
    assert_eq!(game.stack_height(stack), top);
    let chain = game.simulate_trigger(trigger);
    if top + 3 > naive.height() {
        assert_eq!(chain, Chain::default());
        return 0;
    }
    // A colour outside the palette, whose jewels match nothing. A case with all 26 letters has
    // no such colour.
    let palette = game.case().palette();
    let filler = (0..26)
        .map(Colour::from_index)
        .find(|c| !palette.contains(c));
    let mut naive = naive.clone();
    if trigger.is_on_filler {
        let Some(filler) = filler else { return 0 };
        naive.push(stack, filler);
    }
    naive.push(stack, jewel);
    let steps = naive.resolve();
    let points: u64 = steps.iter().map(|step| step.points).sum();
    assert_eq!(
        (chain.steps as usize, u64::from(chain.points) * MATCH_POINTS),
        (steps.len(), points)
    );
    usize::from(!steps.is_empty())
}
