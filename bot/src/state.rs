//! A position in the search.

use crate::potential::{Known, Potential};
use columns_core::beam::Rank;
use columns_core::field::Field;

/// A position in the search.
#[derive(Debug, Clone, Copy)]
pub struct State<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// Points so far; a unit is 47.
    pub points: u32,
    /// What the field promises; until it is evaluated, the trigger of its parent and the chain
    /// that it still sets off, if that is known.
    pub potential: Potential,
    /// What that chain leaves of the field.
    pub rest: Field<W, P>,
    /// By what it competes.
    pub rank: Rank,
}

impl<const W: usize, const P: usize> State<W, P> {
    /// A state not evaluated yet.
    pub fn new(field: Field<W, P>, points: u32) -> Self {
        Self {
            field,
            points,
            potential: Potential::default(),
            rest: Field::EMPTY,
            rank: Rank::default(),
        }
    }

    /// A trigger whose chain is known.
    #[inline(always)]
    pub(crate) fn known(&self) -> Known<W, P> {
        Known {
            trigger: self.potential.trigger,
            chain: self.potential.chain,
            rest: self.rest,
        }
    }
}
