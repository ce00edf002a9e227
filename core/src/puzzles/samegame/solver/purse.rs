//! What a search may spend, and what it has spent.

use super::options::Limit;
use crate::beam::{Budget, Clock};

/// The limit of a search and what is left of it.
pub(super) struct Purse<'a> {
    limit: Limit,
    pub(super) clock: Clock<'a>,
    /// What the clock showed first.
    began: f64,
    /// Positions built so far.
    pub(super) nodes: u64,
}

impl<'a> Purse<'a> {
    pub(super) fn new(limit: Limit, clock: Clock<'a>) -> Self {
        Self {
            limit,
            clock,
            began: clock(),
            nodes: 0,
        }
    }

    /// The share of the limit that is left, below 0 where more was spent.
    pub(super) fn left(&self) -> f64 {
        match self.limit {
            Limit::Time(seconds) => 1.0 - ((self.clock)() - self.began) / seconds.max(1e-9),
            Limit::Nodes(limit) => 1.0 - self.nodes as f64 / limit as f64,
            Limit::Width(_) => f64::from(u8::from(self.nodes == 0)),
        }
    }

    /// Whether so many positions, built all at once, are still within the limit.
    pub(super) fn pays(&self, positions: u64) -> bool {
        match self.limit {
            Limit::Nodes(limit) => self.nodes + positions <= limit,
            _ => self.left() > 0.0,
        }
    }

    /// The budget of one search that may spend this share of the limit.
    pub(super) fn budget(&self, share: f64) -> Budget {
        match self.limit {
            Limit::Time(seconds) => Budget::Until((self.clock)() + share * seconds),
            Limit::Nodes(limit) => Budget::Nodes((share * limit as f64) as u64),
            Limit::Width(width) => Budget::Width(width),
        }
    }

    /// How many positions this share of the limit is worth, by what they have cost so far.
    pub(super) fn positions(&self, share: f64) -> f64 {
        let spent = 1.0 - self.left();
        self.nodes as f64 * share / spent.max(1e-9)
    }
}
