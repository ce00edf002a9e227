//! Observes the states of a search, and plays rollouts from them. Unlike an [`Observer`], a
//! [`StateObserver`] does not depend on the layout of the field.

use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::scaled::Value;
use crate::eval::state::State;
use crate::learned::features::{Features, FeaturesKernel};
use crate::search::game::ColumnsGame;
use crate::search::moves::Move;
use crate::search::player::Player;
use crate::search::{Machine, Search, Solution, smallest_layout};
use columns_core::beam::{self, Budget, Game, Observer, Scores};
use columns_core::rules::case::Case;
use columns_core::simd;

/// A state as a [`StateObserver`] receives it: its features and its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedState {
    /// A hash that is unique in the layer.
    pub hash: u64,
    /// The value by which states compete, in units of 1/256 of a match.
    pub value: i32,
    /// The part of `value` that does not come from the network, in the same unit.
    pub hand_set_value: i32,
    /// The features, the input of the network.
    pub features: Features,
}

/// The settings of a rollout: a short search from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutConfig {
    /// The number of columns that the rollout places.
    pub columns: usize,
    /// The width of the rollout's beam, in states.
    pub width: usize,
}

/// An observer of the states of a search. Each method does nothing by default.
pub trait StateObserver {
    /// Receives all evaluated states of a layer. The first layer has only the root. `_rollout` plays a
    /// rollout from the state with the given index. It returns the highest value of the rollout's last layer,
    /// or the points if the game ends early; both in units of 1/256 of a match.
    fn on_evaluated(
        &mut self,
        _layer: usize,
        _states: Vec<ObservedState>,
        _rollout: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
    }
    /// Receives the hashes of a layer's survivors. Survivors selected by value come first, from best to
    /// worst; survivors selected for the quotas follow.
    fn on_survived(&mut self, _layer: usize, _hashes: Vec<u64>) {}
    /// Receives the states that the plan passes through, the root first. Called after the search.
    fn on_best_path(&mut self, _states: Vec<ObservedState>) {}
}

/// Plays a case and reports the states of the search to `observer`.
pub fn play_observed(
    case: &Case,
    player: Player,
    budget: Budget,
    observer: &mut dyn StateObserver,
) -> Solution {
    let machine = Machine::single_threaded();
    let observer = &mut DescribingObserver { observer };
    let search = Search::new(case, player, budget, &|_| 0.0, machine, observer);
    smallest_layout(case).run(search)
}

/// An [`Observer`] that describes each state to a [`StateObserver`].
struct DescribingObserver<'a> {
    observer: &'a mut dyn StateObserver,
}

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, QUOTA_COUNT>
    for DescribingObserver<'_>
{
    fn on_evaluated(
        &mut self,
        game: &ColumnsGame<'g, W, P>,
        layer: usize,
        states: &[State<W, P>],
        scores: &[Scores<QUOTA_COUNT>],
    ) {
        let states_and_scores = states.iter().zip(scores);
        let descriptions =
            states_and_scores.map(|(state, scores)| describe(game, layer, state, scores));
        let mut rollout = |index: usize, config| rollout(game, layer, states[index], config);
        self.observer
            .on_evaluated(layer, descriptions.collect(), &mut rollout);
    }

    fn on_survived(
        &mut self,
        _: &ColumnsGame<'g, W, P>,
        layer: usize,
        survivors: &[State<W, P>],
        _: &[Scores<QUOTA_COUNT>],
    ) {
        let hashes = survivors.iter().map(|state| state.field.hash());
        self.observer.on_survived(layer, hashes.collect());
    }

    fn on_best_path(&mut self, game: &mut ColumnsGame<'g, W, P>, root: State<W, P>, path: &[Move]) {
        let mut state = root;
        let scores = game.evaluate_one(game.placed_at_root, &mut state);
        let mut states = vec![describe(game, 0, &state, &scores)];
        for (layer, mv) in path.iter().enumerate() {
            // Remove the mark, since the chain that was played to rank the child is not recorded.
            let mv = Move::new(mv.placement());
            game.build(layer, mv, None, &mut state);
            let scores = game.evaluate_one(game.placed_at_root + layer + 1, &mut state);
            states.push(describe(game, layer + 1, &state, &scores));
        }
        self.observer.on_best_path(states);
    }
}

fn describe<const W: usize, const P: usize>(
    game: &ColumnsGame<'_, W, P>,
    layer: usize,
    state: &State<W, P>,
    scores: &Scores<QUOTA_COUNT>,
) -> ObservedState {
    let kernel = FeaturesKernel {
        context: game.context,
        state,
        placed_columns: game.placed_at_root + layer,
    };
    ObservedState {
        hash: state.field.hash(),
        value: scores.value,
        hand_set_value: scores.value - state.learned_value.0,
        features: simd::run(game.cpu, kernel),
    }
}

/// Plays a rollout from a state of layer `layer`. Returns the highest value of the rollout's last layer,
/// or the points if the game ends early; both in units of 1/256 of a match.
fn rollout<const W: usize, const P: usize>(
    game: &ColumnsGame<'_, W, P>,
    layer: usize,
    root: State<W, P>,
    config: RolloutConfig,
) -> i32 {
    let mut game = ColumnsGame::new(
        game.cpu,
        game.context,
        game.player,
        game.placed_at_root + layer,
    );
    let last_layer = game.context.queue.columns.len() - game.placed_at_root;
    let settings = game.player.settings();
    let columns = config.columns.min(last_layer);
    let budget = Budget::Width(config.width);
    let mut observer = MaxValueObserver(i32::MIN);
    let result = beam::search(
        &mut game,
        root,
        columns,
        &settings,
        budget,
        &|_| 0.0,
        &mut observer,
    );
    if result.depth < columns {
        // The game is over, so the chains that the field promises never score.
        return Value::from_points(result.score as u32).0;
    }
    observer.0
}

/// An observer that stores the highest value of the latest layer.
struct MaxValueObserver(i32);

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, QUOTA_COUNT>
    for MaxValueObserver
{
    fn on_survived(
        &mut self,
        _: &ColumnsGame<'g, W, P>,
        _: usize,
        _: &[State<W, P>],
        scores: &[Scores<QUOTA_COUNT>],
    ) {
        let values = scores.iter().map(|scores| scores.value);
        self.0 = values.max().unwrap_or(i32::MIN);
    }
}
