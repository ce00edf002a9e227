//! The work of a search, counted.

use crate::eval::quotas::QUOTAS;
use crate::eval::state::State;
use crate::search::game::ColumnsGame;
use columns_core::beam::Observer;
use std::cell::Cell;

/// How many kinds of work there are.
pub const KINDS: usize = 6;

/// How often each kind of work was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// States whose children were listed.
    pub expanded: u64,
    /// Children listed.
    pub listed: u64,
    /// States built and evaluated.
    pub evaluated: u64,
    /// Steps of chains played; one more for each chain, whose start costs as much.
    pub steps: u64,
    /// Layers.
    pub layers: u64,
    /// For each layer the states evaluated times the logarithm to base 2 of their number: they are
    /// sorted, and the more there are, the farther away is the memory that they lie in.
    pub sorted: u64,
}

impl Work {
    /// The same in the order of [`Prices`](crate::observe::meter::Prices).
    pub fn counts(self) -> [u64; KINDS] {
        [
            self.expanded,
            self.listed,
            self.evaluated,
            self.steps,
            self.layers,
            self.sorted,
        ]
    }
}

/// An observer that counts the work of one search.
pub(crate) struct Counting<'a> {
    /// The work so far.
    pub(crate) work: &'a Cell<Work>,
}

impl Counting<'_> {
    fn count(&self, steps: u64, add: impl FnOnce(&mut Work)) {
        let mut work = self.work.get();
        work.steps = steps;
        add(&mut work);
        self.work.set(work);
    }
}

impl<'g, const W: usize, const P: usize> Observer<ColumnsGame<'g, W, P>, QUOTAS> for Counting<'_> {
    fn expanded(&mut self, game: &ColumnsGame<'g, W, P>, listed: usize) {
        self.count(game.steps, |work| {
            work.expanded += 1;
            work.listed += listed as u64;
        });
    }

    fn built(&mut self, game: &ColumnsGame<'g, W, P>, evaluated: usize) {
        self.count(game.steps, |work| work.evaluated += evaluated as u64);
    }

    fn evaluated(&mut self, game: &ColumnsGame<'g, W, P>, _: usize, states: &[State<W, P>]) {
        let states = states.len() as u64;
        self.count(game.steps, |work| {
            work.layers += 1;
            work.sorted += states * u64::from(states.max(1).ilog2());
        });
    }
}
