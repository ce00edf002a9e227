//! A position in the search.

use crate::potential::Potential;
use columns_core::beam::Rank;
use columns_core::field::Field;

/// A position in the search.
#[derive(Debug, Clone, Copy)]
pub struct State<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// Points so far; a unit is 47.
    pub points: u32,
    /// What the field promises.
    pub potential: Potential,
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
            rank: Rank::default(),
        }
    }
}
