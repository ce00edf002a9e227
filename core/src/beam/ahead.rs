//! A search on several threads.
//!
//! The search goes through a layer in a fixed order and needs the children of one state, or one
//! child, at a time. [`Ahead`] has these answers ready: it receives all queries of the search
//! about a layer, and a [team](crate::team) answers them. Each thread has a copy of the game.
//!
//! The result depends neither on the number of threads nor on their speed, since no answer does:
//!
//! * A child depends only on its parent and the move.
//! * A list of children depends on the threshold that they must beat. The threshold rises from list
//!   to list, and a thread that runs ahead of the search uses a value that may be too low. When the
//!   search takes the list, the children that do not beat the current threshold are removed. So
//!   neither the scores nor the work of a child may depend on the threshold, see [`Game::expand`].
//!
//! ```text
//! threshold            0       5       7     when the search takes the children of state 0, 1, 2
//! listed, with 0     9 5 3   8 5 4   7 6 2   by workers
//! used               9 5 3   8       -       children that beat the threshold, as on one thread
//! ```

use super::game::{Children, Game, Observer};
use super::search::{Beam, SearchResult};
use super::selector::Scores;
use super::width::{Budget, Clock, Settings};
use crate::team::{self, Team};
use std::slice;
use std::sync::Mutex;

/// Searches as [`search`](super::search()) does, on [`Settings::threads`] threads. The outcome does
/// not depend on the number of threads, unless the budget is a time on a real clock.
pub fn search_ahead<G: Game<Q> + Clone + Send, O: Observer<G, Q>, const Q: usize>(
    game: &mut G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
    observer: &mut O,
) -> SearchResult<G::Move> {
    let copy = game.clone();
    let required = &Mutex::new(Scores::LOWEST);
    let workers = (1..settings.threads).map(|_| {
        let mut copy = copy.clone();
        move |query: &Query<_, _>| compute(&mut copy, query, required)
    });
    team::with(workers, |team| {
        let mut beam = Beam::new(game, last, settings, budget, clock, observer);
        beam.ahead = (settings.threads > 1).then(|| Ahead {
            team,
            game: copy.clone(),
            required,
            place: 0,
        });
        beam.walk(root, last);
        beam.finish()
    })
}

/// A query of the search: a state in layer `layer`, whose children are to be listed.
pub(super) struct Query<S, M> {
    pub(super) layer: usize,
    pub(super) state: S,
    /// A move, and the layer that it leads to, if this child is to be built and evaluated instead.
    pub(super) mv: Option<(M, usize)>,
}

/// An answer of the game.
pub(super) struct Answer<G: Game<Q>, const Q: usize> {
    /// The listed children.
    children: Children<G::Move, G::ListedHash, Q>,
    /// The child, built and evaluated.
    pub(super) built: Vec<G::State>,
    /// The hash of the child.
    pub(super) hash: u64,
    /// The work of listing the children, or of building and evaluating the child.
    pub(super) work: [u64; 2],
}

/// Answers a query with a copy of the game.
fn compute<G: Game<Q>, const Q: usize>(
    game: &mut G,
    query: &Query<G::State, G::Move>,
    required: &Mutex<Scores<Q>>,
) -> Answer<G, Q> {
    let mut answer = Answer {
        children: Children::default(),
        built: Vec::new(),
        hash: 0,
        work: [0; 2],
    };
    let Query { layer, state, mv } = query;
    let start = game.add_work(0);
    if let Some((mv, to)) = *mv {
        let child = game.build(*layer, state, mv);
        answer.hash = game.hash(&child);
        answer.work[0] = game.add_work(0) - start;
        game.evaluate(to, slice::from_ref(&child), &mut answer.built);
    } else {
        // No thread panics while it holds the lock. The lowest scores would be correct, but slow.
        let required = required.lock().map_or(Scores::LOWEST, |required| *required);
        game.expand(*layer, state, required, &mut answer.children);
    }
    answer.work[1] = game.add_work(0) - start - answer.work[0];
    answer
}

/// The answers to the queries about a layer. See the [module](self).
pub(super) struct Ahead<'a, G: Game<Q>, const Q: usize> {
    team: Team<Query<G::State, G::Move>, Answer<G, Q>>,
    /// A copy for the answers that the thread of the search computes.
    game: G,
    /// The threshold that the children of the layer must beat.
    required: &'a Mutex<Scores<Q>>,
    /// The number of answers that the search has taken.
    place: usize,
}

impl<G: Game<Q>, const Q: usize> Ahead<'_, G, Q> {
    /// Sets the threshold. A value that is too low costs only time, one that is too high would lose
    /// children.
    fn require(&self, required: Scores<Q>) {
        if let Ok(mut shared) = self.required.lock() {
            *shared = required;
        }
    }

    /// Offers the queries about a layer to the team, with the first threshold of the layer.
    pub(super) fn offer(
        &mut self,
        required: Scores<Q>,
        queries: impl Iterator<Item = Query<G::State, G::Move>>,
    ) {
        self.require(required);
        self.place = 0;
        self.team.offer(queries);
    }

    /// Returns the next answer.
    pub(super) fn next(&mut self) -> &Answer<G, Q> {
        let Self { game, required, .. } = self;
        self.place += 1;
        let compute = &mut |query: &_| compute(game, query, required);
        self.team.answer(self.place - 1, compute)
    }

    /// Takes the next list of children that beat `required`.
    pub(super) fn list(
        &mut self,
        game: &mut G,
        required: Scores<Q>,
        children: &mut Children<G::Move, G::ListedHash, Q>,
    ) {
        self.require(required);
        let answer = self.next();
        let listed = answer.children.listed.iter();
        let listed = listed.filter(|child| child.scores.beats(&required));
        children.listed.extend(listed);
        let trials = answer.children.trials.iter();
        let trials = trials.filter(|trial| trial.0.beats(&required));
        children.trials.extend(trials);
        game.add_work(answer.work[1]);
    }
}
