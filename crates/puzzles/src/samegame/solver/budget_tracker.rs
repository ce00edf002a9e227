//! Tracks how much of its limit a search has spent.

use super::options::Limit;
use columns_core::beam::{Budget, Clock};

/// The limit of a search, and how much of it is used.
pub(super) struct BudgetTracker<'a> {
    limit: Limit,
    pub(super) clock: Clock<'a>,
    /// The time on the clock at the start of the search, in seconds.
    start: f64,
    /// Number of positions built so far. Annealing adds one for every four changed games.
    pub(super) nodes: u64,
}

impl<'a> BudgetTracker<'a> {
    pub(super) fn new(limit: Limit, clock: Clock<'a>) -> Self {
        Self {
            limit,
            clock,
            start: clock(),
            nodes: 0,
        }
    }

    /// Returns the share of the limit that is left. The share is negative if the search has exceeded the
    /// limit.
    pub(super) fn share_left(&self) -> f64 {
        match self.limit {
            Limit::Seconds(seconds) => 1.0 - ((self.clock)() - self.start) / seconds.max(1e-9),
            Limit::Nodes(limit) => 1.0 - self.nodes as f64 / limit as f64,
        }
    }

    /// True if the limit allows this number of further positions. A time limit allows any number until the
    /// time is up.
    pub(super) fn allows(&self, positions: u64) -> bool {
        match self.limit {
            Limit::Nodes(limit) => self.nodes + positions <= limit,
            Limit::Seconds(_) => self.share_left() > 0.0,
        }
    }

    /// Returns the budget of a beam that may spend this share of the limit.
    pub(super) fn budget(&self, share: f64) -> Budget {
        match self.limit {
            Limit::Seconds(seconds) => Budget::Deadline((self.clock)() + share * seconds),
            Limit::Nodes(limit) => Budget::Nodes((share * limit as f64) as u64),
        }
    }

    /// Estimates the number of positions that this share of the limit allows, from the cost of the positions
    /// built so far.
    pub(super) fn estimated_positions(&self, share: f64) -> f64 {
        let spent = 1.0 - self.share_left();
        self.nodes as f64 * share / spent.max(1e-9)
    }
}
