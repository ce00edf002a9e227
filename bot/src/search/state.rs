//! A position in the search.

use crate::eval::potential::{KnownChain, Potential};
use columns_core::beam::Scores;
use columns_core::field::{Chain, Field};

/// A position in the search, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct State<const W: usize, const P: usize> {
    /// The field, settled.
    pub(crate) field: Field<W, P>,
    /// Points so far; a unit is 47.
    pub(crate) points: u32,
    /// The best chain that the field promises. Until the state is evaluated: the trigger of its
    /// parent and the chain that it still sets off, if that is known.
    pub(crate) potential: Potential,
    /// What that chain leaves of the field.
    pub(crate) rest: Field<W, P>,
    /// What its ancestors were worth.
    pub(crate) history: History,
    /// What the learned evaluation adds, in [`SCALE`](crate::eval::scaled::SCALE).
    pub(crate) learned: i32,
    /// How it ranks among the states of its layer.
    pub(crate) scores: Scores,
}

/// What the ancestors of a state were worth.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct History {
    /// The best chain of its parent.
    pub(crate) chain: Chain,
    /// The points of its ancestors so far, the parent first.
    pub(crate) points: [u32; PAST],
    /// The points of their best chains.
    pub(crate) chains: [u16; PAST],
}

/// How many ancestors are remembered.
pub(crate) const PAST: usize = 16;

impl History {
    /// What a child of `parent` remembers.
    #[inline(always)]
    pub(crate) fn of<const W: usize, const P: usize>(parent: &State<W, P>) -> Self {
        let mut before = Self {
            chain: parent.potential.chain,
            ..parent.history
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
    pub(crate) fn new(field: Field<W, P>, points: u32, history: History) -> Self {
        Self {
            field,
            points,
            potential: Potential::default(),
            rest: Field::EMPTY,
            history,
            learned: 0,
            scores: Scores::default(),
        }
    }

    /// A trigger whose chain is known.
    #[inline(always)]
    pub(crate) fn known(&self) -> KnownChain<W, P> {
        KnownChain {
            trigger: self.potential.trigger,
            chain: self.potential.chain,
            rest: self.rest,
        }
    }

    /// A hash of the field.
    pub(crate) fn hash(&self) -> u64 {
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
