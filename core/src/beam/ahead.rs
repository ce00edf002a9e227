//! A search on several threads.
//!
//! The search itself knows nothing of threads. It walks through a layer in a fixed order and asks
//! the game for the children of one state, or for one child, at a time. [`Ahead`] is a game that
//! has these answers ready: it learns at the start of a layer what the search will ask for, cuts
//! that into blocks, and offers these to a [team](crate::team). Each worker has a copy of the game.
//! An answer that is not ready when the search asks is computed then and there, as by one thread.
//!
//! The plan depends neither on the number of threads nor on their pace, since an answer does not:
//!
//! * A child that is built and evaluated depends on its parent and the move alone.
//! * A list of children depends on the threshold that they have to beat. It rises while the search
//!   asks, and a worker lists with the threshold of its time, which may be too low. What the list
//!   has in excess is removed when the search asks for it. So neither the scores nor the work of a
//!   child may depend on the threshold, see [`Copies::list`].
//!
//! ```text
//! threshold            0       5       7     when the search asks for the children of state 0, 1, 2
//! listed, with 0     9 5 3   8 5 4   7 6 2   by workers
//! used               9 5 3   8       -       those that beat the threshold, as listed by one thread
//! ```

use super::game::{Children, Game, Node, Observer};
use super::search::{search, SearchResult};
use super::selector::Scores;
use super::width::{Budget, Clock, Settings};
use crate::team::{self, lock, Team, Turn};
use std::collections::VecDeque;
use std::slice;
use std::sync::Mutex;

/// A game that several threads can ask, each a copy of it.
pub trait Copies<const Q: usize>: Game<Q> + Clone + Send {
    /// The scores of which a child has to beat at least one to be listed by [`Game::expand`] now.
    fn required(&self) -> Scores<Q>;

    /// As [`Game::expand`], for these scores. The scores of a child must not depend on them, nor
    /// must the work. Work that does is added to the list as a trial.
    fn list(
        &mut self,
        layer: usize,
        state: &Self::State,
        required: Scores<Q>,
        children: &mut Children<Self::Move, Self::ListedHash, Q>,
    );

    /// Records a list of children that beat [`Copies::required`], and trials, as [`Game::expand`]
    /// does.
    fn record(&mut self, children: &mut Children<Self::Move, Self::ListedHash, Q>);

    /// The work of this copy so far, in units of the game.
    fn work(&self) -> u64 {
        0
    }

    /// Adds the work of another copy.
    fn add_work(&mut self, _work: u64) {}
}

/// As [`search`], on [`Settings::threads`]. The outcome of a budget of states, of a width, or of
/// work does not depend on their number.
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

/// A layer is cut into blocks that get smaller to its end, so that all threads end at about the same
/// time. A block is this part of what each thread has left,
const SHARE: usize = 4;
/// with at least and at most so many lists of children, since the threshold rises meanwhile,
const LISTS: [usize; 2] = [2, 8];
/// or children to build: for fewer, passing them on would take too long.
const CHILDREN: [usize; 2] = [4, 32];
/// From this number of threads on, a block has at least twice as many lists or children: the threads
/// would wait for each other's locks.
const MANY_THREADS: usize = 8;

/// A block of questions to the game, and the answers.
struct Task<G: Game<Q>, const Q: usize> {
    layer: usize,
    /// States whose children are to be listed; or the parents of children of layer `layer`, which
    /// are to be built and evaluated,
    states: Vec<G::State>,
    /// with the layer of each parent and the move.
    moves: Vec<(usize, G::Move)>,
    answers: Vec<Answer>,
    /// The listed children of all states.
    children: Children<G::Move, G::ListedHash, Q>,
    /// The children that are built and evaluated.
    built: Vec<G::State>,
}

/// An answer of the game.
struct Answer {
    /// The ends of a state's children and trials in the list.
    ends: [usize; 2],
    /// A child's hash.
    hash: u64,
    /// The work of listing or building.
    work: u64,
    /// The work of evaluating.
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

    /// Asks a copy of the game.
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

/// Where the answers of the present block come from.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// A worker computes the block.
    Busy,
    /// It is the last one of those taken.
    Taken,
    /// The search asks its own game.
    Own,
}

/// A game that has answers ready. See the [module](self).
struct Ahead<'a, 't, G: Copies<Q>, const Q: usize> {
    /// The game of the search.
    game: &'a mut G,
    /// A copy for the tasks that this thread computes for the team.
    helper: G,
    team: &'a mut Team<'t, Task<G, Q>>,
    threads: usize,
    /// What the children of the present layer have to beat.
    required: &'a Mutex<Scores<Q>>,
    /// The sizes of the blocks that the search has not asked for yet.
    blocks: VecDeque<usize>,
    /// The number of answers that the search has not asked for yet in the present block.
    left: usize,
    /// The number of those that it has asked for.
    place: usize,
    source: Source,
    /// The computed blocks with answers in use.
    taken: Vec<Task<G, Q>>,
    /// Blocks that are kept for their memory.
    spare: Vec<Task<G, Q>>,
}

impl<G: Copies<Q>, const Q: usize> Ahead<'_, '_, G, Q> {
    /// Offers the team what the search will ask for: by a state, its layer, and the move for a
    /// child.
    fn announce<'s>(
        &mut self,
        layer: usize,
        sizes: [usize; 2],
        mut questions: impl ExactSizeIterator<Item = (usize, &'s G::State, Option<G::Move>)>,
    ) where
        G::State: 's,
    {
        self.team.clear();
        self.spare.append(&mut self.taken);
        self.blocks.clear();
        self.left = 0;
        while questions.len() > 0 {
            let size = questions.len() / (SHARE * self.threads);
            let least = sizes[0] * (1 + usize::from(self.threads >= MANY_THREADS));
            let size = size.clamp(least, sizes[1]);
            let mut task = self.spare.pop().unwrap_or_else(Task::new);
            task.layer = layer;
            task.states.clear();
            task.moves.clear();
            task.answers.clear();
            task.children.listed.clear();
            task.children.trials.clear();
            task.built.clear();
            for (layer, state, mv) in questions.by_ref().take(size) {
                task.states.push(*state);
                task.moves.extend(mv.map(|mv| (layer, mv)));
            }
            self.blocks.push_back(task.states.len());
            self.team.offer(task);
        }
    }

    /// The place of the next answer in the last of the taken blocks; `None` if the search is to ask
    /// its own game.
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
                // Perhaps its core is taken. This thread computes the same until the worker is
                // done.
                Turn::Busy if self.left == 1 => self.team.skip(),
                Turn::Busy => {}
            }
        }
        self.left -= 1;
        self.place += 1;
        (self.source == Source::Taken).then_some(self.place - 1)
    }

    /// Takes back the memory of the blocks whose answers have been used.
    fn recycle(&mut self) {
        let in_use = usize::from(self.left > 0 && self.source == Source::Taken);
        let used = self.taken.len() - in_use;
        self.spare.extend(self.taken.drain(..used));
    }
}

/// A child, perhaps evaluated ahead.
enum Built<C> {
    /// The child is not evaluated.
    Own(C),
    /// The child is evaluated, at this place of one of the taken blocks.
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
        let questions = states.iter().map(|node| (layer, &node.state, None));
        self.announce(layer, LISTS, questions);
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
        let questions = children.map(|(layer, parent, mv)| (layer, parent, Some(mv)));
        self.announce(layer, CHILDREN, questions);
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

/// An observer of a search ahead: it sees the game of the search.
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
