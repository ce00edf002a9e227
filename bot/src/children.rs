//! Ranking the children of a state without building them.
//!
//! The chain of the state's best trigger is traced once. A column that falls
//! onto another stack leaves that chain as it is, up to the first step in which
//! one of its jewels takes part in a match; bit masks find this step for all
//! placements at once. Only those placements are played, from that step on; the
//! others inherit the potential exactly.

use crate::context::{Codes, Context};
use crate::potential::{Room, Trigger};
use crate::state::State;
use columns_core::beam::Children;
use columns_core::field::{Chain, Field, Mask};
use columns_core::isa::{Isa, Kernel};
use columns_core::lines::matching;

/// A placement: 3 × stack + shift.
pub type Op = u8;

/// A step of a traced chain: the field before its clearing, and what was paid
/// until then.
#[derive(Debug, Clone, Copy)]
pub struct Moment<const W: usize, const P: usize> {
    field: Field<W, P>,
    before: Chain,
}

/// For each shift of a column the stacks, a bit each, on which one of its jewels would be in
/// a match at once.
#[inline(always)]
fn hits<I: Isa, const W: usize, const P: usize>(
    isa: I,
    field: &Field<W, P>,
    tops: Mask<W>,
    jewels: [u8; 3],
) -> [u16; 3] {
    let mut stacks = [0; 3];
    for (hit, stacks) in matching(isa, field, tops, jewels).iter().zip(&mut stacks) {
        for word in 0..W {
            let mut bits = hit.0[word];
            while bits != 0 {
                *stacks |= 1 << Context::<W>::stack_of(word, bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }
    stacks
}

/// Lists the children of a state.
pub struct Expand<'a, const W: usize, const P: usize> {
    pub(crate) context: &'a Context<W>,
    pub(crate) moments: &'a mut Vec<Moment<W, P>>,
    pub(crate) placed: usize,
    pub(crate) state: &'a State<W, P>,
    pub(crate) children: &'a mut Children<Op>,
}

impl<const W: usize, const P: usize> Kernel for Expand<'_, W, P> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) {
        match self.context.columns[self.placed] {
            Some(jewels) => self.jewels(isa, jewels),
            None => self.magic(isa),
        }
    }
}

impl<const W: usize, const P: usize> Expand<'_, W, P> {
    /// The stacks that can take a column, a bit each, and their tops.
    #[inline(always)]
    fn landing(&self) -> (Mask<W>, u16) {
        let tops = self
            .context
            .tops(self.state.field.occupied())
            .and(self.context.landing);
        let mut stacks = 0;
        for x in 0..self.context.width {
            stacks |= u16::from(tops.0[x % W] >> (21 * (x / W)) & ((1 << 21) - 1) != 0) << x;
        }
        (tops, stacks)
    }

    /// The points of a column that fits.
    #[inline(always)]
    fn place<I: Isa>(&self, isa: I, field: &mut Field<W, P>, x: usize, column: Codes) -> u32 {
        let chain = field.place(isa, self.context.height, x, column);
        chain.map_or(0, |chain| chain.points)
    }

    #[inline(always)]
    fn push(&mut self, stack: usize, shift: usize, points: u32, worth: i32, room: Room) {
        let rest = worth + self.state.potential.features;
        let learned = self.state.learned;
        let rank = self
            .context
            .rank(self.placed + 1, points, rest, learned, room);
        self.children.push(1, (3 * stack + shift) as Op, rank);
    }

    #[inline(always)]
    fn magic<I: Isa>(&mut self, isa: I) {
        let (_, mut stacks) = self.landing();
        while stacks != 0 {
            let x = stacks.trailing_zeros() as usize;
            stacks &= stacks - 1;
            let mut field = self.state.field;
            let points = self.state.points + self.place(isa, &mut field, x, None);
            let worth = self.trigger_worth(isa, &field);
            self.push(x, 0, points, worth, self.context.room(&field));
        }
    }

    /// What the state's trigger would set off on another field, as a first guess of
    /// that field's potential.
    #[inline(always)]
    fn trigger_worth<I: Isa>(&self, isa: I, field: &Field<W, P>) -> i32 {
        let Trigger { stack, count, .. } = self.state.potential.trigger;
        if count == 0 || field.stack_height(stack as usize) + 3 > self.context.height {
            return 0;
        }
        self.context
            .worth(self.state.potential.trigger.fire(isa, field).0)
    }

    #[inline(always)]
    fn jewels<I: Isa>(&mut self, isa: I, jewels: [u8; 3]) {
        let (tops, stacks) = self.landing();
        let field = self.state.field;
        let shifts = if jewels[0] == jewels[1] && jewels[1] == jewels[2] {
            1
        } else {
            3
        };
        let mut pending = [0; 3];
        pending[..shifts].fill(stacks);
        let mut room = self.context.room(&field);
        room.occupied += 3;

        // Placements that clear something at once are played.
        let fires = hits(isa, &field, tops, jewels);
        for shift in 0..shifts {
            pending[shift] &= !fires[shift];
            let mut left = fires[shift];
            while left != 0 {
                let x = left.trailing_zeros() as usize;
                left &= left - 1;
                let mut child = field;
                let points =
                    self.state.points + self.place(isa, &mut child, x, Some(turned(jewels, shift)));
                let worth = self.trigger_worth(isa, &child);
                self.push(x, shift, points, worth, self.context.room(&child));
            }
        }

        // On the trigger's stack the best chain of the others counts.
        let potential = self.state.potential;
        let trigger = potential.trigger;
        let points = self.state.points;
        if trigger.count == 0 {
            for (shift, left) in pending.into_iter().enumerate() {
                self.inherit(left, shift, points, Chain::default(), room);
            }
            return;
        }
        let on_trigger = 1 << trigger.stack;
        for (shift, left) in pending.iter_mut().enumerate() {
            self.inherit(*left & on_trigger, shift, points, potential.other, room);
            *left &= !on_trigger;
        }

        self.trace(isa);
        for index in 0..self.moments.len() {
            let Moment { field, before } = self.moments[index];
            let tops = self.context.tops(field.occupied());
            let takes_part = hits(isa, &field, tops, jewels);
            for shift in 0..3 {
                let mut left = takes_part[shift] & pending[shift];
                pending[shift] &= !left;
                while left != 0 {
                    let x = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let (y, column) = (field.stack_height(x), turned(jewels, shift));
                    let (chain, _) = field.fired(isa, x, y, column, before.steps + 1);
                    let chain = Chain {
                        points: before.points + chain.points,
                        steps: before.steps + chain.steps,
                    };
                    self.push(x, shift, points, self.context.worth(chain), room);
                }
            }
        }
        for (shift, left) in pending.into_iter().enumerate() {
            self.inherit(left, shift, points, potential.chain, room);
        }
    }

    /// Pushes the placements on `stacks` with the given potential chain.
    #[inline(always)]
    fn inherit(&mut self, mut stacks: u16, shift: usize, points: u32, chain: Chain, room: Room) {
        let worth = self.context.worth(chain);
        while stacks != 0 {
            let x = stacks.trailing_zeros() as usize;
            stacks &= stacks - 1;
            self.push(x, shift, points, worth, room);
        }
    }

    /// Follows the chain of the state's trigger, the field that it leaves last.
    #[inline(always)]
    fn trace<I: Isa>(&mut self, isa: I) {
        self.moments.clear();
        let trigger = self.state.potential.trigger;
        let mut field = self.state.field;
        let x = trigger.stack as usize;
        let y = field.stack_height(x);
        for (above, code) in trigger.jewels::<P>().into_iter().enumerate() {
            field.put(x, y + above as u32, code);
        }
        let mut before = Chain::default();
        loop {
            self.moments.push(Moment { field, before });
            let (count, cleared) = field.matches(isa);
            if count == 0 {
                return;
            }
            before.steps += 1;
            before.points += before.steps * count;
            field.remove(isa, cleared);
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
