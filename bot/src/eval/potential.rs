//! The potential of a field: the best chain that one jewel would set off, on top of a stack or on
//! one more jewel that matches nothing.

use crate::case::queue::PieceQueue;
use crate::eval::context::Context;
use crate::eval::patterns::Patterns;
use crate::eval::scaled::Value;
use columns_core::field::lines::{wanted, wanted_weight};
use columns_core::field::{Chain, Field, Mask, Stepper, MAX_WIDTH};
use columns_core::simd::{Cells, Isa, Lanes};

/// A jewel that sets off a chain when it falls onto a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The stack.
    pub stack: u8,
    /// The colour code.
    pub code: u8,
    /// What the jewel lies on.
    pub kind: TriggerKind,
}

/// What the jewel of a [`Trigger`] lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TriggerKind {
    /// The top of the stack.
    One,
    /// One more jewel, which matches nothing: a real column has some other jewel there.
    OnFiller,
}

impl Trigger {
    /// The code of the filler, which no colour has. (With 7 or 15 colours there is no free code, and
    /// this is the code of the last colour.)
    pub const fn filler<const P: usize>() -> u8 {
        (1 << P) - 1
    }

    /// The jewels, bottom to top; 0 for none.
    #[inline(always)]
    pub fn jewels<const P: usize>(self) -> [u8; 3] {
        match self.kind {
            TriggerKind::One => [self.code, 0, 0],
            TriggerKind::OnFiller => [Self::filler::<P>(), self.code, 0],
        }
    }

    /// Plays the chain that it sets off. Returns that, and the field after it.
    #[inline(always)]
    pub fn fire<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> (Chain, Field<W, P>) {
        let x = self.stack as usize;
        field.drop_and_resolve(isa, x, field.stack_height(x), self.jewels::<P>(), 1)
    }

    /// Follows the chain that it sets off, step by step.
    #[inline(always)]
    pub fn trace<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> ChainTrace<I::Lanes<W>, W, P> {
        let x = self.stack as usize;
        ChainTrace {
            stepper: field.stepper(isa, x, field.stack_height(x), self.jewels::<P>()),
            played: None,
        }
    }
}

/// The fields that a chain goes through, each with what the steps before it pay: first the field in
/// which the trigger lies, last the settled one.
pub struct ChainTrace<L, const W: usize, const P: usize> {
    stepper: Stepper<L, W, P>,
    /// The steps played so far; `None` before the first item.
    played: Option<Chain>,
}

impl<L: Lanes<W>, const W: usize, const P: usize> Iterator for ChainTrace<L, W, P> {
    type Item = (Chain, Stepper<L, W, P>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let mut played = Chain::default();
        if let Some(before) = self.played {
            let matches = self.stepper.step();
            if matches == 0 {
                return None;
            }
            played = before;
            played.add_step(matches);
        }
        self.played = Some(played);
        Some((played, self.stepper))
    }
}

/// Upper bound of the number of triggers: on each stack, a line has 10 ways to be completed by one
/// jewel and 11 by a jewel on a filler.
const MAX_TRIGGERS: usize = MAX_WIDTH * (10 + 11);

/// Fills the list of triggers beyond its end. Zeros: anything else takes long to write.
const UNLISTED: Trigger = Trigger {
    stack: 0,
    code: 0,
    kind: TriggerKind::One,
};

/// The chains that a field promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Potential {
    /// The best trigger; `None` if nothing sets off a chain.
    pub trigger: Option<Trigger>,
    /// The chain that it sets off.
    pub chain: Chain,
    /// The best chain of the triggers on other stacks.
    pub other: Chain,
    /// What the evaluation adds for the field beside the chain.
    pub static_terms: Value,
}

/// A trigger, the chain that it sets off, and the field after that.
#[derive(Debug, Clone, Copy)]
pub struct KnownChain<const W: usize, const P: usize> {
    /// The trigger.
    pub trigger: Trigger,
    /// The chain that it sets off.
    pub chain: Chain,
    /// The field after the chain.
    pub after_chain: Field<W, P>,
}

/// By-products of the evaluation that the features use.
#[derive(Debug, Clone, Copy, Default)]
pub struct Survey {
    /// The patterns of the field, if they were asked for, and those of the field after the best
    /// chain.
    pub patterns: [Patterns; 2],
    /// The number of colours that complete a line one above the top of a stack, each weighted by how
    /// soon it comes.
    pub soon_above: u32,
    /// The number of triggers.
    pub triggers: u32,
    /// The number of triggers that pay at least half as much as the best.
    pub strong: u32,
    /// The number of steps of chains that were played; one more for each chain.
    pub steps: u32,
}

/// The evaluation of a field.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation<const W: usize, const P: usize> {
    /// The chains that the field promises.
    pub potential: Potential,
    /// The field after the best chain.
    pub after_chain: Field<W, P>,
    /// What the features need beside that.
    pub survey: Survey,
}

/// Evaluates a field after `placed` columns. The chain of one trigger may be `known`. With
/// `surveyed` the survey is complete; else it holds only the patterns of the field after the best
/// chain, and the steps.
#[inline(always)]
pub fn evaluate<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    field: &Field<W, P>,
    placed: usize,
    known: Option<&KnownChain<W, P>>,
    surveyed: bool,
) -> Evaluation<W, P> {
    let Context {
        shape,
        queue,
        scaled,
        ..
    } = context;
    let tops = shape.tops(field.occupied()).and(shape.landing);
    let soon = &queue.soon[placed];
    let codes = queue.palette.len() as u8;
    let colours = wanted(isa, field, tops, codes, soon);
    let mut survey = Survey::default();
    let mut triggers = [UNLISTED; MAX_TRIGGERS];
    let mut paid = [0; MAX_TRIGGERS];
    let count = list_triggers(queue, tops, &colours.stacks, placed, &mut triggers);
    let triggers = triggers[..count].iter().zip(&mut paid);
    let (mut potential, after_chain) =
        best_of(isa, context, field, triggers, known, &mut survey.steps);
    if surveyed {
        survey.triggers = count as u32;
        for &paid in &paid[..count] {
            if 2 * paid >= potential.chain.points {
                survey.strong += 1;
            }
        }
        survey.soon_above = colours.weight[1];
    }
    // One after the other, so that the compiler has the patterns once.
    let fields = [field, &after_chain];
    for i in usize::from(!surveyed)..2 {
        survey.patterns[i].find(isa, context, fields[i], placed);
    }
    if surveyed {
        let tops = shape.tops(after_chain.occupied()).and(shape.landing);
        survey.patterns[0].soon = colours.weight[0];
        survey.patterns[1].soon = wanted_weight(isa, &after_chain, tops, codes, soon);
    }
    let [on_top, above, all] = survey.patterns[1].levels;
    potential.static_terms = Value(
        on_top as i32 * scaled.spot
            + above as i32 * scaled.second_spot
            + all as i32 * scaled.completion
            + tops.count() as i32 * scaled.placeable,
    );
    Evaluation {
        potential,
        after_chain,
        survey,
    }
}

/// Sets off each trigger, unless its chain is known, and writes what that pays beside it. Returns
/// the best and the field after its chain, and counts the steps that it plays.
#[inline(always)]
fn best_of<'t, I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    field: &Field<W, P>,
    triggers: impl Iterator<Item = (&'t Trigger, &'t mut u32)>,
    known: Option<&KnownChain<W, P>>,
    steps: &mut u32,
) -> (Potential, Field<W, P>) {
    let (mut best, mut after_chain) = (Potential::default(), *field);
    let (mut best_worth, mut other_worth) = (0, 0);
    for (&trigger, paid) in triggers {
        let (chain, after) = match known {
            Some(known) if known.trigger == trigger => {
                let inherited = (known.chain, known.after_chain);
                debug_assert_eq!(inherited, trigger.fire(isa, field), "{trigger:?}");
                inherited
            }
            _ => {
                let fired = trigger.fire(isa, field);
                *steps += fired.0.steps + 1;
                fired
            }
        };
        *paid = chain.points;
        let worth = context.scaled.worth(chain).0;
        let is_elsewhere = best
            .trigger
            .map_or(true, |best| best.stack != trigger.stack);
        if worth > best_worth {
            if is_elsewhere {
                best.other = best.chain;
                other_worth = best_worth;
            }
            (best.trigger, best.chain) = (Some(trigger), chain);
            best_worth = worth;
            after_chain = after;
        } else if is_elsewhere && worth > other_worth {
            best.other = chain;
            other_worth = worth;
        }
    }
    (best, after_chain)
}

/// Lists the triggers whose colour still comes, and returns their number. `wanted` holds for each
/// stack the codes that complete a line on top of it, then those that do so one above.
#[inline(always)]
fn list_triggers<const W: usize>(
    queue: &PieceQueue,
    tops: Mask<W>,
    wanted: &[[u32; MAX_WIDTH]; 2],
    placed: usize,
    triggers: &mut [Trigger; MAX_TRIGGERS],
) -> usize {
    let mut count = 0;
    for (x, _) in tops.cells() {
        // Two jewels on a third of their colour are no trigger: they would take only the topmost
        // jewel with them, and nothing lies on that.
        let codes = [
            (TriggerKind::One, wanted[0][x]),
            (TriggerKind::OnFiller, wanted[1][x] & !wanted[0][x]),
        ];
        for (kind, mut left) in codes {
            while left != 0 {
                let code = left.trailing_zeros() as u8;
                left &= left - 1;
                if queue.still_comes(placed, code) {
                    triggers[count] = Trigger {
                        stack: x as u8,
                        code,
                        kind,
                    };
                    count += 1;
                }
            }
        }
    }
    count
}
