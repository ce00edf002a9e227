//! The potential of a field: the best chain that one jewel would set off, on top of a stack or on a
//! filler, a jewel that matches nothing.
//!
//! ```text
//! . c c . . .    triggers: `a` on stack 0 clears `aaa`, then `ccc`: 1 + 2 = 3 points, 2 steps
//! . a a c . .    `c` on stack 1 (falling line), on 3 (level), on a filler on 0: 1 point each
//! ```
//!
//! A chain is worth a share of its points and a bonus for each step
//! ([`Weights`](super::weights::Weights)). The best chain here is the one that the `a` sets off.
//! [`wanted`] finds the colours for all stacks at the same time, then [`evaluate`] plays each
//! trigger's chain. If a child inherits the chain of one trigger, that chain is not played again.

use crate::eval::context::Context;
use crate::eval::patterns::Patterns;
use crate::eval::scaled::Value;
use columns_core::field::lines::{wanted, wanted_weight};
use columns_core::field::{Chain, Field, MAX_WIDTH, Mask, Stepper};
use columns_core::simd::{Cells, Isa, Lanes};

/// A jewel on a stack that sets off a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The stack that the jewel falls onto.
    pub stack: u8,
    /// The colour code of the jewel.
    pub code: u8,
    /// What the jewel lies on: the stack itself or a filler.
    pub kind: TriggerKind,
}

/// What the jewel of a [`Trigger`] lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TriggerKind {
    /// The stack itself.
    One,
    /// A filler, a jewel that matches nothing. It represents the jewel of another colour that a real
    /// column has there.
    OnFiller,
}

impl Trigger {
    /// Returns the code of the filler, which no colour has. (With 7 or 15 colours no code is free,
    /// and this is the code of the last colour.)
    pub const fn filler<const P: usize>() -> u8 {
        (1 << P) - 1
    }

    /// Returns the jewels, bottom to top; 0 for none.
    #[inline(always)]
    pub fn jewels<const P: usize>(self) -> [u8; 3] {
        match self.kind {
            TriggerKind::One => [self.code, 0, 0],
            TriggerKind::OnFiller => [Self::filler::<P>(), self.code, 0],
        }
    }

    /// Plays the trigger's chain. Returns the chain and the field after it.
    #[inline(always)]
    pub fn fire<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> (Chain, Field<W, P>) {
        let x = self.stack as usize;
        field.drop_and_resolve(isa, x, field.stack_height(x), self.jewels::<P>(), 1)
    }

    /// Iterates over the steps of the trigger's chain.
    #[inline(always)]
    pub fn trace<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> ChainTrace<I::Lanes<W>, W, P> {
        let x = self.stack as usize;
        ChainTrace {
            stepper: field.stepper(isa, x, field.stack_height(x), self.jewels::<P>()),
            before: None,
        }
    }
}

/// An iterator over the fields during a chain, each with the part of the chain before it. The first
/// field has the trigger on it, the last one is settled.
pub struct ChainTrace<L, const W: usize, const P: usize> {
    stepper: Stepper<L, W, P>,
    /// The steps before the current field; `None` before the first item.
    before: Option<Chain>,
}

impl<L: Lanes<W>, const W: usize, const P: usize> Iterator for ChainTrace<L, W, P> {
    type Item = (Chain, Stepper<L, W, P>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let mut chain = Chain::default();
        if let Some(before) = self.before {
            let matches = self.stepper.step();
            if matches == 0 {
                return None;
            }
            chain = before;
            chain.add_step(matches);
        }
        self.before = Some(chain);
        Some((chain, self.stepper))
    }
}

/// An upper bound on the number of triggers: on each stack, one jewel can complete a line in 10
/// ways, a jewel on a filler in 11.
const MAX_TRIGGERS: usize = MAX_WIDTH * (10 + 11);

/// The chains that a field promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Potential {
    /// The best trigger; `None` if no jewel sets off a chain.
    pub trigger: Option<Trigger>,
    /// The chain of the trigger.
    pub chain: Chain,
    /// The best chain of the triggers on stacks other than the best trigger's stack.
    pub other: Chain,
    /// The worth of the field apart from the chain.
    pub static_terms: Value,
}

/// A trigger, its chain, and the field after the chain.
#[derive(Debug, Clone, Copy)]
pub struct KnownChain<const W: usize, const P: usize> {
    /// The trigger that sets off the chain.
    pub trigger: Trigger,
    /// The chain of the trigger.
    pub chain: Chain,
    /// The field after the chain.
    pub after_chain: Field<W, P>,
}

/// By-products of the evaluation, for the features.
#[derive(Debug, Clone, Copy, Default)]
pub struct Survey {
    /// The patterns of the field, if requested, and the patterns of the field after the best chain.
    pub patterns: [Patterns; 2],
    /// The number of colours that complete a line in the second empty cell of a stack, each
    /// weighted by how soon it comes.
    pub soon_above: u32,
    /// The number of triggers.
    pub triggers: u32,
    /// The number of triggers that pay at least half as much as the best trigger.
    pub strong: u32,
    /// The number of steps played, plus one for each chain.
    pub steps: u32,
}

/// The evaluation of a field.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation<const W: usize, const P: usize> {
    /// The chains that the field promises.
    pub potential: Potential,
    /// The field after the best chain.
    pub after_chain: Field<W, P>,
    /// By-products of the evaluation, for the features.
    pub survey: Survey,
}

/// Evaluates a field after `placed` columns. If the chain of one trigger is `known`, it is not
/// played again.
///
/// If `surveyed` is true, the survey is complete. Otherwise it lacks the patterns of the field and
/// the weighted colours.
#[inline(always)]
pub fn evaluate<I: Isa, const W: usize, const P: usize>(
    isa: I,
    context: &Context<W>,
    field: &Field<W, P>,
    placed: usize,
    known: Option<&KnownChain<W, P>>,
    surveyed: bool,
) -> Evaluation<W, P> {
    let (shape, queue, scaled) = (&context.shape, &context.queue, &context.scaled);
    let tops = shape.tops(field.occupied()).and(shape.landing);
    let soon = &queue.soon[placed];
    let codes = queue.palette.len() as u8;
    let colours = wanted(isa, field, tops, codes, soon);
    let mut survey = Survey::default();
    let triggers = Triggers {
        context,
        field,
        placed,
        tops,
        wanted: &colours.stacks,
        known,
    };
    let (mut potential, after_chain) = triggers.best(isa, &mut survey);
    // A loop, so that the code of the patterns is compiled only once.
    let fields = [field, &after_chain];
    for i in usize::from(!surveyed)..2 {
        survey.patterns[i].find(isa, context, fields[i], placed);
    }
    if surveyed {
        let tops = shape.tops(after_chain.occupied()).and(shape.landing);
        survey.patterns[0].soon = colours.weight[0];
        survey.patterns[1].soon = wanted_weight(isa, &after_chain, tops, codes, soon);
        survey.soon_above = colours.weight[1];
    }
    let [on_top, above, all] = survey.patterns[1].by_height;
    potential.static_terms = Value(
        on_top as i32 * scaled.spot
            + above as i32 * scaled.second_spot
            + all as i32 * scaled.completion
            + tops.count() as i32 * scaled.open_stacks,
    );
    Evaluation {
        potential,
        after_chain,
        survey,
    }
}

/// The triggers of a field.
struct Triggers<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    field: &'a Field<W, P>,
    placed: usize,
    /// The lowest empty cells of the stacks with room for a column.
    tops: Mask<W>,
    /// For each stack, the codes that complete a line on top of the stack, then those that complete
    /// a line one cell higher.
    wanted: &'a [[u32; MAX_WIDTH]; 2],
    known: Option<&'a KnownChain<W, P>>,
}

impl<const W: usize, const P: usize> Triggers<'_, W, P> {
    /// Plays the chain of each trigger whose colour is still to come, except a known one. Returns
    /// the best chain and the field after it. Counts the triggers and the steps played.
    #[inline(always)]
    fn best<I: Isa>(&self, isa: I, survey: &mut Survey) -> (Potential, Field<W, P>) {
        let (mut best, mut after_chain) = (Potential::default(), *self.field);
        let (mut best_worth, mut other_worth) = (0, 0);
        // The points of each chain. Zeros are fast to write.
        let (mut paid, mut count) = ([0_u16; MAX_TRIGGERS], 0);
        for (x, _) in self.tops.cells() {
            // Two jewels on a third one of their colour are not a trigger: the only jewel of the
            // field that they would clear is the topmost one of the stack, and nothing lies on it.
            let [on_top, above] = [self.wanted[0][x], self.wanted[1][x]];
            let mut codes = u64::from(on_top) | u64::from(above & !on_top) << 32;
            while codes != 0 {
                let bit = codes.trailing_zeros();
                codes &= codes - 1;
                let trigger = Trigger {
                    stack: x as u8,
                    code: (bit % 32) as u8,
                    kind: if bit < 32 {
                        TriggerKind::One
                    } else {
                        TriggerKind::OnFiller
                    },
                };
                if !self.context.queue.still_comes(self.placed, trigger.code) {
                    continue;
                }
                let (chain, after) = self.fire(isa, trigger, &mut survey.steps);
                paid[count] = chain.points as u16;
                count += 1;
                let worth = self.context.scaled.worth(chain).0;
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
        }
        survey.triggers = count as u32;
        for &paid in &paid[..count] {
            survey.strong += u32::from(2 * u32::from(paid) >= best.chain.points);
        }
        (best, after_chain)
    }

    /// Returns the chain of a trigger and the field after it. Adds the steps played, plus one for the
    /// chain, to `steps`.
    #[inline(always)]
    fn fire<I: Isa>(&self, isa: I, trigger: Trigger, steps: &mut u32) -> (Chain, Field<W, P>) {
        match self.known {
            Some(known) if known.trigger == trigger => {
                let inherited = (known.chain, known.after_chain);
                #[cfg(feature = "tools")] // not in the submission
                debug_assert_eq!(inherited, trigger.fire(isa, self.field), "{trigger:?}");
                inherited
            }
            _ => {
                let fired = trigger.fire(isa, self.field);
                *steps += fired.0.steps + 1;
                fired
            }
        }
    }
}
