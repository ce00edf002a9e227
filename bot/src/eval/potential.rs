//! The potential of a field: the best chain that one jewel would set off, on top of a stack or on a filler (a
//! jewel that matches nothing).
//!
//! ```text
//! . c c . . .    triggers: `a` on stack 0 clears `aaa`, then `ccc`: 1 + 2 = 3 points, 2 steps
//! . a a c . .    `c` on stack 1 (falling line), on 3 (horizontal), on a filler on 0: 1 point each
//! ```
//!
//! A chain is worth a share of its points and a bonus for each step
//! ([`Weights`](super::weights::Weights)). The best chain here is the one that the `a` sets off.
//! [`find_completing_colours`] finds the triggers of all stacks at the same time; then [`evaluate`] plays
//! each trigger's chain. A chain that is already known is not played again.

use crate::eval::context::Context;
use crate::eval::patterns::{Patterns, count_patterns};
use crate::eval::scaled::Value;
use crate::eval::state::State;
use columns_core::field::lines::{find_completing_colours, sum_completing_weights};
use columns_core::field::{Chain, Field, MAX_WIDTH, Mask, Trigger};
use columns_core::simd::{Cells, Isa, Lanes};

/// An upper bound on the number of triggers. On top of a stack, one jewel can complete at most 10 lines: 3
/// horizontal, 6 diagonal and 1 vertical. For a jewel on a filler, the bound of 11 is not tight.
const MAX_TRIGGERS: usize = MAX_WIDTH * (10 + 11);

/// The best chains that a field promises, and the value of its completions and open stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Potential {
    /// The best trigger; `None` if no jewel sets off a chain.
    pub trigger: Option<Trigger>,
    /// The chain of the trigger; empty if there is no trigger.
    pub best_chain: Chain,
    /// The best chain that a trigger on another stack sets off; empty if there is none.
    pub other_stack_chain: Chain,
    /// The value of the completions after the best chain, and of the open stacks before it.
    pub structure_value: Value,
}

/// The chain that the parent's trigger sets off on a child's field. The search has played this chain to rank
/// the child, so the evaluation need not play it again.
#[derive(Debug, Clone, Copy)]
pub struct KnownChain<const W: usize, const P: usize> {
    /// The number of steps of the chain, and its points in matches.
    pub chain: Chain,
    /// The field after the chain, including the trigger's filler, if there is one.
    pub after_chain: Field<W, P>,
}

/// By-products of the evaluation, from which the features are computed.
#[derive(Debug, Clone, Copy, Default)]
pub struct FeatureInputs {
    /// The patterns of the field, if requested, and the patterns of the field after the best chain.
    pub patterns: [Patterns; 2],
    /// The [weights](crate::case::queue::ColumnQueue::upcoming_weights) of the colours that complete a line
    /// in the second empty cell of a stack, summed over the stacks with room for a column.
    pub completion_weight_above: u32,
    /// The number of triggers whose colour is still to come.
    pub trigger_count: u32,
    /// The number of triggers whose chains score at least half the points of the best chain.
    pub strong_trigger_count: u32,
    /// The number of chain steps played, plus one for each chain played.
    pub played_steps: u32,
}

/// Computes the potential of a state after `placed_columns` columns, and the field after its best chain. If
/// the state already has the chain of a trigger, that chain is not played again.
///
/// If `with_features` is false, the [`FeatureInputs`] lack the patterns of the field and the weights of the
/// completing colours.
#[inline(always)]
pub fn evaluate<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    state: &mut State<W, P>,
    placed_columns: usize,
    with_features: bool,
) -> FeatureInputs {
    let (geometry, queue, weights) = (&context.geometry, &context.queue, &context.weights);
    let field = &state.field;
    let tops = geometry.tops(field.occupied()).and(geometry.landing_cells);
    let upcoming_weights = &queue.upcoming_weights[placed_columns];
    let colour_count = queue.palette.len() as u8;
    let colours = find_completing_colours(isa, field, tops, colour_count, upcoming_weights);
    let mut feature_inputs = FeatureInputs::default();
    let search = TriggerSearch {
        context,
        state,
        placed_columns,
        tops,
        completing: &colours.code_sets,
    };
    (state.potential, state.after_chain) = search.find_best(isa, &mut feature_inputs);
    let first = usize::from(!with_features);
    let fields = &[&state.field, &state.after_chain][first..];
    // A loop rather than separate calls, so that `count_patterns` is inlined in only one place.
    let sets = I::Lanes::<W>::SETS;
    let patterns = feature_inputs.patterns[first..].chunks_mut(sets);
    for (fields, patterns) in fields.chunks(sets).zip(patterns) {
        count_patterns(isa, context, fields, placed_columns, patterns);
    }
    if with_features {
        let after_chain = &state.after_chain;
        let tops = geometry
            .tops(after_chain.occupied())
            .and(geometry.landing_cells);
        feature_inputs.patterns[0].completion_weight = colours.total_weights[0];
        feature_inputs.patterns[1].completion_weight =
            sum_completing_weights(isa, after_chain, tops, colour_count, upcoming_weights);
        feature_inputs.completion_weight_above = colours.total_weights[1];
    }
    let [on_top, above, all] = feature_inputs.patterns[1].completions_by_height;
    state.potential.structure_value = Value(
        on_top as i32 * weights.spot
            + above as i32 * weights.second_spot
            + all as i32 * weights.completion
            + tops.count() as i32 * weights.open_stacks,
    );
    feature_inputs
}

/// The search for the best trigger of a state. Only stacks with room for a column have triggers.
struct TriggerSearch<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    state: &'a State<W, P>,
    placed_columns: usize,
    /// The lowest empty cells of the stacks with room for a column.
    tops: Mask<W>,
    /// The codes that complete a line, as in `CompletingColours::code_sets`.
    completing: &'a [[u32; MAX_WIDTH]; 2],
}

impl<const W: usize, const P: usize> TriggerSearch<'_, W, P> {
    /// Plays the chain of each trigger whose colour is still to come, except the known chain. Returns the
    /// potential, still without the structure value, and the field after the best chain. Counts the triggers
    /// and the steps played.
    #[inline(always)]
    fn find_best<I: Isa>(&self, isa: I, inputs: &mut FeatureInputs) -> (Potential, Field<W, P>) {
        let placed_columns = self.placed_columns;
        let Self { context, state, .. } = self;
        let (mut best, mut after_chain) = (Potential::default(), state.field);
        let (mut best_worth, mut other_worth, mut best_is_known) = (0, 0, false);
        // The points of each chain, in matches. Only the first `count` entries are in use.
        let (mut chain_points, mut count) = ([0_u16; MAX_TRIGGERS], 0);
        for (x, _) in self.tops.cells() {
            // A colour that sets off a chain on top of the stack is not tried on a filler. Two jewels of the
            // same colour as the top of the stack are not a trigger either: the only jewel of the field
            // that they would clear is that top, and nothing lies on it.
            let [on_top, above] = [self.completing[0][x], self.completing[1][x]];
            let mut codes = u64::from(on_top) | u64::from(above & !on_top) << 32;
            while codes != 0 {
                let bit = codes.trailing_zeros();
                codes &= codes - 1;
                let trigger = Trigger {
                    stack: x as u8,
                    code: (bit % 32) as u8,
                    is_on_filler: bit >= 32,
                };
                if !context.queue.has_colour_after(placed_columns, trigger.code) {
                    continue;
                }
                let is_known = state.potential.trigger == Some(trigger);
                let (chain, after) = if is_known {
                    (state.potential.best_chain, state.after_chain)
                } else {
                    let fired = trigger.fire(isa, &state.field);
                    inputs.played_steps += fired.0.steps + 1;
                    fired
                };
                chain_points[count] = chain.points as u16;
                count += 1;
                let worth = context.weights.chain_value(chain).0;
                let is_elsewhere = best
                    .trigger
                    .map_or(true, |best| best.stack != trigger.stack);
                if worth > best_worth {
                    if is_elsewhere {
                        best.other_stack_chain = best.best_chain;
                        other_worth = best_worth;
                    }
                    (best.trigger, best.best_chain) = (Some(trigger), chain);
                    best_worth = worth;
                    after_chain = after;
                    best_is_known = is_known;
                } else if is_elsewhere && worth > other_worth {
                    best.other_stack_chain = chain;
                    other_worth = worth;
                }
            }
        }
        if let Some(trigger) = best.trigger.filter(|_| !best_is_known) {
            trigger.add_filler(isa, &mut after_chain);
        }
        inputs.trigger_count = count as u32;
        for &points in &chain_points[..count] {
            inputs.strong_trigger_count +=
                u32::from(2 * u32::from(points) >= best.best_chain.points);
        }
        (best, after_chain)
    }
}
