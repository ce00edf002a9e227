//! The Columns Game as the beam search sees it.

use crate::eval::potential::potential;
#[cfg(feature = "cli")]
use crate::eval::scaled::SCALE;
use crate::learned::features::describe;
#[cfg(feature = "cli")]
use crate::learned::features::Features;
use crate::learned::networks::Networks;
#[cfg(feature = "cli")]
use crate::observe::observer::{seen, Observer, RolloutConfig};
use crate::search::children::{stack_and_shift, turned, Expand, Move, KEEPS_TRIGGER};
use crate::search::context::Context;
use crate::search::pieces::MAX_EXCESS;
use crate::search::player::Player;
use crate::search::state::{History, State};
#[cfg(feature = "cli")]
use columns_core::beam::{self, Budget};
use columns_core::beam::{Children, Game, Node, Scores, QUOTAS};
use columns_core::field::Chain;
use columns_core::simd::{self, Cpu, Isa, Kernel};

/// The Columns Game as the beam search sees it.
pub(crate) struct ColumnsGame<'a, const W: usize, const P: usize> {
    pub(crate) cpu: Cpu,
    pub(crate) context: &'a Context<W>,
    pub(crate) player: Player<'a>,
    /// How many columns were placed before the first layer.
    pub(crate) first: usize,
    /// The observer of the search.
    #[cfg(feature = "cli")]
    pub(crate) observer: Observer<'a>,
    /// The highest value in the last layer that had a state, whichever that is.
    #[cfg(feature = "cli")]
    highest: i32,
    /// How many states of the present layer were evaluated.
    #[cfg(feature = "cli")]
    evaluated: usize,
}

impl<'a, const W: usize, const P: usize> ColumnsGame<'a, W, P> {
    /// The game from column `first` on, without an observer.
    pub(crate) fn new(cpu: Cpu, context: &'a Context<W>, player: Player<'a>, first: usize) -> Self {
        Self {
            cpu,
            context,
            player,
            first,
            #[cfg(feature = "cli")]
            observer: Observer::default(),
            #[cfg(feature = "cli")]
            highest: i32::MIN,
            #[cfg(feature = "cli")]
            evaluated: 0,
        }
    }

    /// Goes on where `path` ends, for as long as a column fits: each on the lowest stack, the
    /// leftmost of these, unshifted. Returns the points of the whole game.
    pub(crate) fn play_on(&mut self, root: State<W, P>, path: &mut Vec<Move>) -> u32 {
        let shape = &self.context.shape;
        let mut state = root;
        for placed in 0..self.context.queue.columns.len() {
            if placed == path.len() {
                let stacks = (0..shape.width).map(|x| (state.field.stack_height(x), x));
                let (height, x) = stacks.min().unwrap_or_default();
                if height + 3 > shape.height {
                    break;
                }
                path.push(3 * x as Move);
            }
            state = self.build(placed, &state, path[placed]);
        }
        state.points
    }

    /// Evaluates one state after `placed` columns.
    pub(crate) fn look(&self, placed: usize, state: &mut State<W, P>) {
        simd::run(
            self.cpu,
            Evaluate {
                context: self.context,
                network: self.player.network,
                #[cfg(feature = "cli")]
                features: None,
                placed,
                states: std::iter::once(state),
            },
        );
    }
}

/// What the observer gets.
#[cfg(feature = "cli")]
impl<const W: usize, const P: usize> ColumnsGame<'_, W, P> {
    /// Shows a layer of states to the observer.
    fn show(&mut self, layer: usize, nodes: &[Node<State<W, P>>], features: Vec<Features>) {
        let (cpu, context, player) = (self.cpu, self.context, self.player);
        let Some(watch) = &mut self.observer.watch else {
            return;
        };
        let described = nodes.iter().zip(features);
        let states = described.map(|(node, features)| seen(&node.state, features));
        watch.evaluated(layer, states.collect(), &mut |index, ahead| {
            let game = ColumnsGame::new(cpu, context, player, layer);
            game.rollout(&nodes[index].state, ahead)
        });
    }

    /// Plays on from a state: the highest value of the last layer, in [`SCALE`], or the points if
    /// the game is lost earlier.
    fn rollout(mut self, state: &State<W, P>, ahead: RolloutConfig) -> i32 {
        let last = self.context.queue.columns.len() - self.first;
        let settings = self.player.settings();
        let columns = ahead.columns.min(last);
        let budget = Budget::Width(ahead.width);
        let found = beam::search(&mut self, *state, columns, &settings, budget, &|| 0.0);
        if found.depth < columns {
            // What the field promised will never be paid.
            return found.score as i32 * SCALE;
        }
        self.highest
    }

    /// Shows the states on the path to the observer.
    pub(crate) fn show_path(&mut self, root: State<W, P>, path: &[Move]) {
        if self.observer.watch.is_none() {
            return;
        }
        let mut states = Vec::new();
        let mut state = root;
        for layer in 0..=path.len() {
            if layer > 0 {
                state = self.build(layer - 1, &state, path[layer - 1]);
            }
            let mut features = Vec::new();
            simd::run(
                self.cpu,
                Evaluate {
                    context: self.context,
                    network: self.player.network,
                    features: Some(&mut features),
                    placed: layer,
                    states: std::iter::once(&mut state),
                },
            );
            states.extend(features.into_iter().map(|features| seen(&state, features)));
        }
        if let Some(watch) = &mut self.observer.watch {
            watch.best(states);
        }
    }
}

impl<const W: usize, const P: usize> Game for ColumnsGame<'_, W, P> {
    type State = State<W, P>;
    type Move = Move;

    fn expand(&mut self, layer: usize, state: &Self::State, children: &mut Children<Move>) {
        let kernel = Expand {
            context: self.context,
            placed: self.first + layer,
            state,
            children,
            steps: 0,
        };
        let (listed, steps) = simd::run(self.cpu, kernel);
        #[cfg(feature = "cli")]
        self.observer.worked(Some(listed), 0, steps);
    }

    fn build(&mut self, layer: usize, parent: &Self::State, mv: Move) -> Self::State {
        let kernel = Build {
            context: self.context,
            placed: self.first + layer,
            parent,
            mv,
        };
        let (child, steps) = simd::run(self.cpu, kernel);
        #[cfg(feature = "cli")]
        self.observer.worked(None, 0, steps);
        child
    }

    fn hash(&self, state: &Self::State) -> u64 {
        state.hash()
    }

    fn evaluate(&mut self, layer: usize, nodes: &mut [Node<Self::State>]) {
        #[cfg(feature = "cli")]
        let mut features = Vec::new();
        let kernel = Evaluate {
            context: self.context,
            network: self.player.network,
            #[cfg(feature = "cli")]
            features: self.observer.watch.is_some().then_some(&mut features),
            placed: self.first + layer,
            states: nodes.iter_mut().map(|node| &mut node.state),
        };
        let steps = simd::run(self.cpu, kernel);
        #[cfg(feature = "cli")]
        {
            self.observer.worked(None, nodes.len(), steps);
            self.evaluated += nodes.len();
            self.show(layer, nodes, features);
        }
    }

    #[cfg(feature = "cli")]
    fn survivors(&mut self, layer: usize, nodes: &[Node<Self::State>]) {
        let values = nodes.iter().map(|node| node.state.scores.value);
        self.highest = values.max().unwrap_or(i32::MIN);
        self.observer
            .layer_done(std::mem::take(&mut self.evaluated));
        if let Some(watch) = &mut self.observer.watch {
            let hashes = nodes.iter().map(|node| node.state.hash());
            watch.survived(layer, hashes.collect());
        }
    }

    fn scores(&self, state: &Self::State) -> Scores {
        state.scores
    }

    fn quotas(&self, layer: usize) -> [f64; QUOTAS] {
        let Context { queue, scaled, .. } = self.context;
        let crowded =
            f64::from(queue.colour_excess[self.first + layer - 1]) / f64::from(MAX_EXCESS);
        let reserve = scaled.reserve_share + crowded * scaled.reserve_share_crowded;
        [reserve, scaled.refuge_share]
    }

    fn score(&self, state: &Self::State) -> i64 {
        i64::from(state.points)
    }
}

/// Plays one placement.
struct Build<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    placed: usize,
    parent: &'a State<W, P>,
    mv: Move,
}

impl<const W: usize, const P: usize> Kernel for Build<'_, W, P> {
    type Output = (State<W, P>, u32);

    /// Returns the child, and how many steps its chain had.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (State<W, P>, u32) {
        let (x, shift) = stack_and_shift(self.mv);
        let parent = self.parent;
        let column = self.context.queue.columns[self.placed].map(|jewels| turned(jewels, shift));
        let placed = parent
            .field
            .placed(isa, self.context.shape.height, x, column);
        // A placement that does not fit is never listed.
        let (chain, field) = placed.unwrap_or((Chain::default(), parent.field));
        let mut child = State::new(field, parent.points + chain.points, History::of(parent));
        if let (Some(jewels), true) = (column, self.mv & KEEPS_TRIGGER != 0) {
            // The column lies on top of what the chain leaves.
            let rest = &parent.rest;
            let y = rest.stack_height(x);
            child.potential = parent.potential;
            child.rest = rest.stepper(isa, x, y, jewels).field();
        }
        (child, chain.steps)
    }
}

/// Evaluates states after `placed` columns.
struct Evaluate<'a, const W: usize, S> {
    context: &'a Context<W>,
    network: Option<Networks<'a>>,
    /// Where the descriptions of the states go.
    #[cfg(feature = "cli")]
    features: Option<&'a mut Vec<Features>>,
    placed: usize,
    states: S,
}

impl<'s, const W: usize, const P: usize, S> Kernel for Evaluate<'_, W, S>
where
    S: Iterator<Item = &'s mut State<W, P>>,
{
    type Output = u32;

    /// Returns how many steps of chains were played.
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> u32 {
        let mut steps = 0;
        let context = self.context;
        let colours = context.queue.colours[self.placed];
        let network = self.network.map(|networks| networks.of(colours));
        for state in self.states {
            let (potential, survey) =
                potential(isa, context, &state.field, self.placed, state.known());
            steps += survey.steps;
            state.potential = potential;
            state.rest = survey.rest;
            if context.described {
                let features = describe(context, state, &survey, self.placed);
                if let (Some(network), false) = (network, context.queue.over(self.placed)) {
                    state.learned = network.value(isa, &features);
                }
                #[cfg(feature = "cli")]
                if let Some(all) = &mut self.features {
                    all.push(features);
                }
            }
            let rest = context.scaled.worth(potential.chain) + potential.static_terms;
            let room = context.shape.room(&state.field);
            state.scores = context.scores(self.placed, state.points, rest, state.learned, room);
        }
        steps
    }
}
