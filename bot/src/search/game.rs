//! The Columns Game as the beam search sees it.

use crate::case::queue::shifted;
use crate::eval::context::Context;
use crate::eval::potential::{KnownChain, evaluate};
use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::scaled::Value;
use crate::eval::state::State;
use crate::learned::features::FeatureSource;
use crate::learned::networks::{LearnedValueKernel, Networks};
use crate::search::children::ExpandKernel;
use crate::search::moves::Move;
use crate::search::player::Player;
use columns_core::beam::{Children, Game, Scores};
use columns_core::field::{Chain, Field, PlaceKernel};
use columns_core::rules::plan::Placement;
use columns_core::rules::quickstart::next_placement;
use columns_core::simd::{self, InstructionSet, Isa, Kernel};
use std::slice;

/// The Columns Game for one case: a [`Game`] whose moves are the placements of the columns.
#[derive(Clone)]
pub struct ColumnsGame<'a, const W: usize, const P: usize> {
    pub(crate) cpu: InstructionSet,
    pub(crate) context: &'a Context<W>,
    pub(crate) player: Player<'a>,
    /// The number of columns placed before the root of the search.
    pub(crate) placed_at_root: usize,
    /// The number of chain steps played so far, plus one for each chain that is set off to list or
    /// evaluate children, since starting a chain costs as much as a step.
    pub played_steps: u64,
}

impl<'a, const W: usize, const P: usize> ColumnsGame<'a, W, P> {
    /// Creates the game that starts with the column at index `placed_at_root`.
    pub fn new(
        cpu: InstructionSet,
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

    /// Places the column that follows the first `placed_columns` columns. Returns its chain and the field
    /// after the chain, or `None` if the column does not fit.
    pub(crate) fn place(
        &mut self,
        placed_columns: usize,
        field: &Field<W, P>,
        Placement { stack, shift }: Placement,
    ) -> Option<(Chain, Field<W, P>)> {
        let column = self.context.queue.columns[placed_columns];
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
        for placed_columns in 0..self.context.queue.columns.len() {
            if placed_columns == path.len() {
                let placement = next_placement(geometry.width, |stack| field.stack_height(stack));
                path.push(Move::new(placement));
            }
            let Some((chain, after)) =
                self.place(placed_columns, &field, path[placed_columns].placement())
            else {
                path.truncate(placed_columns);
                break;
            };
            (field, points) = (after, points + chain.points);
        }
        points
    }

    /// Evaluates a state after `placed_columns` columns. Returns its scores.
    pub(crate) fn evaluate_one(
        &mut self,
        placed_columns: usize,
        state: &mut State<W, P>,
    ) -> Scores<QUOTA_COUNT> {
        let mut scores = Vec::with_capacity(1);
        self.evaluate_all(placed_columns, slice::from_mut(state), &mut scores);
        scores[0]
    }

    /// Evaluates states after `placed_columns` columns, and appends their scores.
    fn evaluate_all(
        &mut self,
        placed_columns: usize,
        states: &mut [State<W, P>],
        scores: &mut Vec<Scores<QUOTA_COUNT>>,
    ) {
        let kernel = EvaluateKernel {
            context: self.context,
            networks: self.player.networks,
            placed_columns,
            states,
            scores,
        };
        self.played_steps += u64::from(simd::run(self.cpu, kernel));
    }
}

impl<const W: usize, const P: usize> Game<QUOTA_COUNT> for ColumnsGame<'_, W, P> {
    type State = State<W, P>;
    type Move = Move;
    type ListedHash = [u64; 0];
    type Memo = KnownChain<W, P>;

    const IS_SELECTIVE: bool = true;

    fn expand(
        &mut self,
        layer: usize,
        state: &State<W, P>,
        threshold: Scores<QUOTA_COUNT>,
        children: &mut Children<Move, [u64; 0], QUOTA_COUNT, KnownChain<W, P>>,
    ) {
        let kernel = ExpandKernel {
            context: self.context,
            placed_columns: self.placed_at_root + layer,
            state,
            children,
            threshold,
            played_steps: 0,
        };
        self.played_steps += u64::from(simd::run(self.cpu, kernel));
    }

    fn work(&self) -> u64 {
        self.played_steps
    }

    fn build(
        &mut self,
        layer: usize,
        mv: Move,
        memo: Option<&KnownChain<W, P>>,
        state: &mut State<W, P>,
    ) {
        let kernel = BuildKernel {
            context: self.context,
            placed_columns: self.placed_at_root + layer,
            mv,
            memo,
            state,
        };
        self.played_steps += u64::from(simd::run(self.cpu, kernel));
    }

    fn hash(&self, child: &State<W, P>) -> u64 {
        child.field.hash()
    }

    fn evaluate(
        &mut self,
        layer: usize,
        states: &mut [State<W, P>],
        scores: &mut Vec<Scores<QUOTA_COUNT>>,
    ) {
        self.evaluate_all(self.placed_at_root + layer, states, scores);
    }

    fn quota_shares(&self, layer: usize) -> [f64; QUOTA_COUNT] {
        self.context.quota_shares(self.placed_at_root + layer)
    }

    fn score(&self, state: &State<W, P>) -> i64 {
        i64::from(state.points)
    }
}

/// The kernel that turns a copy of a state into a child.
struct BuildKernel<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    /// The number of columns placed before the move.
    placed_columns: usize,
    mv: Move,
    memo: Option<&'a KnownChain<W, P>>,
    state: &'a mut State<W, P>,
}

impl<const W: usize, const P: usize> Kernel for BuildKernel<'_, W, P> {
    type Output = u32;

    /// Returns the number of chain steps played.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        let Self { context, state, .. } = self;
        let Placement { stack, shift } = self.mv.placement();
        let column = context.queue.columns[self.placed_columns];
        let column = column.map(|jewels| shifted(jewels, shift));
        let State {
            potential,
            after_chain,
            ..
        } = state;
        state
            .history
            .push(self.placed_columns, state.points, potential.best_chain);
        if let Some(known) = self.memo {
            potential.best_chain = known.chain;
            *after_chain = known.after_chain;
        } else if !self.mv.keeps_trigger() {
            potential.trigger = None;
        } else if let Some(codes) = column {
            // The column lies on top of the jewels that the chain leaves.
            *after_chain = after_chain.with_column(isa, stack, codes);
        }
        let result = state
            .field
            .place(isa, context.geometry.height, stack, column);
        // The placement fits, since only placements that fit are listed.
        let Some((chain, field)) = result else {
            return 0;
        };
        state.field = field;
        state.points += chain.points;
        chain.steps
    }
}

/// The kernel that evaluates states after `placed_columns` columns.
struct EvaluateKernel<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    networks: Option<Networks<'a>>,
    placed_columns: usize,
    states: &'a mut [State<W, P>],
    scores: &'a mut Vec<Scores<QUOTA_COUNT>>,
}

impl<const W: usize, const P: usize> Kernel for EvaluateKernel<'_, W, P> {
    type Output = u32;

    /// Returns the number of chain steps played, plus one for each chain played.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        let Self {
            context,
            placed_columns,
            ..
        } = self;
        let is_over = context.queue.is_exhausted(placed_columns);
        let network = self.networks.filter(|_| !is_over);
        let network = network.map(|networks| {
            networks.for_colour_count(context.queue.upcoming_colour_counts[placed_columns])
        });
        let mut steps = 0;
        for state in self.states {
            let feature_inputs = evaluate(isa, context, state, placed_columns, network.is_some());
            state.learned_value = network.map_or(Value(0), |network| {
                isa.enter(LearnedValueKernel {
                    feature_source: FeatureSource::new(
                        context,
                        state,
                        &feature_inputs,
                        placed_columns,
                    ),
                    network,
                })
            });
            let potential = &state.potential;
            let field_value =
                context.weights.chain_value(potential.best_chain) + potential.structure_value;
            let occupancy = context.geometry.occupancy(&state.field);
            self.scores.push(context.scores(
                placed_columns,
                state.points,
                field_value,
                state.learned_value,
                occupancy,
            ));
            steps += feature_inputs.played_steps;
        }
        steps
    }
}
