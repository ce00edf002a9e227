//! Observes the states of a search without knowledge of their types, and plays rollouts from them.

use crate::eval::quotas::QUOTAS;
use crate::eval::scaled::Value;
use crate::eval::state::{Child, State};
use crate::learned::features::{DescribeChild, Features};
use crate::search::game::ColumnsGame;
use crate::search::moves::Move;
use crate::search::player::Player;
use crate::search::{Search, Solution, simulator};
use columns_core::beam::{self, Budget, Game, Node, Observer};
use columns_core::rules::case::Case;
use columns_core::simd::{self, Cpu};

/// The description of a state that a [`Watch`] receives.
pub type Seen = columns_core::network::Described<Features>;

/// The settings of a rollout: a short search from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutConfig {
    /// The number of columns that the rollout places.
    pub columns: usize,
    /// The number of states that the rollout keeps in each layer.
    pub width: usize,
}

/// An observer of the states of a search.
pub trait Watch {
    /// Receives all evaluated states of a layer; the first layer is the root alone. `_rollout`
    /// continues from the state with the given index. It returns the highest value of its last
    /// layer, or the points if the game ends early; both in units of 1/256 of a match.
    fn evaluated(
        &mut self,
        _layer: usize,
        _states: Vec<Seen>,
        _rollout: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
    }
    /// Receives the hashes of the states that survived, best first.
    fn survived(&mut self, _layer: usize, _hashes: Vec<u64>) {}
    /// Receives the states on the path to the best state, after the search.
    fn best(&mut self, _states: Vec<Seen>) {}
}

/// Plays a case and reports the search to `watch`.
#[inline]
pub fn play_watched(
    case: &Case,
    player: Player,
    budget: Budget,
    watch: &mut dyn Watch,
) -> Solution {
    let (machine, observer) = (Cpu::detect().into(), &mut Watching { watch });
    let search = Search::new(case, player, budget, &|| 0.0, machine, observer);
    simulator::run_task(case, search)
}

/// An observer that reports the states to a [`Watch`].
struct Watching<'a> {
    watch: &'a mut dyn Watch,
}

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, QUOTAS> for Watching<'_> {
    fn evaluated(&mut self, game: &ColumnsGame<'g, W, P>, layer: usize, states: &[State<W, P>]) {
        let descriptions = states.iter().map(|state| describe(game, layer, state));
        let mut rollout = |index: usize, config| rollout(game, layer, &states[index], config);
        self.watch
            .evaluated(layer, descriptions.collect(), &mut rollout);
    }

    fn survived(&mut self, _: &ColumnsGame<'g, W, P>, layer: usize, nodes: &[Node<State<W, P>>]) {
        let hashes = nodes.iter().map(|node| node.state.field.hash());
        self.watch.survived(layer, hashes.collect());
    }

    fn played(&mut self, game: &mut ColumnsGame<'g, W, P>, root: Child<W, P>, path: &[Move]) {
        let mut state = game.evaluate_one(game.first, &root);
        let mut states = vec![describe(game, 0, &state)];
        for (layer, &mv) in path.iter().enumerate() {
            let child = game.build(layer, &state, mv);
            state = game.evaluate_one(game.first + layer + 1, &child);
            states.push(describe(game, layer + 1, &state));
        }
        self.watch.best(states);
    }
}

/// Describes a state of layer `layer` for a [`Watch`].
fn describe<const W: usize, const P: usize>(
    game: &ColumnsGame<'_, W, P>,
    layer: usize,
    state: &State<W, P>,
) -> Seen {
    let kernel = DescribeChild {
        context: game.context,
        child: &state.to_child(),
        placed: game.first + layer,
    };
    Seen {
        hash: state.field.hash(),
        value: state.scores.value,
        base: state.scores.value - state.learned.0,
        features: simd::run(game.cpu, kernel),
    }
}

/// Continues the game from a state of layer `layer`. Returns the highest value of the last layer,
/// or the points if the game ends early; both in units of 1/256 of a match.
fn rollout<const W: usize, const P: usize>(
    game: &ColumnsGame<'_, W, P>,
    layer: usize,
    state: &State<W, P>,
    config: RolloutConfig,
) -> i32 {
    let mut game = ColumnsGame::new(game.cpu, game.context, game.player, game.first + layer);
    let last = game.context.queue.columns.len() - game.first;
    let settings = game.player.settings(game.cpu.into());
    let columns = config.columns.min(last);
    let budget = Budget::Width(config.width);
    let (root, mut highest) = (state.to_child(), Highest(i32::MIN));
    let found = beam::search(
        &mut game,
        root,
        columns,
        &settings,
        budget,
        &|| 0.0,
        &mut highest,
    );
    if found.depth < columns {
        // The game is over: the field will never score the points that it promises.
        return Value::paid(found.score as u32).0;
    }
    highest.0
}

/// An observer that keeps the highest value of the latest layer.
struct Highest(i32);

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, QUOTAS> for Highest {
    fn survived(&mut self, _: &ColumnsGame<'g, W, P>, _: usize, nodes: &[Node<State<W, P>>]) {
        let values = nodes.iter().map(|node| node.state.scores.value);
        self.0 = values.max().unwrap_or(i32::MIN);
    }
}
