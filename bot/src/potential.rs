//! The potential of a field: the best chain that one or two jewels of one colour
//! would set off, and what a field is worth for it.

use crate::context::{Context, SCALE};
use crate::features::Patterns;
use columns_core::beam::{Rank, RESERVES};
use columns_core::field::{Chain, Field, Mask};
use columns_core::isa::Isa;
use columns_core::lines::{wanted, wanted_weight, Completions, Pairs};

/// Jewels that set off a chain: `count` of one colour on top of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trigger {
    /// The stack.
    pub stack: u8,
    /// The colour code.
    pub code: u8,
    /// How many jewels, 1 or 2; 0 where there is no trigger.
    pub count: u8,
}

impl Trigger {
    /// The jewels, bottom to top, 0 for none: below the second one an inert one, as a real
    /// column would have some other there. (With 7 or 15 colours it is of the last.)
    #[inline(always)]
    pub fn jewels<const P: usize>(self) -> [u8; 3] {
        match self.count {
            1 => [self.code, 0, 0],
            _ => [(1 << P) - 1, self.code, 0],
        }
    }

    /// The chain that it sets off, and what that leaves.
    #[inline(always)]
    pub fn fire<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> (Chain, Field<W, P>) {
        let x = self.stack as usize;
        field.fired(isa, x, field.stack_height(x), self.jewels::<P>(), 1)
    }
}

/// At most this many triggers: on each of 12 stacks, a line has 10 ways to be completed by
/// one jewel and 11 by two.
const MAX_TRIGGERS: usize = 12 * 21;

/// What a field promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Potential {
    /// The best trigger.
    pub trigger: Trigger,
    /// The chain that it sets off.
    pub chain: Chain,
    /// The best chain of the triggers on other stacks.
    pub other: Chain,
    /// What else speaks for the field, in [`SCALE`].
    pub features: i32,
}

/// A trigger, the chain that it sets off, and what that leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<const W: usize, const P: usize> {
    pub(crate) trigger: Trigger,
    pub(crate) chain: Chain,
    pub(crate) rest: Field<W, P>,
}

/// What was seen on the way to a [`Potential`].
#[derive(Debug, Clone, Copy)]
pub struct Survey<const W: usize, const P: usize> {
    /// What the best chain leaves.
    pub rest: Field<W, P>,
    /// The patterns of the field, if asked for.
    pub full: Patterns,
    /// The patterns of the rest, if asked for.
    pub after: Patterns,
    /// The colours that complete a line on the field one above the top of a stack, weighted by how
    /// soon they come.
    pub soon_above: u32,
    /// How many triggers there are.
    pub triggers: u32,
    /// How many of them pay at least half as much as the best.
    pub strong: u32,
    /// How many steps of chains were played.
    pub steps: u32,
}

impl<const W: usize, const P: usize> Survey<W, P> {
    /// Nothing seen yet.
    fn new(field: &Field<W, P>) -> Self {
        Self {
            rest: *field,
            full: Patterns::default(),
            after: Patterns::default(),
            soon_above: 0,
            triggers: 0,
            strong: 0,
            steps: 0,
        }
    }
}

impl<const W: usize> Context<W> {
    /// What a potential chain is worth, in [`SCALE`].
    #[inline(always)]
    pub fn worth(&self, chain: Chain) -> i32 {
        chain.points as i32 * self.scaled.potential + chain.steps as i32 * self.scaled.steps
    }

    /// The cells on top of each stack; on stacks that cannot take a column too.
    #[inline(always)]
    pub fn tops(&self, occupied: Mask<W>) -> Mask<W> {
        occupied.below(1).or(self.floor).without(occupied)
    }

    /// The stack of the lowest cell of a word of a mask.
    #[inline(always)]
    pub fn stack_of(word: usize, bit: u32) -> usize {
        bit as usize / 21 * W + word
    }

    /// The potential of a field after `placed` columns, and what the best chain leaves.
    #[inline(always)]
    pub(crate) fn potential<I: Isa, const P: usize>(
        &self,
        isa: I,
        field: &Field<W, P>,
        placed: usize,
        known: Known<W, P>,
    ) -> (Potential, Survey<W, P>) {
        let occupied = field.occupied();
        let tops = self.tops(occupied);
        let pairs = Pairs::of(isa, field);
        let completions = Completions::by(&pairs);
        let tops = tops.and(self.landing);
        let soon = &self.soon[placed.min(self.soon.len() - 1)];
        let colours = wanted(isa, field, tops, self.codes, soon);
        let mut best = Potential::default();
        let mut survey = Survey::new(field);
        let mut best_worth = 0;
        let mut other_worth = 0;
        let mut triggers = [Trigger::default(); MAX_TRIGGERS];
        let mut paid = [0; MAX_TRIGGERS];
        let count = self.triggers(tops, &colours.stacks, placed, &mut triggers);
        for (&trigger, paid) in triggers[..count].iter().zip(&mut paid) {
            let (chain, fired) = if trigger == known.trigger {
                (known.chain, known.rest)
            } else {
                let fired = trigger.fire(isa, field);
                survey.steps += fired.0.steps + 1;
                fired
            };
            *paid = chain.points;
            let worth = self.worth(chain);
            if worth > best_worth {
                if trigger.stack != best.trigger.stack {
                    best.other = best.chain;
                    other_worth = best_worth;
                }
                (best.trigger, best.chain) = (trigger, chain);
                best_worth = worth;
                survey.rest = fired;
            } else if trigger.stack != best.trigger.stack && worth > other_worth {
                best.other = chain;
                other_worth = worth;
            }
        }
        let rest = survey.rest;
        let pairs_after = Pairs::of(isa, &rest);
        let after = Completions::by(&pairs_after);
        let occupied = rest.occupied();
        let rest_tops = self.tops(occupied);
        let spots = after.any.and(self.cells).without(occupied);
        best.features = spots.and(rest_tops).count() as i32 * self.scaled.spot
            + spots.and(rest_tops.below(1)).count() as i32 * self.scaled.second_spot
            + spots.count() as i32 * self.scaled.completion
            + tops.count() as i32 * self.scaled.placeable;
        if self.described {
            survey.triggers = count as u32;
            for &paid in &paid[..count] {
                if 2 * paid >= best.chain.points {
                    survey.strong += 1;
                }
            }
            let [now, above] = colours.weight;
            survey.soon_above = above;
            survey.full = self.patterns(isa, field, &pairs, &completions, now, placed);
            let landing = rest_tops.and(self.landing);
            let now = wanted_weight(isa, &rest, landing, self.codes, soon);
            survey.after = self.patterns(isa, &rest, &pairs_after, &after, now, placed);
        }
        (best, survey)
    }

    /// Lists the triggers whose colour still comes, and returns their number.
    #[inline(always)]
    fn triggers(
        &self,
        tops: Mask<W>,
        wanted: &[[u32; 12]; 2],
        placed: usize,
        found: &mut [Trigger; MAX_TRIGGERS],
    ) -> usize {
        let mut count_found = 0;
        for word in 0..W {
            let mut bits = tops.0[word];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let x = Self::stack_of(word, bit);
                // Two jewels on a third of their colour are no trigger: they would take
                // only the topmost jewel with them, and nothing lies on that.
                let codes = [wanted[0][x], wanted[1][x] & !wanted[0][x]];
                for count in 1..=2_u8 {
                    let mut left = codes[count as usize - 1];
                    while left != 0 {
                        let code = left.trailing_zeros() as u8;
                        left &= left - 1;
                        if self.still_comes(placed, code) {
                            found[count_found] = Trigger {
                                stack: x as u8,
                                code,
                                count,
                            };
                            count_found += 1;
                        }
                    }
                }
            }
        }
        count_found
    }

    /// Puts the ways together by which a state competes after `placed` columns: `points` in
    /// matches, `rest` in [`SCALE`].
    #[inline(always)]
    pub fn rank(&self, placed: usize, points: u32, rest: i32, learned: i32, room: Room) -> Rank {
        let crowd = self.crowd.get(placed).copied().unwrap_or(0);
        let cell = self.scaled.reserve_cell + crowd * self.scaled.reserve_cell_crowded;
        let points = points as i32 * SCALE;
        if self.over(placed) {
            return Rank {
                value: points,
                reserves: [points; RESERVES],
            };
        }
        let safe = points - room.blocked * self.scaled.reserve_stack;
        let rest_of = |share| rest / SCALE * share;
        let reserve = safe + rest_of(self.scaled.reserve_rest) - room.occupied * cell;
        let refuge =
            safe + rest_of(self.scaled.refuge_rest) - room.occupied * self.scaled.refuge_cell;
        Rank {
            value: points + rest + learned,
            reserves: [reserve, refuge],
        }
    }

    /// How much room a field has.
    #[inline(always)]
    pub fn room<const P: usize>(&self, field: &Field<W, P>) -> Room {
        let occupied = field.occupied();
        let open = self.tops(occupied).and(self.landing).count();
        Room {
            occupied: occupied.count() as i32,
            blocked: self.width as i32 - open as i32,
        }
    }
}

/// How much room a field has.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Occupied cells.
    pub occupied: i32,
    /// Stacks that can take no column.
    pub blocked: i32,
}
