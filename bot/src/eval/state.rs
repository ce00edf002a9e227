//! A position in the search: first a child that is built, then a state that is evaluated.

use crate::eval::potential::{Evaluation, KnownChain, Potential};
use crate::eval::quotas::QUOTAS;
use crate::eval::scaled::Value;
use columns_core::beam::Scores;
use columns_core::field::{Chain, Field};

/// A position that is built and not evaluated yet.
#[derive(Debug, Clone, Copy)]
pub struct Child<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// What was paid so far, in matches.
    pub points: u32,
    /// What its ancestors were worth.
    pub history: History,
    /// The chain of its parent's trigger, if that is still there.
    pub inherited: Option<KnownChain<W, P>>,
}

/// A position that is evaluated.
#[derive(Debug, Clone, Copy)]
pub struct State<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// What was paid so far, in matches.
    pub points: u32,
    /// The best chain that the field promises.
    pub potential: Potential,
    /// The field after that chain.
    pub after_chain: Field<W, P>,
    /// What its ancestors were worth.
    pub history: History,
    /// What the learned evaluation adds.
    pub learned: Value,
    /// The scores by which it competes with the states of its layer.
    pub scores: Scores<QUOTAS>,
}

/// How many ancestors are remembered.
pub const PAST: usize = 16;

/// What the ancestors of a state were worth.
#[derive(Debug, Clone, Copy, Default)]
pub struct History {
    /// The best chain of its parent.
    pub chain: Chain,
    /// The points of its ancestors so far, the parent first.
    pub points: [u32; PAST],
    /// The points of their best chains.
    pub chains: [u16; PAST],
}

impl History {
    /// What a child of `parent` remembers.
    #[inline(always)]
    pub fn of<const W: usize, const P: usize>(parent: &State<W, P>) -> Self {
        let mut history = Self {
            chain: parent.potential.chain,
            ..parent.history
        };
        history.points.copy_within(..PAST - 1, 1);
        history.chains.copy_within(..PAST - 1, 1);
        history.points[0] = parent.points;
        history.chains[0] = parent.potential.chain.points as u16;
        history
    }
}

impl<const W: usize, const P: usize> Child<W, P> {
    /// A position without ancestors.
    pub fn first(field: Field<W, P>, points: u32) -> Self {
        Self {
            field,
            points,
            history: History::default(),
            inherited: None,
        }
    }

    /// A hash of the field.
    pub fn hash(&self) -> u64 {
        self.field.hash()
    }
}

impl<const W: usize, const P: usize> State<W, P> {
    /// The state of an evaluated child, without the learned value and the scores.
    #[inline(always)]
    pub fn new(child: &Child<W, P>, evaluation: &Evaluation<W, P>) -> Self {
        Self {
            field: child.field,
            points: child.points,
            potential: evaluation.potential,
            after_chain: evaluation.after_chain,
            history: child.history,
            learned: Value(0),
            scores: Scores::LOWEST,
        }
    }

    /// The same position, to be evaluated once more.
    pub fn again(&self) -> Child<W, P> {
        Child {
            field: self.field,
            points: self.points,
            history: self.history,
            inherited: self.known(),
        }
    }

    /// Its trigger, and the chain that this sets off.
    #[inline(always)]
    pub fn known(&self) -> Option<KnownChain<W, P>> {
        Some(KnownChain {
            trigger: self.potential.trigger?,
            chain: self.potential.chain,
            after_chain: self.after_chain,
        })
    }

    /// A hash of the field.
    pub fn hash(&self) -> u64 {
        self.field.hash()
    }
}
