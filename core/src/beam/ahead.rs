//! A search on several threads.
//!
//! The search itself knows nothing of threads. It goes through a layer in a fixed order and asks
//! the game for the children of one state, or for one child, at a time. [`Ahead`] is a game that
//! prepares these answers. At the start of a layer it receives all queries of the search, cuts them
//! into blocks, and offers the blocks to a [team](crate::team). Each worker has a copy of the game.
//! If an answer is not ready when the search asks for it, the calling thread computes it, as in a
//! search on one thread.
//!
//! The result depends neither on the number of threads nor on their speed, since no answer does:
//!
//! * A child depends only on its parent and the move.
//! * A list of children depends on the threshold that they must beat. The threshold rises from list
//!   to list, and a worker that runs ahead of the search uses a value that may be too low. When the
//!   search asks for the list, the children that do not beat the current threshold are removed. So
//!   neither the scores nor the work of a child may depend on the threshold, see [`Copies::list`].
//!
//! ```text
//! threshold            0       5       7     when the search asks for the children of state 0, 1, 2
//! listed, with 0     9 5 3   8 5 4   7 6 2   by workers
//! used               9 5 3   8       -       children that beat the threshold, as on one thread
//! ```

use super::game::{Children, Game, Node, Observer};
use super::search::{SearchResult, search};
use super::selector::Scores;
use super::width::{Budget, Clock, Settings};
use crate::team::{self, Team, Turn, lock};
use std::collections::VecDeque;
use std::slice;
use std::sync::Mutex;

/// A game that several threads can query, each with its own copy.
pub trait Copies<const Q: usize>: Game<Q> + Clone + Send {
    /// Returns the threshold of [`Game::expand`]: a child is listed if it beats at least one of
    /// these scores.
    fn required(&self) -> Scores<Q>;

    /// Lists children as [`Game::expand`] does, but with the threshold `required`. Neither the
    /// scores of a child nor the work may depend on the threshold. Work that does depend on it is
    /// added to the list as a trial.
    fn list(
        &mut self,
        layer: usize,
        state: &Self::State,
        required: Scores<Q>,
        children: &mut Children<Self::Move, Self::ListedHash, Q>,
    );

    /// Records the children that beat [`Copies::required`], and the trials, as [`Game::expand`]
    /// does for the children that it lists.
    fn record(&mut self, children: &mut Children<Self::Move, Self::ListedHash, Q>);

    /// Returns the work of this copy so far, in units of the game.
    fn work(&self) -> u64 {
        0
    }

    /// Adds the work of another copy.
    fn add_work(&mut self, _work: u64) {}
}

/// Searches as [`search`] does, on [`Settings::threads`] threads. The outcome does not depend on
/// the number of threads, unless the budget is a time on a real clock.
pub fn search_ahead<G: Copies<Q>, O: Observer<G, Q>, const Q: usize>(
    game: &mut G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
    observer: &mut O,
) -> SearchResult<G::Move> {
    let threads = settings.threads;
    if threads <= 1 {
        return search(game, root, last, settings, budget, clock, observer);
    }
    let required = &Mutex::new(Scores::LOWEST);
    let helper = game.clone();
    let workers = (1..threads).map(|_| {
        let mut copy = helper.clone();
        move |task: &mut Task<G, Q>| task.compute(&mut copy, required)
    });
    team::with(workers, |team| {
        let mut ahead = Ahead {
            game,
            helper: helper.clone(),
            team,
            threads,
            required,
            blocks: VecDeque::new(),
            left: 0,
            place: 0,
            source: Source::Own,
            taken: Vec::new(),
            spare: Vec::new(),
        };
        let (root, mut observer) = (Built::Own(root), Through(observer));
        search(
            &mut ahead,
            root,
            last,
            settings,
            budget,
            clock,
            &mut observer,
        )
    })
}

/// The number of blocks per thread into which the remaining queries would be cut. The next block is
/// one of these, so blocks get smaller towards the end of a layer, and all threads finish at about
/// the same time.
const SHARE: usize = 4;
/// The minimum and the maximum number of states in a block whose children are to be listed. These
/// blocks are small, since the threshold rises while a worker computes one.
const LISTS: [usize; 2] = [2, 8];
/// The minimum and the maximum number of children to build in a block. With fewer children, the
/// handover would take too large a share of the time.
const CHILDREN: [usize; 2] = [4, 32];
/// The number of threads from which the minimum size of a block doubles. With smaller blocks, that
/// many threads would contend for the lock of the board.
const MANY_THREADS: usize = 8;

/// A block of queries to the game, and the answers. A block either lists the children of states, or
/// builds and evaluates children.
struct Task<G: Game<Q>, const Q: usize> {
    /// The layer of the states whose children are to be listed, or of the children to build.
    layer: usize,
    /// The states whose children are to be listed, or the parents of the children to build.
    states: Vec<G::State>,
    /// For each child to build, the layer of its parent and the move. Empty in a block that lists
    /// children.
    moves: Vec<(usize, G::Move)>,
    answers: Vec<Answer>,
    /// The listed children of all states.
    children: Children<G::Move, G::ListedHash, Q>,
    /// The children, built and evaluated.
    built: Vec<G::State>,
}

/// An answer of the game.
struct Answer {
    /// The end of this state's children and of its trials in the lists of the block.
    ends: [usize; 2],
    /// The hash of a child.
    hash: u64,
    /// The work of listing the children, or of building the child.
    work: u64,
    /// The work of evaluating the child.
    evaluation: u64,
}

impl<G: Copies<Q>, const Q: usize> Task<G, Q> {
    fn new() -> Self {
        Self {
            layer: 0,
            states: Vec::new(),
            moves: Vec::new(),
            answers: Vec::new(),
            children: Children::default(),
            built: Vec::new(),
        }
    }

    /// Computes the answers with a copy of the game.
    fn compute(&mut self, game: &mut G, required: &Mutex<Scores<Q>>) {
        for (at, state) in self.states.iter().enumerate() {
            let start = game.work();
            let answer = if let Some(&(layer, mv)) = self.moves.get(at) {
                let child = game.build(layer, state, mv);
                let built = game.work();
                game.evaluate(self.layer, slice::from_ref(&child), &mut self.built);
                Answer {
                    ends: [0; 2],
                    hash: game.hash(&child),
                    work: built - start,
                    evaluation: game.work() - built,
                }
            } else {
                let required = *lock(required);
                game.list(self.layer, state, required, &mut self.children);
                Answer {
                    ends: [self.children.listed.len(), self.children.trials.len()],
                    hash: 0,
                    work: game.work() - start,
                    evaluation: 0,
                }
            };
            self.answers.push(answer);
        }
    }
}

/// The source of the answers of the current block.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// A worker is still computing the block.
    Busy,
    /// The block is the last one of [`Ahead::taken`].
    Taken,
    /// The game of the search computes the answers.
    Own,
}

/// A game that prepares its answers on other threads. See the [module](self).
struct Ahead<'a, 't, G: Copies<Q>, const Q: usize> {
    /// The game of the search.
    game: &'a mut G,
    /// A copy for the tasks that this thread computes for the team.
    helper: G,
    team: &'a mut Team<'t, Task<G, Q>>,
    threads: usize,
    /// The threshold that the children of the current layer must beat.
    required: &'a Mutex<Scores<Q>>,
    /// The sizes of the blocks that the search has not asked for yet.
    blocks: VecDeque<usize>,
    /// The number of answers of the current block that the search has not asked for yet.
    left: usize,
    /// The number of answers of the current block that the search has asked for.
    place: usize,
    source: Source,
    /// Computed blocks whose answers are still in use.
    taken: Vec<Task<G, Q>>,
    /// Blocks that are kept for their memory.
    spare: Vec<Task<G, Q>>,
}

impl<G: Copies<Q>, const Q: usize> Ahead<'_, '_, G, Q> {
    /// Offers the team the queries of the search. A query is a layer, a state of this layer, and a
    /// move if a child is to be built.
    fn announce<'s>(
        &mut self,
        layer: usize,
        sizes: [usize; 2],
        mut queries: impl ExactSizeIterator<Item = (usize, &'s G::State, Option<G::Move>)>,
    ) where
        G::State: 's,
    {
        self.team.clear();
        self.spare.append(&mut self.taken);
        self.blocks.clear();
        self.left = 0;
        let least = sizes[0] * (1 + usize::from(self.threads >= MANY_THREADS));
        while queries.len() > 0 {
            let size = queries.len() / (SHARE * self.threads);
            let size = size.clamp(least, sizes[1]);
            let mut task = self.spare.pop().unwrap_or_else(Task::new);
            task.layer = layer;
            task.states.clear();
            task.moves.clear();
            task.answers.clear();
            task.children.listed.clear();
            task.children.trials.clear();
            task.built.clear();
            for (layer, state, mv) in queries.by_ref().take(size) {
                task.states.push(*state);
                task.moves.extend(mv.map(|mv| (layer, mv)));
            }
            self.blocks.push_back(task.states.len());
            self.team.offer(task);
        }
    }

    /// Returns the index of the next answer in the last taken block, or `None` if the game of the
    /// search must compute the answer.
    fn answer(&mut self) -> Option<usize> {
        if self.left == 0 {
            self.left = self.blocks.pop_front()?;
            self.place = 0;
            self.source = Source::Busy;
        }
        if self.source == Source::Busy {
            let Self {
                helper, required, ..
            } = self;
            match self.team.turn(&mut |task| task.compute(helper, required)) {
                Turn::Done(task) => {
                    self.taken.push(task);
                    self.source = Source::Taken;
                }
                Turn::Free(task) => {
                    self.spare.push(task);
                    self.source = Source::Own;
                }
                // The worker may have lost its core. This thread computes the same answers until
                // the worker is done.
                Turn::Busy if self.left == 1 => self.team.skip(),
                Turn::Busy => {}
            }
        }
        self.left -= 1;
        self.place += 1;
        (self.source == Source::Taken).then_some(self.place - 1)
    }

    /// Keeps the memory of the blocks whose answers have been used.
    fn recycle(&mut self) {
        let in_use = usize::from(self.left > 0 && self.source == Source::Taken);
        let used = self.taken.len() - in_use;
        self.spare.extend(self.taken.drain(..used));
    }
}

/// A child, which may be evaluated already.
enum Built<C> {
    /// The child is not evaluated.
    Own(C),
    /// The child is evaluated. It is at index `place` of a taken block.
    Ahead {
        block: usize,
        place: usize,
        hash: u64,
    },
}

impl<G: Copies<Q>, const Q: usize> Game<Q> for Ahead<'_, '_, G, Q> {
    type State = G::State;
    type Child = Built<G::Child>;
    type Move = G::Move;
    type ListedHash = G::ListedHash;

    fn begin_layer(&mut self, layer: usize, places: usize, states: &[Node<G::State>]) {
        self.game.begin_layer(layer, places, states);
        *lock(self.required) = self.game.required();
        let queries = states.iter().map(|node| (layer, &node.state, None));
        self.announce(layer, LISTS, queries);
    }

    fn expand(
        &mut self,
        layer: usize,
        state: &G::State,
        children: &mut Children<G::Move, G::ListedHash, Q>,
    ) {
        if let Some(place) = self.answer() {
            let task = &self.taken[0];
            let previous = place.checked_sub(1).map(|place| task.answers[place].ends);
            let (start, end) = (previous.unwrap_or([0; 2]), task.answers[place].ends);
            let work = task.answers[place].work;
            let Children { listed, trials } = &task.children;
            let required = self.game.required();
            let listed = listed[start[0]..end[0]].iter();
            children
                .listed
                .extend(listed.filter(|child| child.scores.beats(&required)));
            let trials = trials[start[1]..end[1]].iter();
            children
                .trials
                .extend(trials.filter(|trial| trial.0.beats(&required)));
            self.game.record(children);
            self.game.add_work(work);
            self.recycle();
        } else {
            self.game.expand(layer, state, children);
        }
        *lock(self.required) = self.game.required();
    }

    fn begin_building<'s>(
        &mut self,
        layer: usize,
        children: impl ExactSizeIterator<Item = (usize, &'s G::State, G::Move)>,
    ) where
        G::State: 's,
    {
        let queries = children.map(|(layer, parent, mv)| (layer, parent, Some(mv)));
        self.announce(layer, CHILDREN, queries);
    }

    fn build(&mut self, layer: usize, parent: &G::State, mv: G::Move) -> Built<G::Child> {
        let Some(place) = self.answer() else {
            return Built::Own(self.game.build(layer, parent, mv));
        };
        let block = self.taken.len() - 1;
        let answer = &self.taken[block].answers[place];
        self.game.add_work(answer.work);
        Built::Ahead {
            block,
            place,
            hash: answer.hash,
        }
    }

    fn hash(&self, child: &Built<G::Child>) -> u64 {
        match child {
            Built::Own(child) => self.game.hash(child),
            Built::Ahead { hash, .. } => *hash,
        }
    }

    fn evaluate(&mut self, layer: usize, children: &[Built<G::Child>], states: &mut Vec<G::State>) {
        for child in children {
            match *child {
                Built::Own(ref child) => self.game.evaluate(layer, slice::from_ref(child), states),
                Built::Ahead { block, place, .. } => {
                    let task = &self.taken[block];
                    states.push(task.built[place]);
                    self.game.add_work(task.answers[place].evaluation);
                }
            }
        }
        self.recycle();
    }

    fn scores(&self, state: &G::State) -> Scores<Q> {
        self.game.scores(state)
    }

    fn score(&self, state: &G::State) -> i64 {
        self.game.score(state)
    }

    fn quotas(&self, layer: usize) -> [f64; Q] {
        self.game.quotas(layer)
    }
}

/// Passes the game of the search, instead of [`Ahead`], to an observer.
struct Through<'o, O>(&'o mut O);

impl<G: Copies<Q>, O: Observer<G, Q>, const Q: usize> Observer<Ahead<'_, '_, G, Q>, Q>
    for Through<'_, O>
{
    fn expanded(&mut self, ahead: &Ahead<G, Q>, listed: usize) {
        self.0.expanded(ahead.game, listed);
    }

    fn built(&mut self, ahead: &Ahead<G, Q>, evaluated: usize) {
        self.0.built(ahead.game, evaluated);
    }

    fn evaluated(&mut self, ahead: &Ahead<G, Q>, layer: usize, states: &[G::State]) {
        self.0.evaluated(ahead.game, layer, states);
    }

    fn survived(&mut self, ahead: &Ahead<G, Q>, layer: usize, states: &[Node<G::State>]) {
        self.0.survived(ahead.game, layer, states);
    }
}
