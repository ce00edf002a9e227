use columns_bot::Weights;
use columns_bot::eval::context::Context;
use columns_bot::eval::state::State;
use columns_bot::search::Player;
use columns_bot::search::game::ColumnsGame;
use columns_core::beam::{self, Budget, Game, Observer, Scores, Settings};
use columns_core::field::Field;
use columns_core::rules::case::Case;
use columns_core::simd::InstructionSet;
use std::slice;

/// A case whose remaining columns have 10, 9, 8 and 7 colours after 0, 1, 2 and 3 placed columns.
const FEWER_COLOURS: &str = "6 13\n6\nhab\nicd\njef\ngab\ncde\nfga\n";

/// Calls `check` with a game that starts after the first column. With seven colours or fewer, the
/// share of the quota for room is 0.
fn with_game(check: impl FnOnce(&Context<2>, ColumnsGame<2, 4>)) {
    let case: Case = FEWER_COLOURS.parse().unwrap();
    let weights = Weights {
        room_share: 0.0,
        ..Weights::default()
    };
    let context = Context::new(&case, &weights);
    let player = Player {
        weights: &weights,
        networks: None,
    };
    check(
        &context,
        ColumnsGame::new(InstructionSet::Portable, &context, player, 1),
    );
}

#[test]
fn the_quotas_of_a_layer_follow_the_colours_that_are_left_there() {
    with_game(|context, game| {
        let shares = [0, 1, 2].map(|layer| game.quota_shares(layer));
        assert_eq!(
            shares,
            [1, 2, 3].map(|placed_columns| context.quota_shares(placed_columns))
        );
        assert!(shares[0][0] > shares[1][0] && shares[1][0] > shares[2][0]);
    });
}

#[test]
fn chains_are_work() {
    with_game(|_, mut game| {
        // In each of the three states, a third `a`, which a later column contains, would set off a chain of
        // one step. The work of a chain is its number of steps plus one.
        let mut field = Field::EMPTY;
        field.put(0, 0, 2);
        field.put(1, 0, 2);
        game.evaluate(0, &mut [State::root(field, 0); 3], &mut Vec::new());
        assert_eq!(game.work(), 3 * 2);
    });
}

/// An observer that evaluates each state from scratch, without the chain inherited from its parent, and
/// asserts that the result is the same.
struct ReevaluatingObserver {
    chains: usize,
}

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, 2>
    for ReevaluatingObserver
{
    fn on_evaluated(
        &mut self,
        game: &ColumnsGame<'g, W, P>,
        layer: usize,
        states: &[State<W, P>],
        _: &[Scores<2>],
    ) {
        for state in states {
            let mut again = State::root(state.field, state.points);
            game.clone()
                .evaluate(layer, slice::from_mut(&mut again), &mut Vec::new());
            assert_eq!(
                (state.potential, state.after_chain),
                (again.potential, again.after_chain)
            );
            self.chains += usize::from(state.potential.best_chain.steps > 1);
        }
    }
}

#[test]
fn the_chain_that_a_child_inherits_is_that_of_its_field() {
    let weights = Weights::default();
    let player = Player {
        weights: &weights,
        networks: None,
    };
    let (settings, budget) = (Settings::default(), Budget::Nodes(20_000));
    let mut observer = ReevaluatingObserver { chains: 0 };
    let columns = "abc\ndab\ncca\n***\nbdd\nacb\n".repeat(8);
    let case: Case = format!("8 14\n48\n{columns}").parse().unwrap();
    let context = Context::<4>::new(&case, &weights);
    let mut game = ColumnsGame::<4, 3>::new(InstructionSet::detect(), &context, player, 0);
    let (root, meter) = (State::root(Field::EMPTY, 0), &|_: &_| 0.0);
    beam::search(&mut game, root, 48, &settings, budget, meter, &mut observer);
    assert!(observer.chains > 5000, "{}", observer.chains);
}
