//! A state of the search, and the history of its ancestors.

use crate::eval::potential::Potential;
use crate::eval::scaled::Value;
use columns_core::field::{Chain, Field};

/// A state of the search: a field, the points so far, and the results of the evaluation.
///
/// Until the state is evaluated, `potential` holds the parent's trigger and the chain it sets off on this
/// field, and `after_chain` holds the field after that chain. If the chain is not known, `potential` has no
/// trigger.
#[derive(Debug, Clone, Copy)]
pub struct State<const W: usize, const P: usize> {
    /// The settled field.
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
}

/// The number of ancestors in a [`History`].
pub const HISTORY_LENGTH: usize = 16;

/// The points and chains of the ancestors of a state. Missing ancestors have 0 points.
#[derive(Debug, Clone, Copy, Default)]
pub struct History {
    /// The best chain of the parent.
    pub parent_chain: Chain,
    /// The points of the ancestors, in matches. The ancestor with `placed_columns` columns has the index
    /// `placed_columns` modulo [`HISTORY_LENGTH`], so that a child changes only one entry. Shifting the array
    /// would be slower, since the processor would have to wait until the copy of the parent is complete.
    pub points: [u32; HISTORY_LENGTH],
    /// The points of the best chain of each ancestor, in matches, at the same indices.
    pub chain_points: [u16; HISTORY_LENGTH],
}

impl History {
    /// Adds the points and the best chain of a parent with `placed_columns` columns.
    #[inline(always)]
    pub fn push(&mut self, placed_columns: usize, points: u32, chain: Chain) {
        let at = placed_columns % HISTORY_LENGTH;
        self.parent_chain = chain;
        self.points[at] = points;
        self.chain_points[at] = chain.points as u16;
    }
}

impl<const W: usize, const P: usize> State<W, P> {
    /// Creates a state without ancestors, such as the root of a search. It is not evaluated yet.
    pub fn root(field: Field<W, P>, points: u32) -> Self {
        Self {
            field,
            points,
            potential: Potential::default(),
            after_chain: field,
            history: History::default(),
            learned_value: Value(0),
        }
    }
}
