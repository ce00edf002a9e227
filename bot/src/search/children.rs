//! Ranks the children of a state without building them.
//!
//! A state stores its best *trigger*: the stack and colour that set off its best chain. Placing a
//! column on another stack leaves that chain unchanged until one of the new jewels becomes part of
//! a match. `Stepper::matching` computes, for all 3 × width placements at the same time, in which
//! step of the chain that happens:
//!
//! ```text
//! . c c . .   trigger: an `a` on stack 0; step 1 clears the three `a`, step 2 the three `c` that
//! . a a c .   fall into their place
//!             column `cbb` on stack 4: its `c` joins the match of step 2 -> simulated from step 2 on
//!             column `bcb` on stack 4: none of its jewels ever matches   -> inherits the chain
//! ```
//!
//! Only interfering placements are simulated. All others inherit the parent's chain exactly. A new
//! trigger may still set off a better chain; the search finds it when it evaluates the child.

use crate::case::queue::{Codes, shifted};
use crate::case::shape::Room;
use crate::eval::child_value::{MAX_PREDICTION, child_value_model};
use crate::eval::context::Context;
use crate::eval::potential::Trigger;
use crate::eval::quotas::QUOTAS;
use crate::eval::scaled::Value;
use crate::eval::state::State;
use crate::search::moves::Move;
use columns_core::beam::{Children, Scores};
use columns_core::field::lines::Placements;
use columns_core::field::{Chain, Field};
use columns_core::rules::plan::Placement;
use columns_core::simd::{Cells, Isa, Kernel};

/// The kernel that lists the children of a state.
pub struct Expand<'a, const W: usize, const P: usize> {
    /// The context of the game.
    pub context: &'a Context<W>,
    /// The number of columns placed so far.
    pub placed: usize,
    /// The state whose children are listed.
    pub state: &'a State<W, P>,
    /// The list of children, to which the kernel adds.
    pub children: &'a mut Children<Move, (), QUOTAS>,
    /// The threshold: a child is listed if it beats at least one of these scores. The threshold
    /// changes neither the scores of a listed child nor the number of steps, except in trials.
    pub required: Scores<QUOTAS>,
    /// The number of steps played, plus one for each chain.
    pub steps: u32,
}

impl<const W: usize, const P: usize> Kernel for Expand<'_, W, P> {
    type Answer = u32;

    /// Returns the number of steps played, plus one for each chain. Trials are not counted.
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> u32 {
        let Self {
            context,
            state,
            placed,
            ..
        } = self;
        let (field, shape) = (&state.field, &context.shape);
        let column = context.queue.columns[placed];
        let shifts = match column {
            Some([a, b, c]) if a != b || b != c => 3,
            _ => 1,
        };
        let tops = shape.tops(field.occupied()).and(shape.landing);
        let all = Placements::from_tops(tops, shifts);
        let Some(jewels) = column else {
            self.clearing(isa, all, None);
            return self.steps;
        };
        let matching = field.stepper(isa, 0, 0, [0; 3]);
        let matching = matching.matching(isa.load(&shape.floor.0), jewels).and(all);
        self.clearing(isa, matching, column);
        let pending = all.without(matching);
        let mut room = shape.room(field);
        room.occupied += 3;
        match state.potential.trigger {
            // After the last column, no trigger can be set off.
            Some(trigger) if !context.queue.over(placed + 1) => {
                let on_trigger = pending.and(Placements::on(trigger.stack.into()));
                self.blocking(on_trigger, state.potential.other, room);
                let pending = pending.without(on_trigger);
                let quiet = self.interfering(isa, trigger, pending, jewels, room);
                self.quiet(isa, trigger, quiet, jewels, room);
            }
            _ => self.blocking(pending, Chain::default(), room),
        }
        self.steps
    }
}

impl<const W: usize, const P: usize> Expand<'_, W, P> {
    /// Estimates the scores of a child, given the worth of its best chain.
    #[inline(always)]
    fn scores(&self, points: u32, worth: Value, room: Room) -> Scores<QUOTAS> {
        let promised = worth + self.state.potential.static_terms;
        let learned = self.state.learned;
        self.context
            .scores(self.placed + 1, points, promised, learned, room)
    }

    #[inline(always)]
    fn push(&mut self, mv: Move, scores: Scores<QUOTAS>) {
        if scores.beats(&self.required) {
            self.children.push(1, mv, scores, ());
        }
    }

    /// Estimates the worth of the best chain on the field of a child, by the chain that the state's
    /// trigger sets off there. Also returns the number of steps played, plus one for the chain.
    #[inline(always)]
    fn trigger_worth<I: Isa>(&self, isa: I, field: &Field<W, P>) -> (Value, u32) {
        match self.state.potential.trigger {
            Some(trigger)
                if field.stack_height(trigger.stack.into()) + 3 <= self.context.shape.height =>
            {
                let chain = trigger.fire(isa, field).0;
                (self.context.scaled.worth(chain), chain.steps + 1)
            }
            _ => (Value(0), 0),
        }
    }

    /// Plays and lists placements with which the column makes a match when it lands, or the
    /// placements of a magic column.
    #[inline(always)]
    fn clearing<I: Isa>(&mut self, isa: I, placements: Placements<W>, column: Codes) {
        let context = self.context;
        let shape = &context.shape;
        for placement in placements.each() {
            let Placement { stack, shift } = placement;
            let column = column.map(|jewels| shifted(jewels, shift));
            let Some((chain, child)) = self.state.field.placed(isa, shape.height, stack, column)
            else {
                continue;
            };
            self.steps += chain.steps + 1;
            let points = self.state.points + chain.points;
            let room = shape.room(&child);
            // A single match rarely changes the trigger's chain.
            let worth = context.scaled.worth(self.state.potential.chain);
            let mut scores = self.scores(points, worth, room);
            if column.is_none() || chain.points > 1 && scores.beats(&self.required) {
                let (worth, steps) = self.trigger_worth(isa, &child);
                let tried = self.scores(points, worth, room);
                if column.is_none() {
                    self.steps += steps;
                    scores = tried;
                } else {
                    self.children.add_trial(scores, steps);
                    // Capped at the estimate, so that a child that beats `required` is always
                    // tried.
                    scores = scores.min(tried);
                }
            }
            self.push(Move::new(placement), scores);
        }
    }

    /// Lists placements on the trigger's stack. They block its chain, so the best chain becomes
    /// `chain`, the best one of the other stacks.
    #[inline(always)]
    fn blocking(&mut self, placements: Placements<W>, chain: Chain, room: Room) {
        let scores = self.scores(self.state.points, self.context.scaled.worth(chain), room);
        if !scores.beats(&self.required) {
            return;
        }
        for placement in placements.each() {
            self.push(Move::new(placement), scores);
        }
    }

    /// Lists the placements that interfere with the trigger's chain. Each is played from the first
    /// step in which one of its jewels matches. Returns the other placements.
    #[inline(always)]
    fn interfering<I: Isa>(
        &mut self,
        isa: I,
        trigger: Trigger,
        mut pending: Placements<W>,
        jewels: [u8; 3],
        room: Room,
    ) -> Placements<W> {
        let context = self.context;
        let floor = isa.load(&context.shape.floor.0);
        for (before, stepper) in trigger.trace(isa, &self.state.field) {
            let matching = stepper.matching(floor, jewels).and(pending);
            if !matching.is_empty() {
                pending = pending.without(matching);
                let field = stepper.field();
                for placement in matching.each() {
                    let Placement { stack, shift } = placement;
                    let (y, column) = (field.stack_height(stack), shifted(jewels, shift));
                    let (chain, _) =
                        field.drop_and_resolve(isa, stack, y, column, before.steps + 1);
                    self.steps += chain.steps + 1;
                    let worth = context.scaled.worth(before + chain);
                    let scores = self.scores(self.state.points, worth, room);
                    self.push(Move::new(placement), scores);
                }
            }
            self.steps += 1;
            if pending.is_empty() {
                break;
            }
        }
        pending
    }

    /// Lists placements that do not change the best chain, by their predicted values.
    #[inline(always)]
    fn quiet<I: Isa>(
        &mut self,
        isa: I,
        trigger: Trigger,
        placements: Placements<W>,
        jewels: [u8; 3],
        room: Room,
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
        let worth = self.context.scaled.worth(potential.chain);
        let mut scores = self.scores(*points, worth, room);
        scores.value += MAX_PREDICTION;
        if !scores.beats(&self.required) {
            return;
        }
        scores.value -= MAX_PREDICTION;
        let (shape, stack) = (&self.context.shape, trigger.stack.into());
        let child_values = child_value_model(isa, shape, field, after_chain, stack, jewels);
        for placement in placements.each() {
            let mut scores = scores;
            // Capped at the bound above, so that `required` affects only which children are listed.
            scores.value += child_values[placement.shift][placement.stack].min(MAX_PREDICTION);
            self.push(Move::new(placement).keeping_trigger(), scores);
        }
    }
}
