//! A position in the search.

use crate::potential::Potential;
use columns_core::beam::Rank;
use columns_core::field::{Chain, Field};

/// A position in the search.
#[derive(Debug, Clone, Copy)]
pub struct State<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// Points so far; a unit is 47.
    pub points: u32,
    /// What the field promises.
    pub potential: Potential,
    /// What its parent was worth.
    pub before: Before,
    /// What the learned evaluation adds, in [`SCALE`](crate::context::SCALE).
    pub learned: i32,
    /// By what it competes.
    pub rank: Rank,
}

/// What the ancestors of a state were worth.
#[derive(Debug, Clone, Copy, Default)]
pub struct Before {
    /// The best chain of its parent.
    pub chain: Chain,
    /// The points of its ancestors so far, the parent first.
    pub points: [u32; PAST],
    /// The points of their best chains.
    pub chains: [u16; PAST],
}

/// How many ancestors are remembered.
pub const PAST: usize = 16;

impl Before {
    /// What a child of `parent` remembers.
    #[inline(always)]
    pub fn of<const W: usize, const P: usize>(parent: &State<W, P>) -> Self {
        let mut before = Self {
            chain: parent.potential.chain,
            ..parent.before
        };
        before.points.copy_within(..PAST - 1, 1);
        before.chains.copy_within(..PAST - 1, 1);
        before.points[0] = parent.points;
        before.chains[0] = parent.potential.chain.points as u16;
        before
    }
}

impl<const W: usize, const P: usize> State<W, P> {
    /// A state not evaluated yet.
    pub fn new(field: Field<W, P>, points: u32, before: Before) -> Self {
        Self {
            field,
            points,
            potential: Potential::default(),
            before,
            learned: 0,
            rank: Rank::default(),
        }
    }

    /// Equal for equal fields only, but for chance.
    pub fn hash(&self) -> u64 {
        let mut hash = 0_u64;
        for plane in self.field.planes() {
            for word in plane.0 {
                hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                hash ^= hash >> 32;
            }
        }
        hash
    }
}
