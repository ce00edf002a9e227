//! The observer of a search: it counts the work, or looks at the states, or does neither.

use crate::learned::features::Features;
use crate::observe::work::Work;
use crate::search::state::State;
use std::cell::Cell;

/// What a [`Watch`] sees of a state.
pub type Seen = columns_core::network::Described<Features>;

/// What there is to see of a state.
pub(crate) fn seen<const W: usize, const P: usize>(
    state: &State<W, P>,
    features: Features,
) -> Seen {
    Seen {
        hash: state.hash(),
        value: state.scores.value,
        base: state.scores.value - state.learned,
        features,
    }
}

/// How a search plays on from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutConfig {
    /// How many columns it places.
    pub columns: usize,
    /// How many states it keeps of each layer.
    pub width: usize,
}

/// An observer of the states of a search.
pub trait Watch {
    /// Gets all states of a layer that were evaluated; first the root alone. `rollout` plays on
    /// from the state with the given index. It returns the highest value of its last layer, in
    /// 1/256 of a match, or the points if the game is lost earlier.
    fn evaluated(
        &mut self,
        _layer: usize,
        _states: Vec<Seen>,
        _future: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
    }
    /// Gets the hashes of the states that survived, best first.
    fn survived(&mut self, _layer: usize, _hashes: Vec<u64>) {}
    /// Gets the states on the path to the best one, after the search.
    fn best(&mut self, _states: Vec<Seen>) {}
}

/// The observer of a search; by default nobody.
#[derive(Default)]
pub(crate) struct Observer<'a> {
    /// Where the work is counted.
    pub(crate) work: Option<&'a Cell<Work>>,
    /// Who looks at the states.
    pub(crate) watch: Option<&'a mut (dyn Watch + 'a)>,
}

impl<'a> Observer<'a> {
    /// The same observer with a shorter lifetime.
    pub(crate) fn shorter<'b>(self) -> Observer<'b>
    where
        'a: 'b,
    {
        Observer {
            work: self.work,
            watch: self.watch.map(|watch| watch as _),
        }
    }

    /// Counts work: `listed` children of a state, states `evaluated`, and `steps` of chains, one
    /// more for each chain.
    pub(crate) fn worked(&self, listed: Option<usize>, evaluated: usize, steps: u32) {
        self.count(|work| work.add(listed, evaluated, steps));
    }

    /// Counts a layer of which so many states were evaluated.
    pub(crate) fn layer_done(&self, evaluated: usize) {
        self.count(|work| work.add_layer(evaluated));
    }

    fn count(&self, add: impl FnOnce(&mut Work)) {
        if let Some(work) = self.work {
            let mut done = work.get();
            add(&mut done);
            work.set(done);
        }
    }
}
