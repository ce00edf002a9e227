//! The Columns Game as the beam search sees it.

use crate::case::queue::shifted;
use crate::eval::context::Context;
use crate::eval::potential::evaluate;
use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::state::{Child, History, State};
use crate::learned::features::FeatureSource;
use crate::learned::networks::{LearnedValueKernel, Networks};
use crate::search::children::ExpandKernel;
use crate::search::moves::Move;
use crate::search::player::Player;
use columns_core::beam::{Children, Game, Scores};
use columns_core::field::{Chain, Field, PlaceKernel};
use columns_core::rules::plan::Placement;
use columns_core::rules::quickstart::next_placement;
use columns_core::simd::{self, Cpu, Isa, Kernel};
use std::slice;

/// The search for one case: a [`Game`] whose moves are the placements of the columns.
#[derive(Clone)]
pub struct ColumnsGame<'a, const W: usize, const P: usize> {
    pub(crate) cpu: Cpu,
    pub(crate) context: &'a Context<W>,
    pub(crate) player: Player<'a>,
    /// The number of columns placed in the root of the search.
    pub(crate) placed_at_root: usize,
    /// The number of chain steps played so far, plus one for each chain that is set off to list or
    /// evaluate children, since starting a chain costs as much as a step.
    pub played_steps: u64,
}

impl<'a, const W: usize, const P: usize> ColumnsGame<'a, W, P> {
    /// Creates the game that starts with the column of index `placed_at_root`.
    pub fn new(
        cpu: Cpu,
        context: &'a Context<W>,
        player: Player<'a>,
        placed_at_root: usize,
    ) -> Self {
        Self {
            cpu,
            context,
            player,
            placed_at_root,
            played_steps: 0,
        }
    }

    /// Places the next column after `placed` columns. Returns its chain and the field afterwards, or `None`
    /// if the column does not fit.
    pub(crate) fn place(
        &mut self,
        placed: usize,
        field: &Field<W, P>,
        Placement { stack, shift }: Placement,
    ) -> Option<(Chain, Field<W, P>)> {
        let column = self.context.queue.columns[placed];
        let kernel = PlaceKernel {
            field,
            height: self.context.geometry.height,
            stack,
            column: column.map(|jewels| shifted(jewels, shift)),
        };
        let (chain, field) = simd::run(self.cpu, kernel)?;
        self.played_steps += u64::from(chain.steps);
        Some((chain, field))
    }

    /// Extends `path` with the placements of quickstart, until all columns are placed or one does not fit.
    /// Returns the points of the whole game, in matches.
    pub(crate) fn extend_with_quickstart(&mut self, path: &mut Vec<Move>) -> u32 {
        let geometry = &self.context.geometry;
        let (mut field, mut points) = (Field::EMPTY, 0);
        for placed in 0..self.context.queue.columns.len() {
            if placed == path.len() {
                let placement = next_placement(geometry.width, |stack| field.stack_height(stack));
                path.push(Move::new(placement));
            }
            let Some((chain, after)) = self.place(placed, &field, path[placed].placement()) else {
                path.truncate(placed);
                break;
            };
            (field, points) = (after, points + chain.points);
        }
        points
    }

    /// Evaluates a child after `placed` columns.
    pub(crate) fn evaluate_one(&self, placed: usize, child: &Child<W, P>) -> State<W, P> {
        let mut states = Vec::with_capacity(1);
        self.evaluate_all(placed, slice::from_ref(child), &mut states);
        states[0]
    }

    /// Evaluates children after `placed` columns. Appends their states, and returns the number of chain
    /// steps played, plus one for each chain played.
    fn evaluate_all(
        &self,
        placed: usize,
        children: &[Child<W, P>],
        states: &mut Vec<State<W, P>>,
    ) -> u32 {
        let kernel = EvaluateKernel {
            context: self.context,
            networks: self.player.networks,
            placed,
            children,
            states,
        };
        simd::run(self.cpu, kernel)
    }
}

impl<const W: usize, const P: usize> Game<QUOTA_COUNT> for ColumnsGame<'_, W, P> {
    type State = State<W, P>;
    type Child = Child<W, P>;
    type Move = Move;
    type ListedHash = ();

    const IS_SELECTIVE: bool = true;

    fn expand(
        &mut self,
        layer: usize,
        state: &State<W, P>,
        threshold: Scores<QUOTA_COUNT>,
        children: &mut Children<Move, (), QUOTA_COUNT>,
    ) {
        let kernel = ExpandKernel {
            context: self.context,
            placed: self.placed_at_root + layer,
            state,
            children,
            threshold,
            played_steps: 0,
        };
        self.played_steps += u64::from(simd::run(self.cpu, kernel));
    }

    // Only the tools have a budget of work.
    #[cfg(all(feature = "threads", feature = "tools"))]
    fn work(&self) -> u64 {
        self.played_steps
    }

    #[cfg(feature = "tools")]
    fn add_work(&mut self, work: u64) {
        self.played_steps += work;
    }

    fn build(&mut self, layer: usize, parent: &State<W, P>, mv: Move) -> Child<W, P> {
        let placed = self.placed_at_root + layer;
        let placement = mv.placement();
        // Placements that do not fit are never listed.
        let (chain, field) = self
            .place(placed, &parent.field, placement)
            .unwrap_or((Chain::default(), parent.field));
        let column = self.context.queue.columns[placed];
        let known = Some(parent).filter(|_| mv.keeps_trigger());
        let mut inherited_chain = known.and_then(State::best_chain);
        if let (Some(jewels), Some(known)) = (column, &mut inherited_chain) {
            // The column lies on top of the jewels that the chain leaves.
            let Placement { stack, shift } = placement;
            let height = known.after_chain.stack_height(stack);
            for (y, code) in (height..).zip(shifted(jewels, shift)) {
                known.after_chain.put(stack, y, code);
            }
        }
        Child {
            field,
            points: parent.points + chain.points,
            history: History::from_parent(parent),
            inherited_chain,
        }
    }

    fn hash(&self, child: &Child<W, P>) -> u64 {
        child.field.hash()
    }

    fn evaluate(&mut self, layer: usize, children: &[Child<W, P>], states: &mut Vec<State<W, P>>) {
        let steps = self.evaluate_all(self.placed_at_root + layer, children, states);
        self.played_steps += u64::from(steps);
    }

    fn scores(&self, state: &State<W, P>) -> Scores<QUOTA_COUNT> {
        state.scores
    }

    fn quota_shares(&self, layer: usize) -> [f64; QUOTA_COUNT] {
        self.context.quota_shares(self.placed_at_root + layer)
    }

    fn score(&self, state: &State<W, P>) -> i64 {
        i64::from(state.points)
    }
}

/// The kernel that evaluates children after `placed` columns.
struct EvaluateKernel<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    networks: Option<Networks<'a>>,
    placed: usize,
    children: &'a [Child<W, P>],
    states: &'a mut Vec<State<W, P>>,
}

impl<const W: usize, const P: usize> Kernel for EvaluateKernel<'_, W, P> {
    type Return = u32;

    /// Returns the number of chain steps played, plus one for each chain played.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        let Self {
            context, placed, ..
        } = self;
        let is_over = context.queue.is_exhausted(placed);
        let network = self.networks.filter(|_| !is_over);
        let network = network.map(|networks| {
            networks.for_colour_count(context.queue.upcoming_colour_counts[placed])
        });
        let mut steps = 0;
        for child in self.children {
            let known = child.inherited_chain.as_ref();
            let with_features = network.is_some();
            let evaluation = evaluate(isa, context, &child.field, placed, known, with_features);
            let mut state = State::new(child, &evaluation);
            if let Some(network) = network {
                state.learned_value = isa.enter(LearnedValueKernel {
                    feature_source: FeatureSource::new(
                        context,
                        &state,
                        &evaluation.feature_inputs,
                        placed,
                    ),
                    network,
                });
            }
            let potential = &state.potential;
            let promised =
                context.weights.chain_value(potential.best_chain) + potential.static_value;
            let occupancy = context.geometry.occupancy(&state.field);
            state.scores = context.scores(
                placed,
                state.points,
                promised,
                state.learned_value,
                occupancy,
            );
            steps += evaluation.feature_inputs.played_steps;
            self.states.push(state);
        }
        steps
    }
}
