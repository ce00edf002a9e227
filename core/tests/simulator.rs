//! Compares the simulator with the referee, on random games of every size.

#[path = "support/random.rs"]
mod random;

use columns_core::field::Chain;
use columns_core::rules::case::{Case, Colour, Column, HEIGHTS, MATCH_POINTS, WIDTHS};
use columns_core::rules::naive::{GameOver, NaiveField};
use columns_core::rules::notation;
use columns_core::rules::plan::Placement;
use columns_core::rules::replay::Referee;
use columns_core::simulator::Simulator;
use random::Random;

#[test]
fn random_games_agree_with_the_referee() {
    let random = &mut Random(1);
    let (mut over, mut fired, mut chains, mut changed) = (0, 0, 0, 0);
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
                let (mut game, mut referee) = (Simulator::new(&case), Referee::new(&case));
                while game.column().is_some() {
                    chains += best_chain(&game);
                    changed += children(&game);
                    let stack = random.below(width);
                    fired += fires(
                        &game,
                        referee.field(),
                        stack,
                        Colour::from_index(random.below(colours)),
                    );
                    let placement = Placement {
                        stack,
                        shift: random.below(3),
                    };
                    let before = game;
                    let Ok(turn) = referee.play(placement) else {
                        assert_eq!(game.place(placement), Err(GameOver));
                        over += 1;
                        break;
                    };
                    let chain = game.place(placement).unwrap();
                    let paid: u64 = turn.steps.iter().map(|step| step.points).sum();
                    assert_eq!(u64::from(chain.points) * MATCH_POINTS, paid, "{case}");
                    assert_eq!(notation::format(&game.field()), referee.field().notation());
                    assert_eq!(game.points(), referee.outcome().points);
                    let heights = (0..width).map(|stack| game.stack_height(stack));
                    assert_eq!(game.jewels(), heights.clone().sum());
                    let open = heights.filter(|stack| stack + 3 <= height).count();
                    assert_eq!(game.open_stacks(), open);
                    assert_eq!((before.placed() + 1, game.case()), (game.placed(), &case));
                    assert_eq!(before.hash() == game.hash(), before.field() == game.field());
                }
            }
        }
    }
    assert!(over > 50 && fired > 200, "{over} {fired}");
    assert!(chains > 1000 && changed > 1000, "{chains} {changed}");
}

/// Compares the best chain with the chains of all jewels on all stacks. Returns 1 if there is a
/// chain.
fn best_chain(game: &Simulator) -> usize {
    let worth = |chain: Chain| i64::from(chain.points) + 3 * i64::from(chain.steps);
    let (case, mut most) = (game.case(), 0);
    let palette = case.palette();
    // A colour outside the palette, whose jewels match nothing. A case with all 26 letters has
    // none.
    let filler = (palette.len() < 26).then(|| Colour::from_index(palette.len()));
    let filler = filler.filter(|filler| !palette.contains(filler));
    for stack in (0..case.width()).filter(|&x| game.stack_height(x) + 3 <= case.height()) {
        for &jewel in &palette {
            let alone = game.fire(stack, &[jewel]);
            let on_filler = filler.map(|filler| game.fire(stack, &[filler, jewel]));
            let chain = on_filler.filter(|_| alone.steps == 0).unwrap_or(alone);
            most = most.max(worth(chain));
        }
    }
    let trigger = game.best_trigger(worth);
    let best = trigger.map_or(0, |trigger| worth(trigger.chain));
    assert!(
        best == most || filler.is_none() && best > most,
        "{best} {most} {case}"
    );
    usize::from(most > 0)
}

/// Compares the children of a game with those that `place` makes, and the trigger's chain in each of
/// them with the chain of the same jewels on its field. Returns the number of children in which this
/// chain is another one than in the game.
fn children(game: &Simulator) -> usize {
    let palette = game.case().palette();
    let trigger = game.best_trigger(|chain| i64::from(chain.points) + 3 * i64::from(chain.steps));
    // As in `best_chain`. Without a filler, only triggers on top of a stack are compared.
    let filler = (palette.len() < 26).then(|| Colour::from_index(palette.len()));
    let filler = filler.filter(|filler| !palette.contains(filler));
    let mut listed = Vec::new();
    let mut changed = 0;
    game.children(trigger, |placement, child, next| {
        let chain = next.map_or(Chain::default(), |next| next.chain);
        assert_eq!(
            next.map(|next| (next.stack, next.jewel)),
            trigger.map(|trigger| (trigger.stack, trigger.jewel))
        );
        let mut expected = *game;
        expected.place(placement).unwrap();
        assert_eq!(child.field(), expected.field());
        let numbers = |game: &Simulator| (game.points(), game.placed());
        assert_eq!(numbers(&child), numbers(&expected));
        let mut jewels = Vec::new();
        let mut fired = Chain::default();
        if let Some(trigger) =
            trigger.filter(|t| child.stack_height(t.stack) + 3 <= child.case().height())
        {
            jewels.extend(filler.filter(|_| trigger.on_filler));
            jewels.push(trigger.jewel);
            fired = child.fire(trigger.stack, &jewels);
        }
        if filler.is_some() || !trigger.is_some_and(|trigger| trigger.on_filler) {
            assert_eq!(chain, fired, "{placement:?} {trigger:?}");
        }
        changed += usize::from(trigger.is_some_and(|trigger| trigger.chain != chain));
        listed.push((placement.stack, placement.shift));
    });
    listed.sort_unstable();
    assert_eq!(listed, placements(game));
    changed
}

/// Returns the placements of the next column that fit, without those that are equal to an earlier
/// one.
fn placements(game: &Simulator) -> Vec<(usize, usize)> {
    let shifts = match game.column() {
        None => 0,
        Some(Column::Jewels([a, b, c])) if a != b || b != c => 3,
        Some(_) => 1,
    };
    let stacks = 0..game.case().width();
    let open = stacks.filter(|&stack| game.stack_height(stack) + 3 <= game.case().height());
    open.flat_map(|stack| (0..shifts).map(move |shift| (stack, shift)))
        .collect()
}

/// Compares the chain of a jewel on a stack with the chain on the naive field. Returns 1 if the
/// jewel clears something.
fn fires(game: &Simulator, naive: &NaiveField, stack: usize, jewel: Colour) -> usize {
    let top = naive.stack_height(stack);
    assert_eq!(game.stack_height(stack), top);
    if top == naive.height() {
        return 0;
    }
    let mut rows = game.field();
    rows[top][stack] = Some(jewel);
    let text = notation::format(&rows);
    let mut naive = NaiveField::parse(&text, naive.width(), naive.height()).unwrap();
    let chain = game.fire(stack, &[jewel]);
    let steps = naive.resolve();
    let paid: u64 = steps.iter().map(|step| step.points).sum();
    assert_eq!(
        (chain.steps as usize, u64::from(chain.points) * MATCH_POINTS),
        (steps.len(), paid)
    );
    usize::from(!steps.is_empty())
}
