//! Ranking the children of a state without building them.
//!
//! The chain of the state's best trigger is traced once. A column that falls
//! onto another stack leaves that chain as it is, up to the first step in which
//! one of its jewels takes part in a match; bit masks find this step for all
//! placements at once. Only those placements are played, from that step on; the
//! others inherit the potential exactly.

use crate::eval::child_value::{child_value_model, HIGHEST};
use crate::eval::potential::Trigger;
use crate::eval::quotas::QUOTAS;
use crate::eval::scaled::Value;
use crate::eval::shape::Room;
use crate::search::context::Context;
use crate::search::pieces::Codes;
use crate::search::state::State;
use columns_core::beam::{Children, Scores};
use columns_core::field::lines::Placements;
use columns_core::field::{Chain, Field};
use columns_core::rules::plan::Placement;
use columns_core::simd::{Cells, Isa, Kernel};

/// A placement: 3 × stack + shift, and whether it leaves the trigger's chain alone.
pub(crate) type Move = u8;

/// Marks a placement that takes no part in the chain of the state's trigger, so that the child
/// has it too.
pub(crate) const KEEPS_TRIGGER: Move = 1 << 7;

/// The stack and the shift of a placement.
#[inline(always)]
pub(crate) fn stack_and_shift(mv: Move) -> (usize, usize) {
    let mv = usize::from(mv & !KEEPS_TRIGGER);
    (mv / 3, mv % 3)
}

/// The placement of a move.
pub(crate) fn placement(mv: Move) -> Placement {
    let (stack, shift) = stack_and_shift(mv);
    Placement { stack, shift }
}

/// Lists the children of a state.
pub(crate) struct Expand<'a, const W: usize, const P: usize> {
    pub(crate) context: &'a Context<W>,
    pub(crate) placed: usize,
    pub(crate) state: &'a State<W, P>,
    pub(crate) children: &'a mut Children<Move, (), QUOTAS>,
    /// The scores of which a child has to beat at least one to be listed.
    pub(crate) required: Scores<QUOTAS>,
    /// Steps of chains played so far; one more for each chain.
    pub(crate) steps: u32,
}

impl<const W: usize, const P: usize> Kernel for Expand<'_, W, P> {
    type Output = u32;

    /// Returns how many steps of chains were played.
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> u32 {
        let field = self.state.field;
        let shape = &self.context.shape;
        let column = self.context.queue.columns[self.placed];
        let shifts = match column {
            Some([a, b, c]) if a != b || b != c => 3,
            _ => 1,
        };
        let tops = shape.tops(field.occupied()).and(shape.landing);
        let all = Placements::of(tops, shifts);
        let Some(jewels) = column else {
            self.play(isa, all, None);
            return self.steps;
        };
        let matching = field.stepper(isa, 0, 0, [0; 3]);
        let matching = matching.matching(isa.load(&shape.floor.0), jewels).and(all);
        self.play(isa, matching, column);
        self.leave(isa, all.without(matching), jewels);
        self.steps
    }
}

impl<const W: usize, const P: usize> Expand<'_, W, P> {
    /// The first guess of a child's scores; what its potential chain is worth is given.
    #[inline(always)]
    fn scores(&self, points: u32, worth: Value, room: Room) -> Scores<QUOTAS> {
        let promised = worth + self.state.potential.static_terms;
        let learned = self.state.learned;
        self.context
            .scores(self.placed + 1, points, promised, learned, room)
    }

    /// Whether a child with these scores may be chosen.
    #[inline(always)]
    fn admits(&self, scores: &Scores<QUOTAS>) -> bool {
        scores.beats(&self.required)
    }

    #[inline(always)]
    fn push(&mut self, mv: usize, scores: Scores<QUOTAS>) {
        if self.admits(&scores) {
            self.children.push(1, mv as Move, scores, ());
        }
    }

    /// What the state's trigger would set off on another field, as a first guess of
    /// that field's potential.
    #[inline(always)]
    fn trigger_worth<I: Isa>(&mut self, isa: I, field: &Field<W, P>) -> Value {
        let Trigger { stack, count, .. } = self.state.potential.trigger;
        if count == 0 || field.stack_height(stack as usize) + 3 > self.context.shape.height {
            return Value(0);
        }
        let chain = self.state.potential.trigger.fire(isa, field).0;
        self.steps += chain.steps + 1;
        self.context.scaled.worth(chain)
    }

    /// Plays placements that clear something at once, or those of a magic column.
    #[inline(always)]
    fn play<I: Isa>(&mut self, isa: I, placements: Placements<W>, column: Codes) {
        let context = self.context;
        let shape = &context.shape;
        for (shift, x) in placements.each() {
            let column = column.map(|jewels| turned(jewels, shift));
            let Some((chain, child)) = self.state.field.placed(isa, shape.height, x, column) else {
                continue;
            };
            self.steps += chain.steps + 1;
            let points = self.state.points + chain.points;
            let room = shape.room(&child);
            // The trigger's chain is hardly ever worth more than before, and a single match mostly
            // does not change it.
            let worth = context.scaled.worth(self.state.potential.chain);
            let mut scores = self.scores(points, worth, room);
            if column.is_none() || chain.points > 1 && self.admits(&scores) {
                let worth = self.trigger_worth(isa, &child);
                scores = self.scores(points, worth, room);
            }
            self.push(3 * x + shift, scores);
        }
    }

    /// Lists placements that clear nothing at once.
    #[inline(always)]
    fn leave<I: Isa>(&mut self, isa: I, mut pending: Placements<W>, jewels: [u8; 3]) {
        let field = self.state.field;
        let context = self.context;
        let shape = &context.shape;
        let mut room = shape.room(&field);
        room.occupied += 3;
        let floor = isa.load(&shape.floor.0);

        // On the trigger's stack the best chain of the others counts.
        let potential = self.state.potential;
        let trigger = potential.trigger;
        let points = self.state.points;
        // After the last column nothing is set off any more.
        let is_quiet = trigger.count == 0 || context.queue.over(self.placed + 1);
        let (blocking, other) = if is_quiet {
            (pending, Chain::default())
        } else {
            let on_trigger = Placements::on(trigger.stack as usize);
            (pending.and(on_trigger), potential.other)
        };
        self.inherit(blocking, other, room);
        if is_quiet {
            return;
        }
        pending = pending.without(blocking);

        // The chain of the trigger, step by step.
        let x = trigger.stack as usize;
        let y = field.stack_height(x);
        let mut stepper = field.stepper(isa, x, y, trigger.jewels::<P>());
        let mut before = Chain::default();
        loop {
            let takes_part = stepper.matching(floor, jewels).and(pending);
            if !takes_part.is_empty() {
                pending = pending.without(takes_part);
                let moment = stepper.field();
                for (shift, x) in takes_part.each() {
                    let (y, column) = (moment.stack_height(x), turned(jewels, shift));
                    let (chain, _) = moment.drop_and_resolve(isa, x, y, column, before.steps + 1);
                    self.steps += chain.steps + 1;
                    let chain = Chain {
                        points: before.points + chain.points,
                        steps: before.steps + chain.steps,
                    };
                    self.push(
                        3 * x + shift,
                        self.scores(points, context.scaled.worth(chain), room),
                    );
                }
            }
            let count = stepper.step();
            self.steps += 1;
            if count == 0 || pending.is_empty() {
                break;
            }
            before.steps += 1;
            before.points += before.steps * count;
        }
        if !pending.is_empty() {
            self.foresee(isa, pending, jewels, room);
        }
    }

    /// Lists placements that leave the best chain as it is, by what they are expected to change.
    #[inline(always)]
    fn foresee<I: Isa>(&mut self, isa: I, placements: Placements<W>, jewels: [u8; 3], room: Room) {
        let State {
            field,
            rest,
            points,
            potential,
            ..
        } = self.state;
        let worth = self.context.scaled.worth(potential.chain);
        let mut scores = self.scores(*points, worth, room);
        scores.value += HIGHEST;
        if !self.admits(&scores) {
            return;
        }
        scores.value -= HIGHEST;
        let trigger = potential.trigger.stack as usize;
        let shape = &self.context.shape;
        let child_values = child_value_model(isa, shape, field, rest, trigger, jewels);
        for (shift, x) in placements.each() {
            let mut scores = scores;
            scores.value += child_values[shift][x];
            self.push(3 * x + shift + usize::from(KEEPS_TRIGGER), scores);
        }
    }

    /// Pushes placements with the given potential chain.
    #[inline(always)]
    fn inherit(&mut self, placements: Placements<W>, chain: Chain, room: Room) {
        let scores = self.scores(self.state.points, self.context.scaled.worth(chain), room);
        if !self.admits(&scores) {
            return;
        }
        for (shift, x) in placements.each() {
            self.push(3 * x + shift, scores);
        }
    }
}

/// The jewels of a column after `shift` shifts.
#[inline(always)]
pub(crate) fn turned(jewels: [u8; 3], shift: usize) -> [u8; 3] {
    [
        jewels[shift],
        jewels[(shift + 1) % 3],
        jewels[(shift + 2) % 3],
    ]
}
