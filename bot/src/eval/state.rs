//! A child, which the search builds, and a state, which is an evaluated child.

use crate::eval::potential::{Evaluation, KnownChain, Potential};
use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::scaled::Value;
use columns_core::beam::Scores;
use columns_core::field::{Chain, Field};

/// A child that is built but not evaluated yet.
#[derive(Debug, Clone, Copy)]
pub struct Child<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// The points scored so far, in matches.
    pub points: u32,
    /// The points and chains of the ancestors.
    pub history: History,
    /// The chain of one trigger that is already known, so that it is not played again: usually the parent's
    /// best chain, if the placement left that chain unchanged.
    pub inherited_chain: Option<KnownChain<W, P>>,
}

/// An evaluated child, which the search can select and expand.
#[derive(Debug, Clone, Copy)]
pub struct State<const W: usize, const P: usize> {
    /// The field, settled.
    pub field: Field<W, P>,
    /// The points scored so far, in matches.
    pub points: u32,
    /// The best chains of the field, and the value of its completions and open stacks.
    pub potential: Potential,
    /// The field after the best chain; without a trigger, the field itself.
    pub after_chain: Field<W, P>,
    /// The points and chains of the ancestors.
    pub history: History,
    /// The value that the learned evaluation adds.
    pub learned_value: Value,
    /// The scores by which the state competes in its layer.
    pub scores: Scores<QUOTA_COUNT>,
}

/// The number of ancestors in a [`History`].
pub const HISTORY_LENGTH: usize = 16;

/// The points and chains of the ancestors of a state. Missing ancestors have 0 points.
#[derive(Debug, Clone, Copy, Default)]
pub struct History {
    /// The best chain of the parent.
    pub parent_chain: Chain,
    /// The points of each ancestor, in matches, the parent first.
    pub points: [u32; HISTORY_LENGTH],
    /// The points of the best chain of each ancestor, in matches, the parent first.
    pub chain_points: [u16; HISTORY_LENGTH],
}

impl History {
    /// Returns the history of a child of `parent`.
    #[inline(always)]
    pub fn from_parent<const W: usize, const P: usize>(parent: &State<W, P>) -> Self {
        let chain = parent.potential.best_chain;
        let mut history = Self {
            parent_chain: chain,
            points: [parent.points; HISTORY_LENGTH],
            chain_points: [chain.points as u16; HISTORY_LENGTH],
        };
        history.points[1..].copy_from_slice(&parent.history.points[..HISTORY_LENGTH - 1]);
        history.chain_points[1..]
            .copy_from_slice(&parent.history.chain_points[..HISTORY_LENGTH - 1]);
        history
    }
}

impl<const W: usize, const P: usize> Child<W, P> {
    /// Creates a child without ancestors, such as the root of a search.
    pub fn root(field: Field<W, P>, points: u32) -> Self {
        Self {
            field,
            points,
            history: History::default(),
            inherited_chain: None,
        }
    }
}

impl<const W: usize, const P: usize> State<W, P> {
    /// Creates the state of an evaluated child, without the learned value and the scores.
    #[inline(always)]
    pub fn new(child: &Child<W, P>, evaluation: &Evaluation<W, P>) -> Self {
        Self {
            field: child.field,
            points: child.points,
            potential: evaluation.potential,
            after_chain: evaluation.after_chain,
            history: child.history,
            learned_value: Value(0),
            scores: Scores::MIN,
        }
    }

    /// Converts the state back into a child, so that the caller can evaluate it again.
    pub fn to_child(&self) -> Child<W, P> {
        Child {
            field: self.field,
            points: self.points,
            history: self.history,
            inherited_chain: self.best_chain(),
        }
    }

    /// Returns the best trigger with its chain, or `None` if no jewel sets off a chain.
    #[inline(always)]
    pub fn best_chain(&self) -> Option<KnownChain<W, P>> {
        Some(KnownChain {
            trigger: self.potential.trigger?,
            chain: self.potential.best_chain,
            after_chain: self.after_chain,
        })
    }
}
