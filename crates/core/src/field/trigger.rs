//! Triggers: jewels that would set off a chain.

use super::{Chain, Field, Stepper};
use crate::simd::{Isa, Lanes};

/// A jewel that would set off a chain, and the stack that it falls onto.
///
/// A jewel on a *filler* lies one row higher, on a jewel that matches nothing. The filler represents the
/// jewel of another colour that a real column has there. While the chain is played, the filler is left out:
/// it would match nothing, and nothing would fall onto it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trigger {
    /// The stack that the jewel falls onto.
    pub stack: u8,
    /// The colour code of the jewel, at least 1.
    pub code: u8,
    /// True if the jewel lies on a filler, false if it lies on the stack itself.
    pub is_on_filler: bool,
}

impl Trigger {
    /// Returns the codes of a column with only this jewel, from bottom to top, 0 for no jewel.
    #[inline(always)]
    pub fn codes(self) -> [u8; 3] {
        if self.is_on_filler {
            [0, self.code, 0]
        } else {
            [self.code, 0, 0]
        }
    }

    /// Plays the trigger's chain. Returns the chain and the field after the chain, without the filler.
    #[inline(always)]
    pub fn fire<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> (Chain, Field<W, P>) {
        let x = self.stack.into();
        field.drop_and_resolve(isa, x, field.stack_height(x), self.codes(), 1)
    }

    /// Iterates over the fields during the trigger's chain.
    #[inline(always)]
    pub fn trace<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        field: &Field<W, P>,
    ) -> ChainTrace<I::Lanes<W>, W, P> {
        let x = self.stack.into();
        ChainTrace {
            stepper: field.stepper_after_drop(isa, x, field.stack_height(x), self.codes()),
            chain_so_far: None,
        }
    }

    /// Adds the filler, if there is one, to the field after the chain. The filler gets the highest code of
    /// the layout. No jewel of the case has this code, unless the case has 7 or 15 colours.
    #[inline(always)]
    pub fn add_filler<I: Isa, const W: usize, const P: usize>(
        self,
        isa: I,
        after_chain: &mut Field<W, P>,
    ) {
        if self.is_on_filler {
            let (x, filler) = (self.stack.into(), [(1 << P) - 1, 0, 0]);
            *after_chain = after_chain.with_column(isa, x, filler);
        }
    }
}

/// An iterator over the fields during a chain, each with the part of the chain that led to it. The first
/// field includes the trigger's jewel; the last field has no match.
pub struct ChainTrace<L, const W: usize, const P: usize> {
    stepper: Stepper<L, W, P>,
    /// The steps before the current field; `None` before the first item.
    chain_so_far: Option<Chain>,
}

impl<L: Lanes<W>, const W: usize, const P: usize> Iterator for ChainTrace<L, W, P> {
    type Item = (Chain, Stepper<L, W, P>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let mut chain = Chain::default();
        if let Some(chain_so_far) = self.chain_so_far {
            let match_count = self.stepper.step();
            if match_count == 0 {
                return None;
            }
            chain = chain_so_far;
            chain.add_step(match_count);
        }
        self.chain_so_far = Some(chain);
        Some((chain, self.stepper))
    }
}
