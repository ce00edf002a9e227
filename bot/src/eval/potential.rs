//! The potential of a field: the best chain that one or two jewels of one colour
//! would set off.

use crate::eval::patterns::Patterns;
use crate::eval::scaled::Value;
use crate::search::context::Context;
use crate::search::pieces::PieceQueue;
use columns_core::field::lines::{wanted, wanted_weight};
use columns_core::field::{Chain, Field, Mask};
use columns_core::simd::{Cells, Isa};

/// Jewels that set off a chain: `count` of one colour on top of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Trigger {
    /// The stack.
    pub(crate) stack: u8,
    /// The colour code.
    pub(crate) code: u8,
    /// How many jewels, 1 or 2; 0 where there is no trigger.
    pub(crate) count: u8,
}

impl Trigger {
    /// The jewels, bottom to top; 0 for none. Where it takes two, the lower one is of a colour that
    /// matches nothing, as a real column would have another jewel there. (With 7 or 15 colours
    /// there is no such colour, and it is of the last one.)
    #[inline(always)]
    pub(crate) fn jewels<const P: usize>(self) -> [u8; 3] {
        match self.count {
            1 => [self.code, 0, 0],
            _ => [(1 << P) - 1, self.code, 0],
        }
    }

    /// The chain that it sets off, and what that leaves.
    #[inline(always)]
    pub(crate) fn fire<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> (Chain, Field<W, P>) {
        let x = self.stack as usize;
        field.drop_and_resolve(isa, x, field.stack_height(x), self.jewels::<P>(), 1)
    }
}

/// At most this many triggers: on each of 12 stacks, a line has 10 ways to be completed by
/// one jewel and 11 by two.
const MAX_TRIGGERS: usize = 12 * 21;

/// What a field promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Potential {
    /// The best trigger.
    pub(crate) trigger: Trigger,
    /// The chain that it sets off.
    pub(crate) chain: Chain,
    /// The best chain of the triggers on other stacks.
    pub(crate) other: Chain,
    /// What the evaluation adds for the field beside the chain.
    pub(crate) static_terms: Value,
}

/// A trigger, the chain that it sets off, and what that leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownChain<const W: usize, const P: usize> {
    pub(crate) trigger: Trigger,
    pub(crate) chain: Chain,
    pub(crate) rest: Field<W, P>,
}

/// By-products of the evaluation that the features use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Survey {
    /// The patterns of the field, if states are described, and those of what the best chain leaves.
    pub(crate) patterns: [Patterns; 2],
    /// How many colours complete a line one above the top of a stack, each weighted by how soon it
    /// comes.
    pub(crate) soon_above: u32,
    /// How many triggers there are.
    pub(crate) triggers: u32,
    /// How many of them pay at least half as much as the best.
    pub(crate) strong: u32,
    /// How many steps of chains were played.
    pub(crate) steps: u32,
}

/// The potential of a field after `placed` columns, what the best chain leaves, and what was found
/// on the way. The chain of one trigger may be known. All patterns are only looked for if the state
/// is to be `described`.
#[inline(always)]
pub(crate) fn potential<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    field: &Field<W, P>,
    placed: usize,
    known: Option<&KnownChain<W, P>>,
    described: bool,
) -> (Potential, Field<W, P>, Survey) {
    let Context {
        shape,
        queue,
        scaled,
        ..
    } = context;
    let tops = shape.tops(field.occupied()).and(shape.landing);
    let soon = &queue.soon[placed.min(queue.soon.len() - 1)];
    let colours = wanted(isa, field, tops, queue.codes, soon);
    let mut survey = Survey::default();
    let mut triggers = [Trigger::default(); MAX_TRIGGERS];
    let mut paid = [0; MAX_TRIGGERS];
    let count = list_triggers(queue, tops, &colours.stacks, placed, &mut triggers);
    let triggers = triggers[..count].iter().zip(&mut paid);
    let (mut best, rest) = best_of(isa, context, field, triggers, known, &mut survey.steps);
    let rest_tops = shape.tops(rest.occupied()).and(shape.landing);
    if described {
        survey.triggers = count as u32;
        for &paid in &paid[..count] {
            if 2 * paid >= best.chain.points {
                survey.strong += 1;
            }
        }
        survey.soon_above = colours.weight[1];
    }
    // One after the other, so that the compiler has the patterns once.
    let fields = [field, &rest];
    for i in usize::from(!described)..2 {
        survey.patterns[i].find(isa, context, fields[i], placed);
    }
    if described {
        survey.patterns[0].soon = colours.weight[0];
        survey.patterns[1].soon = wanted_weight(isa, &rest, rest_tops, queue.codes, soon);
    }
    let [on_top, above, all] = survey.patterns[1].levels;
    best.static_terms = Value(
        on_top as i32 * scaled.spot
            + above as i32 * scaled.second_spot
            + all as i32 * scaled.completion
            + tops.count() as i32 * scaled.placeable,
    );
    (best, rest, survey)
}

/// Sets off each trigger, unless its chain is known, and writes what that pays beside it. Returns
/// the best and what its chain leaves, and counts the steps that were played.
#[inline(always)]
fn best_of<'t, I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    field: &Field<W, P>,
    triggers: impl Iterator<Item = (&'t Trigger, &'t mut u32)>,
    known: Option<&KnownChain<W, P>>,
    steps: &mut u32,
) -> (Potential, Field<W, P>) {
    let (mut best, mut rest) = (Potential::default(), *field);
    let (mut best_worth, mut other_worth) = (0, 0);
    for (&trigger, paid) in triggers {
        let (chain, fired) = match known {
            Some(known) if known.trigger == trigger => (known.chain, known.rest),
            _ => {
                let fired = trigger.fire(isa, field);
                *steps += fired.0.steps + 1;
                fired
            }
        };
        *paid = chain.points;
        let worth = context.scaled.worth(chain).0;
        if worth > best_worth {
            if trigger.stack != best.trigger.stack {
                best.other = best.chain;
                other_worth = best_worth;
            }
            (best.trigger, best.chain) = (trigger, chain);
            best_worth = worth;
            rest = fired;
        } else if trigger.stack != best.trigger.stack && worth > other_worth {
            best.other = chain;
            other_worth = worth;
        }
    }
    (best, rest)
}

/// Lists the triggers whose colour still comes, and returns their number.
#[inline(always)]
fn list_triggers<const W: usize>(
    queue: &PieceQueue,
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
            let x = stack_of::<W>(word, bit);
            // Two jewels on a third of their colour are no trigger: they would take
            // only the topmost jewel with them, and nothing lies on that.
            let codes = [wanted[0][x], wanted[1][x] & !wanted[0][x]];
            for count in 1..=2_u8 {
                let mut left = codes[count as usize - 1];
                while left != 0 {
                    let code = left.trailing_zeros() as u8;
                    left &= left - 1;
                    if queue.still_comes(placed, code) {
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

/// The stack of bit `bit` of word `word` of a mask.
#[inline(always)]
fn stack_of<const W: usize>(word: usize, bit: u32) -> usize {
    bit as usize / 21 * W + word
}
