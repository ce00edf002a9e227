//! Counts the work of a search: states expanded, children listed, chain steps played and so on.

use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::state::State;
use crate::search::game::ColumnsGame;
use columns_core::beam::Observer;
use std::cell::Cell;

/// The number of kinds of work, one for each field of [`Work`].
pub const WORK_KIND_COUNT: usize = 6;

/// The amount of each kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// The number of states whose children were listed.
    pub expanded_states: u64,
    /// The number of children that became candidates, whether or not they were built.
    pub listed_children: u64,
    /// The number of states built and evaluated.
    pub evaluated_states: u64,
    /// The number of chain steps played, plus one for each chain that the search sets off to list or
    /// evaluate children, since starting a chain costs as much as a step.
    pub steps: u64,
    /// The number of layers evaluated, including the root.
    pub layers: u64,
    /// The sum over all layers of n ⌊log₂ n⌋, where n is the number of states evaluated in the layer. It
    /// stands for sorting, and for slower memory: few states fit into a cache, many only into RAM.
    pub sorting_cost: u64,
}

impl Work {
    /// Returns the counts in the order of [`Prices`](crate::observe::meter::Prices).
    pub fn counts(self) -> [u64; WORK_KIND_COUNT] {
        [
            self.expanded_states,
            self.listed_children,
            self.evaluated_states,
            self.steps,
            self.layers,
            self.sorting_cost,
        ]
    }
}

/// An observer that counts the work of one search.
pub(crate) struct WorkCounter<'a> {
    /// The work so far. The clock of the search reads it.
    pub(crate) work: &'a Cell<Work>,
}

impl WorkCounter<'_> {
    fn count(&self, steps: u64, add: impl FnOnce(&mut Work)) {
        let mut work = self.work.get();
        work.steps = steps;
        add(&mut work);
        self.work.set(work);
    }
}

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, QUOTA_COUNT>
    for WorkCounter<'_>
{
    fn on_expanded(&mut self, game: &ColumnsGame<'g, W, P>, states: usize, listed: u64) {
        self.count(game.played_steps, |work| {
            work.expanded_states += states as u64;
            work.listed_children += listed;
        });
    }

    fn on_built(&mut self, game: &ColumnsGame<'g, W, P>, evaluated: usize) {
        self.count(game.played_steps, |work| {
            work.evaluated_states += evaluated as u64;
        });
    }

    fn on_evaluated(&mut self, game: &ColumnsGame<'g, W, P>, _: usize, states: &[State<W, P>]) {
        let states = states.len() as u64;
        self.count(game.played_steps, |work| {
            work.layers += 1;
            work.sorting_cost += states * u64::from(states.max(1).ilog2());
        });
    }
}
