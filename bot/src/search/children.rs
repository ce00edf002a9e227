//! Ranks the children of a state without building them.
//!
//! A state stores its best *trigger*: the stack and colour that set off its best chain. Placing a
//! column on another stack leaves that chain unchanged until one of the new jewels becomes part of
//! a match. `Stepper::matching_placements` computes, for all 3 × width placements at the same time, in which
//! step of the chain that happens:
//!
//! ```text
//! . c c . .   trigger: an `a` on stack 0; step 1 clears the three `a`, step 2 the three `c`, which
//! . a a c .   are then in a row
//!             column `cbb` on stack 4: its `c` joins the match of step 2 -> simulated from step 2 on
//!             column `bcb` on stack 4: none of its jewels ever matches   -> inherits the chain
//! ```
//!
//! Only placements that interfere with the chain, or clear jewels immediately, are simulated. A placement on
//! the trigger's stack blocks the trigger, so the child inherits the best chain of the other stacks. All
//! other placements inherit the parent's chain exactly. A new trigger may still set off a better chain; the
//! search finds this chain when it evaluates the child.

use crate::case::geometry::Occupancy;
use crate::case::queue::shifted;
use crate::eval::child_value::{MAX_PREDICTION, predict_child_values};
use crate::eval::context::Context;
use crate::eval::potential::KnownChain;
use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::scaled::Value;
use crate::eval::state::State;
use crate::search::moves::Move;
use columns_core::beam::{Children, Scores};
use columns_core::field::lines::PlacementSet;
use columns_core::field::{Chain, Field, PlaceKernel, Trigger};
use columns_core::rules::plan::Placement;
use columns_core::simd::{Cells, Isa, Kernel};

/// The kernel that lists the children of a state.
pub struct ExpandKernel<'a, const W: usize, const P: usize> {
    /// The case and the weights of the game.
    pub context: &'a Context<W>,
    /// The number of columns placed so far.
    pub placed_columns: usize,
    /// The state whose children are listed.
    pub state: &'a State<W, P>,
    /// The list to which the kernel adds children.
    pub children: &'a mut Children<Move, [u64; 0], QUOTA_COUNT, KnownChain<W, P>>,
    /// A child is listed if it beats at least one of these scores. The threshold does not affect the scores
    /// of a listed child.
    pub threshold: Scores<QUOTA_COUNT>,
    /// The number of chain steps played so far, plus one for each chain.
    pub played_steps: u32,
}

impl<const W: usize, const P: usize> Kernel for ExpandKernel<'_, W, P> {
    type Output = u32;

    /// Returns the number of chain steps played, plus one for each chain.
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> u32 {
        let Self {
            context,
            state,
            placed_columns,
            ..
        } = self;
        let (field, geometry) = (&state.field, &context.geometry);
        let column = context.queue.columns[placed_columns];
        let shifts = match column {
            Some([a, b, c]) if a != b || b != c => 3,
            _ => 1,
        };
        let tops = geometry.tops(field.occupied()).and(geometry.landing_cells);
        let all = PlacementSet::from_tops(tops, shifts);
        let Some(jewels) = column else {
            self.list_magic(isa, all);
            return self.played_steps;
        };
        let matching = field
            .load(isa)
            .matching_placements(isa.load(&geometry.floor.0), jewels)
            .and(all);
        self.list_matching(isa, matching, jewels);
        let unlisted = all.without(matching);
        let mut occupancy = geometry.occupancy(field);
        occupancy.occupied_cells += 3;
        // After the last column, no jewel can set off a chain.
        let is_over = context.queue.is_exhausted(placed_columns + 1);
        let trigger = state.potential.trigger.filter(|_| !is_over);
        let (blocking, chain) = trigger.map_or((unlisted, Chain::default()), |trigger| {
            let on_trigger = unlisted.and(PlacementSet::from_stack(trigger.stack.into()));
            (on_trigger, state.potential.other_stack_chain)
        });
        self.list_blocking(blocking, chain, occupancy);
        if let Some(trigger) = trigger {
            let unlisted = unlisted.without(blocking);
            let quiet = self.list_interfering(isa, trigger, unlisted, jewels, occupancy);
            self.list_quiet(isa, trigger, quiet, jewels, occupancy);
        }
        self.played_steps
    }
}

impl<const W: usize, const P: usize> ExpandKernel<'_, W, P> {
    /// Estimates the scores of a child from its points, the worth of its best chain, and its occupancy.
    #[inline(always)]
    fn scores(&self, points: u32, worth: Value, occupancy: Occupancy) -> Scores<QUOTA_COUNT> {
        let field_value = worth + self.state.potential.structure_value;
        let learned_value = self.state.learned_value;
        self.context.scores(
            self.placed_columns + 1,
            points,
            field_value,
            learned_value,
            occupancy,
        )
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, scores: Scores<QUOTA_COUNT>) {
        if scores.exceeds_any(&self.threshold) {
            self.children.push(1, mv, scores, []);
        }
    }

    /// Estimates the worth of a child's best chain by the chain that the state's trigger sets off on the
    /// child's field. Also returns the number of steps played, plus one. Both are 0 without a trigger, or if
    /// the trigger's stack has no room for a column. `place` places a column on the child's field.
    #[inline(always)]
    fn trigger_worth(
        &self,
        place: impl FnOnce(usize, Option<[u8; 3]>) -> Option<(Chain, Field<W, P>)>,
    ) -> (Value, u32) {
        let trigger = self.state.potential.trigger;
        let fired = trigger.and_then(|trigger| place(trigger.stack.into(), Some(trigger.codes())));
        fired.map_or((Value(0), 0), |(chain, _)| {
            (self.context.weights.chain_value(chain), chain.steps + 1)
        })
    }

    /// Plays and lists the placements of a magic column.
    #[inline(always)]
    fn list_magic<I: Isa>(&mut self, isa: I, placements: PlacementSet<W>) {
        let geometry = &self.context.geometry;
        let height = geometry.height;
        // Magic columns are rare, so a call for each placement costs little. Inlining would add two more
        // copies of the code that plays a chain.
        let place = |field: &Field<W, P>, stack, column| {
            isa.enter(PlaceKernel {
                field,
                height,
                stack,
                column,
            })
        };
        for placement in placements.iter() {
            let Some((chain, child)) = place(&self.state.field, placement.stack, None) else {
                continue;
            };
            let (worth, steps) = self.trigger_worth(|stack, column| place(&child, stack, column));
            self.played_steps += chain.steps + 1 + steps;
            let points = self.state.points + chain.points;
            let scores = self.scores(points, worth, geometry.occupancy(&child));
            self.push(Move::new(placement), scores);
        }
    }

    /// Plays and lists the placements of a column that make a match when the column lands.
    #[inline(always)]
    fn list_matching<I: Isa>(&mut self, isa: I, placements: PlacementSet<W>, jewels: [u8; 3]) {
        let context = self.context;
        let geometry = &context.geometry;
        // A single match rarely changes the trigger's chain, so the worth of that chain is the estimate.
        let estimated_worth = context.weights.chain_value(self.state.potential.best_chain);
        for placement in placements.iter() {
            let Placement { stack, shift } = placement;
            let column = Some(shifted(jewels, shift));
            let Some((chain, child)) = self.state.field.place(isa, geometry.height, stack, column)
            else {
                continue;
            };
            self.played_steps += chain.steps + 1;
            let points = self.state.points + chain.points;
            let occupancy = geometry.occupancy(&child);
            let mut scores = self.scores(points, estimated_worth, occupancy);
            if chain.points > 1 && scores.exceeds_any(&self.threshold) {
                let (worth, steps) = self.trigger_worth(|stack, column| {
                    child.place(isa, geometry.height, stack, column)
                });
                self.played_steps += steps;
                // Capped at the estimate, so that the trigger need not be played for a child whose estimate
                // does not beat `threshold`.
                scores = scores.min(self.scores(points, worth, occupancy));
            }
            self.push(Move::new(placement), scores);
        }
    }

    /// Lists placements after which `chain` is the best known chain. Placements on the trigger's stack block
    /// the trigger, so `chain` is the best chain of the other stacks. If there is no trigger, or no column
    /// after this one, `chain` is empty.
    #[inline(always)]
    fn list_blocking(&mut self, placements: PlacementSet<W>, chain: Chain, occupancy: Occupancy) {
        let scores = self.scores(
            self.state.points,
            self.context.weights.chain_value(chain),
            occupancy,
        );
        if !scores.exceeds_any(&self.threshold) {
            return;
        }
        for placement in placements.iter() {
            self.push(Move::new(placement), scores);
        }
    }

    /// Lists the placements that interfere with the trigger's chain. Plays each of them from the first
    /// step in which a new jewel matches. Returns the other placements.
    #[inline(always)]
    fn list_interfering<I: Isa>(
        &mut self,
        isa: I,
        trigger: Trigger,
        mut unlisted: PlacementSet<W>,
        jewels: [u8; 3],
        occupancy: Occupancy,
    ) -> PlacementSet<W> {
        let context = self.context;
        let floor = isa.load(&context.geometry.floor.0);
        for (chain_before, stepper) in trigger.trace(isa, &self.state.field) {
            let matching = stepper.matching_placements(floor, jewels).and(unlisted);
            if !matching.is_empty() {
                unlisted = unlisted.without(matching);
                let field = stepper.to_field();
                for placement in matching.iter() {
                    let Placement { stack, shift } = placement;
                    let (y, column) = (field.stack_height(stack), shifted(jewels, shift));
                    let (chain, mut after_chain) =
                        field.drop_and_resolve(isa, stack, y, column, chain_before.steps + 1);
                    self.played_steps += chain.steps + 1;
                    let chain = chain_before + chain;
                    let worth = context.weights.chain_value(chain);
                    let scores = self.scores(self.state.points, worth, occupancy);
                    if scores.exceeds_any(&self.threshold) {
                        trigger.add_filler(isa, &mut after_chain);
                        let known = KnownChain { chain, after_chain };
                        let mv = Move::new(placement).keeping_trigger();
                        self.children.push_with_memo(1, mv, scores, [], known);
                    }
                }
            }
            self.played_steps += 1;
            if unlisted.is_empty() {
                break;
            }
        }
        unlisted
    }

    /// Lists placements that do not interfere with the best chain, with their predicted values.
    #[inline(always)]
    fn list_quiet<I: Isa>(
        &mut self,
        isa: I,
        trigger: Trigger,
        placements: PlacementSet<W>,
        jewels: [u8; 3],
        occupancy: Occupancy,
    ) {
        let State {
            field,
            after_chain,
            points,
            potential,
            ..
        } = self.state;
        if placements.is_empty() {
            return;
        }
        let worth = self.context.weights.chain_value(potential.best_chain);
        let mut scores = self.scores(*points, worth, occupancy);
        scores.value += MAX_PREDICTION;
        if !scores.exceeds_any(&self.threshold) {
            return;
        }
        scores.value -= MAX_PREDICTION;
        let (geometry, stack) = (&self.context.geometry, trigger.stack.into());
        let child_values = predict_child_values(isa, geometry, field, after_chain, stack, jewels);
        for placement in placements.iter() {
            let mut scores = scores;
            // Capped at the maximum that the check above assumes, so that the check drops no child that beats
            // `threshold`.
            scores.value += child_values[placement.shift][placement.stack].min(MAX_PREDICTION);
            self.push(Move::new(placement).keeping_trigger(), scores);
        }
    }
}
