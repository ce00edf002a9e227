//! Runs a beam search, layer by layer.

use super::admission::AdmissionThreshold;
use super::costs::Costs;
use super::game::{Children, Game, Observer};
use super::hashes::Hashes;
use super::layers::{Candidate, Layers};
use super::selector::{Scores, Selector};
use super::width::{Budget, Meter, Settings, WidthController};
use std::mem;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

/// The best path that a search found, and what the search cost.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult<M> {
    /// The moves that lead from the root to the best state, in order.
    pub path: Vec<M>,
    /// The [`Game::score`] of the best state.
    pub score: i64,
    /// The last layer in which a state survived.
    pub depth: usize,
    /// The costs of the search. With several threads, they do not include the work of the game.
    pub costs: Costs,
    /// The total number of survivors in all layers after the root.
    pub survivors: u64,
    /// True if the search dropped no listed child except duplicates. If the game lists all children, a
    /// complete search is exhaustive.
    pub is_complete: bool,
    /// The number of layers searched. After a single search, this is the depth;
    /// [`SearchResult::combine_with`] adds up the layers of both searches.
    pub layers_searched: usize,
    /// True if a panic ended the search. See [`Settings::catch_panics`].
    pub panicked: bool,
}

impl<M> SearchResult<M> {
    /// Returns the result with the higher score, and adds the costs of the other search to it. On a tie,
    /// `self` wins.
    #[must_use]
    pub fn combine_with(self, other: Self) -> Self {
        let (better, worse) = if other.score > self.score {
            (other, self)
        } else {
            (self, other)
        };
        Self {
            costs: better.costs + worse.costs,
            survivors: better.survivors + worse.survivors,
            layers_searched: better.layers_searched + worse.layers_searched,
            panicked: better.panicked || worse.panicked,
            ..better
        }
    }
}

/// Searches from `root`, which is layer 0, to layer `last_layer`, on the calling thread.
///
/// # Panics
/// If the game panics, unless the settings [catch panics](Settings::catch_panics).
pub fn search<G: Game<Q>, const Q: usize>(
    game: &mut G,
    root: G::State,
    last_layer: usize,
    settings: &Settings,
    budget: Budget,
    meter: Meter,
    observer: &mut dyn Observer<G, Q>,
) -> SearchResult<G::Move> {
    let beam = Beam::new(
        game, OneThread, last_layer, settings, budget, meter, observer,
    );
    beam.run(root, last_layer)
}

/// Calls `work`, and returns true if it panicked. Without `catch_panics`, the panic propagates instead.
pub(super) fn run_catching(catch_panics: bool, work: impl FnOnce()) -> bool {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Err(message) if !catch_panics => panic::resume_unwind(message),
        result => result.is_err(),
    }
}

/// A state and the path to it.
#[derive(Debug, Clone)]
pub struct ReachedState<S, M> {
    /// The evaluated state, a [`Game::State`].
    pub state: S,
    /// The moves that lead from the root to the state, in order.
    pub path: Vec<M>,
}

/// Like [`search`], but without an observer, and without catching panics. Also returns the survivors of the
/// last layer: those selected by value, from best to worst, then those selected for the quotas. If the search
/// ends in an earlier layer, there are none.
pub fn search_frontier<S: Copy, M: Copy, G: Game<Q, State = S, Move = M>, const Q: usize>(
    game: &mut G,
    root: S,
    last_layer: usize,
    settings: &Settings,
    budget: Budget,
    meter: Meter,
) -> (SearchResult<M>, Vec<ReachedState<S, M>>) {
    let mut observer = ();
    let mut beam = Beam::new(
        game,
        OneThread,
        last_layer,
        settings,
        budget,
        meter,
        &mut observer,
    );
    let survivors = beam.search_layers(root, last_layer);
    let first_path_index = beam.first_path_index(&survivors);
    let reached = survivors
        .iter()
        .zip(0..)
        .map(|(&state, index)| ReachedState {
            state,
            path: beam.path_to(first_path_index.wrapping_add(index)),
        });
    let reached = reached.collect();
    (beam.finish(), reached)
}

/// Lists, builds and evaluates the children of a layer. The default methods do so when the search needs the
/// children; a team of threads does so in advance.
pub(super) trait Executor<G: Game<Q>, const Q: usize> {
    /// Lists those children of the survivor with index `index` that beat the threshold. Called for each
    /// survivor of layer `layer`, in order.
    fn list(
        &mut self,
        game: &mut G,
        layer: usize,
        survivors: &Arc<Vec<G::State>>,
        index: usize,
        threshold: Scores<Q>,
        children: &mut Children<G::Move, G::ListedHash, Q, G::Memo>,
    ) {
        game.expand(layer, &survivors[index], threshold, children);
    }

    /// Builds and evaluates `chosen[range]`, candidates of layer `layer`. Drops duplicates. Called for one
    /// range after another.
    fn build(
        &mut self,
        game: &mut G,
        layer: usize,
        layers: &Layers<G, Q>,
        chosen: &Arc<Vec<Candidate<G, Q>>>,
        range: Range<usize>,
        built: &mut BuiltStates<G, Q>,
    ) {
        let first = built.states.len();
        for candidate in &chosen[range] {
            let parents = layers.parents(candidate);
            parents.build(game, layer, candidate, &mut built.states);
            let child = &built.states[built.states.len() - 1];
            if candidate.is_new(game.hash(child), &mut built.known_hashes) {
                built.origins.push(*candidate);
            } else {
                built.states.pop();
            }
        }
        game.evaluate(layer, &mut built.states[first..], &mut built.scores);
    }
}

/// The executor that uses only the calling thread.
struct OneThread;

impl<G: Game<Q>, const Q: usize> Executor<G, Q> for OneThread {}

/// The states of a layer that were built and evaluated, with their scores and origins.
pub(super) struct BuiltStates<G: Game<Q>, const Q: usize> {
    pub(super) states: Vec<G::State>,
    pub(super) scores: Vec<Scores<Q>>,
    pub(super) origins: Vec<Candidate<G, Q>>,
    /// The hashes of the chosen candidates if the game knew them when it listed the candidates, otherwise
    /// those of `states`.
    pub(super) known_hashes: Hashes,
}

/// The path index of the root, which is not in the path arena.
const ROOT_PATH: u32 = u32::MAX;
/// The number of parents that are expanded between two clock checks.
const PARENTS_PER_CHECK: usize = 64;
/// The number of children that are built and evaluated between two clock checks. In the Columns Game, they
/// take less than a millisecond.
const CHILDREN_PER_CHECK: usize = 256;

/// A search in progress.
pub(super) struct Beam<'a, G: Game<Q>, E, const Q: usize> {
    game: &'a mut G,
    executor: E,
    observer: &'a mut dyn Observer<G, Q>,
    controller: WidthController<'a>,
    /// The work that the game had counted before this search.
    initial_work: u64,
    layers: Layers<G, Q>,
    /// The path arena: for each survivor, the path index of its parent, and the move from there.
    path_arena: Vec<(u32, G::Move)>,
    /// The highest score so far, with the layer and the path index of its state.
    best: (i64, usize, u32),
    result: SearchResult<G::Move>,
    /// The scores of the latest survivors.
    survivor_scores: Vec<Scores<Q>>,
    // Buffers, reused from layer to layer.
    children: Children<G::Move, G::ListedHash, Q, G::Memo>,
    built: BuiltStates<G, Q>,
    selector: Selector,
}

impl<'a, G: Game<Q>, E: Executor<G, Q>, const Q: usize> Beam<'a, G, E, Q> {
    pub(super) fn new(
        game: &'a mut G,
        executor: E,
        last_layer: usize,
        settings: &'a Settings,
        budget: Budget,
        meter: Meter<'a>,
        observer: &'a mut dyn Observer<G, Q>,
    ) -> Self {
        Self {
            executor,
            observer,
            controller: WidthController::new(budget, meter, settings, last_layer),
            initial_work: game.work(),
            game,
            layers: Layers::new(),
            path_arena: Vec::new(),
            best: (0, 0, ROOT_PATH),
            result: SearchResult {
                path: Vec::new(),
                score: 0,
                depth: 0,
                costs: Costs::default(),
                survivors: 0,
                is_complete: true,
                layers_searched: 0,
                panicked: false,
            },
            survivor_scores: Vec::new(),
            children: Children::default(),
            built: BuiltStates {
                states: Vec::new(),
                scores: Vec::new(),
                origins: Vec::new(),
                known_hashes: Hashes::default(),
            },
            selector: Selector::default(),
        }
    }

    /// Searches to layer `last_layer`, and returns the result. Catches panics if the settings say so.
    pub(super) fn run(mut self, root: G::State, last_layer: usize) -> SearchResult<G::Move> {
        let catch_panics = self.controller.settings.catch_panics;
        self.result.panicked = run_catching(catch_panics, || {
            self.search_layers(root, last_layer);
        });
        self.finish()
    }

    /// Searches layer by layer. Returns the survivors of layer `last_layer`; none if the search ends earlier.
    fn search_layers(&mut self, root: G::State, last_layer: usize) -> Arc<Vec<G::State>> {
        let mut survivors = Arc::new(vec![self.evaluate_root(root)]);
        for layer in 0.. {
            if !survivors.is_empty() {
                self.result.depth = layer;
                self.result.layers_searched = layer;
                self.observer
                    .on_survived(self.game, layer, &survivors, &self.survivor_scores);
            }
            if layer == last_layer {
                return survivors;
            }
            let (count, reach) = (survivors.len(), self.expand(layer, last_layer, &survivors));
            let first_path_index = self.first_path_index(&survivors);
            let memos = &mut self.children.memos;
            self.layers
                .push_survivors(layer, survivors, first_path_index, memos, reach);
            if self.layers.is_empty() {
                break;
            }
            self.count_work();
            let costs = &self.result.costs;
            let Some(width) = self.controller.next_width(layer + 1, count, costs) else {
                self.result.is_complete = false;
                break;
            };
            survivors = Arc::new(self.next_layer(layer + 1, width));
        }
        Arc::default()
    }

    /// Returns the path index of the first survivor of the latest layer; [`ROOT_PATH`] for the root.
    fn first_path_index(&self, survivors: &[G::State]) -> u32 {
        (self.path_arena.len() as u32).wrapping_sub(survivors.len() as u32)
    }

    /// Evaluates the root, and returns it as the survivor of layer 0.
    fn evaluate_root(&mut self, root: G::State) -> G::State {
        let (mut states, scores) = ([root], &mut self.survivor_scores);
        self.game.evaluate(0, &mut states, scores);
        self.result.costs.nodes = 1;
        self.result.costs.add_layer(1);
        self.observer.on_evaluated(self.game, 0, &states, scores);
        self.best.0 = self.game.score(&states[0]);
        states[0]
    }

    /// Lists the children of a layer's survivors. Returns the largest advance of their moves, in layers.
    fn expand(&mut self, layer: usize, last_layer: usize, survivors: &Arc<Vec<G::State>>) -> usize {
        let mut admission = G::IS_SELECTIVE.then(|| {
            let places = self.controller.candidates_to_list();
            let shares = self.game.quota_shares(layer + 1);
            AdmissionThreshold::new(places, shares, &self.survivor_scores)
        });
        let (mut threshold, mut reach) = (Scores::MIN, 0);
        for index in 0..survivors.len() {
            if index > 0 && index % PARENTS_PER_CHECK == 0 && self.is_late() {
                self.result.is_complete = false;
                break;
            }
            if let Some(admission) = &admission {
                threshold = admission.threshold();
            }
            let Self { game, children, .. } = self;
            children.parent = index as u32;
            let first = children.listed.len();
            self.executor
                .list(game, layer, survivors, index, threshold, children);
            let listed = &children.listed[first..];
            self.result.costs.expanded_states += 1;
            self.result.costs.listed_children += listed.len() as u64;
            if let Some(admission) = &mut admission {
                for child in listed {
                    admission.add(&child.scores);
                }
            } else {
                reach = reach.max(self.push_candidates(last_layer - layer));
            }
        }
        if G::IS_SELECTIVE {
            self.layers.swap_candidates(&mut self.children.listed);
            reach = 1;
        }
        reach
    }

    /// Moves the listed children to the candidates of their layers. Drops those that advance more than
    /// `layers_left` layers. Returns the largest advance of the other moves.
    fn push_candidates(&mut self, layers_left: usize) -> usize {
        let mut reach = 0;
        for child in self.children.listed.drain(..) {
            let advance = usize::from(child.advance);
            if advance <= layers_left {
                reach = reach.max(advance);
                self.layers.push_candidate(child);
            } else {
                self.result.is_complete = false;
            }
        }
        reach
    }

    /// Builds and evaluates the best candidates of a layer. Returns its survivors: those selected by value,
    /// from best to worst, then those selected for the quotas.
    fn next_layer(&mut self, layer: usize, width: usize) -> Vec<G::State> {
        let shares = self.game.quota_shares(layer);
        let candidates = self.layers.pop_candidates();
        let chosen = Arc::new(self.choose(layer, width, shares, &candidates));
        self.layers.recycle_candidates(candidates);
        self.build(layer, &chosen);
        let BuiltStates { states, scores, .. } = &self.built;
        self.result.costs.add_layer(states.len());
        if !states.is_empty() {
            self.observer.on_evaluated(self.game, layer, states, scores);
        }
        let survivors = self.select(layer, width, shares);
        self.result.survivors += survivors.len() as u64;
        survivors
    }

    /// Chooses the candidates to build for a layer of `width` states: most by value, from best to worst, then
    /// some for the quotas. Of candidates with the same known hash, chooses only the first.
    fn choose(
        &mut self,
        layer: usize,
        width: usize,
        shares: [f64; Q],
        candidates: &[Candidate<G, Q>],
    ) -> Vec<Candidate<G, Q>> {
        let count = self
            .controller
            .states_to_build(layer, width, self.result.costs.nodes);
        let known_hashes = &mut self.built.known_hashes;
        known_hashes.reset(count.min(candidates.len()));
        let mut is_new = |index: usize| {
            let hash = candidates[index].hash.as_ref().first();
            hash.map_or(true, |&hash| known_hashes.insert(hash))
        };
        let (len, scores) = (candidates.len(), |index: usize| candidates[index].scores);
        let chosen = self
            .selector
            .select_best(len, scores, count, shares, &mut is_new);
        // A quota considers only some of the candidates. If too many of them are duplicates, places stay
        // empty, although distinct candidates may remain. In that case, the search is not complete.
        self.result.is_complete &=
            chosen.len() == candidates.len() || !(0..candidates.len()).any(is_new);
        chosen.iter().map(|&index| candidates[index]).collect()
    }

    /// Builds and evaluates the chosen candidates, until the layer's time is up.
    fn build(&mut self, layer: usize, chosen: &Arc<Vec<Candidate<G, Q>>>) {
        self.built.states.clear();
        self.built.scores.clear();
        self.built.origins.clear();
        // Build in pieces, so that a layer that takes too long ends with the states built so far.
        for start in (0..chosen.len()).step_by(CHILDREN_PER_CHECK) {
            if self.is_late() && !self.built.states.is_empty() {
                self.result.is_complete = false;
                break;
            }
            let Self {
                game,
                layers,
                built,
                ..
            } = self;
            let range = start..chosen.len().min(start + CHILDREN_PER_CHECK);
            let count_before = built.states.len();
            self.executor
                .build(game, layer, layers, chosen, range, built);
            self.result.costs.nodes += (built.states.len() - count_before) as u64;
        }
    }

    /// Selects the survivors of a layer from the states that were built.
    fn select(&mut self, layer: usize, width: usize, shares: [f64; Q]) -> Vec<G::State> {
        let BuiltStates {
            states,
            scores,
            origins,
            ..
        } = &self.built;
        let (game, layers) = (&*self.game, &mut self.layers);
        let max_siblings = self.controller.settings.max_children_per_parent(width);
        let chosen = self.selector.select_best(
            states.len(),
            |index| scores[index],
            width,
            shares,
            &mut |index| layers.count_considered(&origins[index]) <= max_siblings,
        );
        self.result.is_complete &= chosen.len() == states.len();
        let mut survivors = mem::take(&mut layers.spare_survivors);
        self.survivor_scores.clear();
        for &index in chosen {
            let (state, origin) = (&states[index], &origins[index]);
            self.path_arena
                .push((layers.parent_path_index(origin), origin.mv));
            let path_index = self.path_arena.len() as u32 - 1;
            let score = game.score(state);
            // On a tie, the later layer wins, so that the game continues as long as possible.
            if (score, layer) > (self.best.0, self.best.1) {
                self.best = (score, layer, path_index);
            }
            survivors.push(*state);
            self.survivor_scores.push(scores[index]);
        }
        survivors
    }

    /// Checks the meter. Returns true if the current layer must end.
    fn is_late(&mut self) -> bool {
        self.count_work();
        self.controller.is_late(&self.result.costs)
    }

    /// Updates [`Costs::game_work`].
    fn count_work(&mut self) {
        self.result.costs.game_work = self.game.work() - self.initial_work;
    }

    fn finish(mut self) -> SearchResult<G::Move> {
        self.count_work();
        let (score, _, path_index) = self.best;
        self.result.score = score;
        self.result.path = self.path_to(path_index);
        self.result
    }

    /// Returns the moves that lead to the state with path index `path_index`.
    fn path_to(&self, mut path_index: u32) -> Vec<G::Move> {
        let mut path = Vec::new();
        while path_index != ROOT_PATH {
            let (previous, mv) = self.path_arena[path_index as usize];
            path.push(mv);
            path_index = previous;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::beam::threads::search_on_threads;

    /// A game that appends digits to a number. The score of a state is its number. A digit that
    /// makes the number divisible by 7 is not allowed. Another move appends two zeros and skips a
    /// layer. Only odd digits have a memo.
    #[derive(Clone)]
    pub(in crate::beam) struct DigitsGame;

    impl Game<2> for DigitsGame {
        type State = (u64, u32);
        type Move = u8;
        type ListedHash = [u64; 0];
        type Memo = u8;

        fn expand(
            &mut self,
            _: usize,
            &(number, _): &Self::State,
            _: Scores<2>,
            children: &mut Children<u8, [u64; 0], 2, u8>,
        ) {
            for digit in 0..10 {
                let next = number * 10 + u64::from(digit);
                if next % 7 != 0 {
                    let scores = Scores {
                        value: (next % 1000) as i32,
                        quota_scores: [-i32::from(digit); 2],
                    };
                    if digit % 2 == 1 {
                        children.push_with_memo(1, digit, scores, [], digit);
                    } else {
                        children.push(1, digit, scores, []);
                    }
                }
            }
            let none = Scores {
                value: 0,
                quota_scores: [0; 2],
            };
            children.push(2, 10, none, []);
        }

        fn build(&mut self, _: usize, mv: u8, memo: Option<&u8>, state: &mut Self::State) {
            assert_eq!(memo.copied(), Some(mv).filter(|digit| digit % 2 == 1));
            let (number, moves) = *state;
            *state = match mv {
                10 => (number * 100, moves + 1),
                _ => (number * 10 + u64::from(mv), moves + 1),
            };
        }

        fn hash(&self, state: &Self::State) -> u64 {
            state.0 + 1
        }

        fn evaluate(&mut self, _: usize, states: &mut [Self::State], scores: &mut Vec<Scores<2>>) {
            scores.extend(states.iter().map(|state| Scores {
                value: state.0 as i32,
                quota_scores: [-((state.0 % 10) as i32); 2],
            }));
        }

        fn score(&self, state: &Self::State) -> i64 {
            state.0 as i64
        }

        fn quota_shares(&self, _: usize) -> [f64; 2] {
            [0.0; 2]
        }
    }

    fn play(settings: &Settings, budget: Budget, meter: Meter) -> SearchResult<u8> {
        search(&mut DigitsGame, (0, 0), 6, settings, budget, meter, &mut ())
    }

    #[test]
    fn a_wide_beam_finds_the_largest_number() {
        // No prefix may be divisible by 7. The prefixes 9, 99, 999, 9999 and 99999 are allowed, but
        // 999999 is not.
        let result = play(&Settings::default(), Budget::Width(5000), &|_| 0.0);
        assert_eq!(result.score, 999_998);
        assert_eq!(result.path, [9, 9, 9, 9, 9, 8]);
        assert_eq!(result.depth, 6);
    }

    #[test]
    fn several_threads_find_what_one_thread_finds() {
        for budget in [
            Budget::Width(50),
            Budget::Nodes(700),
            Budget::Deadline(150.5),
        ] {
            let play = |threads| {
                let checks = std::cell::Cell::new(0.0);
                let clock = |_: &Costs| {
                    checks.set(checks.get() + 1.0);
                    checks.get()
                };
                let settings = Settings::default().with_threads(threads);
                search_on_threads(
                    &mut DigitsGame,
                    (0, 0),
                    9,
                    &settings,
                    budget,
                    &clock,
                    &mut (),
                )
            };
            let single_threaded = play(1);
            assert!(single_threaded.costs.nodes > 100);
            for threads in [2, 3, 8] {
                assert_eq!(
                    play(threads),
                    single_threaded,
                    "{threads} threads, {budget:?}"
                );
            }
        }
    }

    #[test]
    fn a_search_that_drops_a_move_beyond_the_last_layer_is_not_complete() {
        // From layer 1, the move that skips a layer leads to layer 3, beyond the last.
        let play = |last_layer| {
            let (settings, width) = (Settings::default(), Budget::Width(1_000_000));
            search(
                &mut DigitsGame,
                (0, 0),
                last_layer,
                &settings,
                width,
                &|_| 0.0,
                &mut (),
            )
        };
        assert!(!play(2).is_complete);
        assert!(play(0).is_complete);
    }

    #[test]
    fn the_frontier_is_the_last_layer_with_its_paths() {
        let settings = Settings::default();
        let budget = Budget::Width(20);
        let (result, survivors) =
            search_frontier(&mut DigitsGame, (0, 0), 3, &settings, budget, &|_| 0.0);
        assert_eq!(survivors.len(), 20);
        assert_eq!(result.depth, 3);
        for ReachedState { state, path } in &survivors {
            let digits = path.iter().fold(0, |number, &digit| match digit {
                10 => number * 100,
                _ => number * 10 + u64::from(digit),
            });
            assert_eq!(digits, state.0, "{path:?}");
        }
        assert_eq!(survivors[0].path, result.path);
        // If the time is up before the last layer, there are no survivors.
        let none = search_frontier(
            &mut DigitsGame,
            (0, 0),
            6,
            &settings,
            Budget::Deadline(-1.0),
            &|_| 0.0,
        );
        assert!(none.1.is_empty());
    }

    #[test]
    fn whatever_the_last_layers_cost_the_budget_lasts_to_the_end() {
        let settings = Settings::default().with_cheap_layer_share(0.9);
        let result = play(&settings, Budget::Nodes(500), &|_| 0.0);
        assert!(result.costs.nodes <= 500 && result.depth == 6, "{result:?}");
    }

    #[test]
    fn the_better_of_two_results_wins_and_the_costs_add_up() {
        let wide = play(&Settings::default(), Budget::Width(5000), &|_| 0.0);
        let mut narrow = play(&Settings::default(), Budget::Width(1), &|_| 0.0);
        narrow.score = wide.score - 1;
        narrow.path.pop();
        for both in [
            narrow.clone().combine_with(wide.clone()),
            wide.clone().combine_with(narrow.clone()),
        ] {
            assert_eq!((both.score, &both.path), (wide.score, &wide.path));
            assert_eq!(both.costs, narrow.costs + wide.costs);
            assert_eq!(
                both.layers_searched,
                narrow.layers_searched + wide.layers_searched
            );
        }
    }

    #[test]
    fn a_layer_that_takes_too_long_ends_with_the_states_built_so_far() {
        // The clock jumps past the deadline after `allowed` checks, and the search stops there.
        let built = |allowed: usize| {
            let checks = std::cell::Cell::new(0);
            let clock = |_: &Costs| {
                checks.set(checks.get() + 1);
                if checks.get() > allowed { 1e3 } else { 1e-3 }
            };
            let result = play(&Settings::default(), Budget::Deadline(9.5), &clock);
            assert_eq!(result.path.is_empty(), result.depth == 0);
            result.costs.nodes
        };
        let mut nodes: Vec<u64> = (1..400).step_by(5).map(built).collect();
        assert!(nodes.is_sorted(), "{nodes:?}");
        nodes.dedup();
        // There are only six layers, so this many different counts show that the search also stops
        // within a layer.
        assert!(nodes.len() > 20, "{nodes:?}");
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let set: [fn(Settings) -> Settings; 8] = [
            |settings| settings.with_max_width(0),
            |settings| settings.with_max_children_per_parent(0),
            |settings| settings.with_threads(0),
            |settings| settings.with_built_per_place(0.9),
            |settings| settings.with_built_per_place(f64::NAN),
            |settings| settings.with_built_per_place(f64::INFINITY),
            |settings| settings.with_cheap_layer_share(-0.1),
            |settings| settings.with_cheap_layer_share(1.1),
        ];
        for (number, set) in set.into_iter().enumerate() {
            let refused = std::panic::catch_unwind(|| set(Settings::default()));
            assert!(refused.is_err(), "setting {number}");
        }
    }

    #[test]
    fn children_of_one_parent_are_limited() {
        // Only one child of each parent may survive in a layer, so the beam stays narrow.
        let settings = Settings::default().with_max_children_per_parent(1);
        let result = play(&settings, Budget::Width(63), &|_| 0.0);
        assert!(result.survivors <= 6 * 2);
        for (width, max_children) in [(1, 1), (63, 1), (64, 2), (127, 2), (128, 3), (2048, 7)] {
            assert_eq!(
                settings.max_children_per_parent(width),
                max_children,
                "{width}"
            );
        }
        assert_eq!(
            Settings::default().max_children_per_parent(2048),
            usize::MAX
        );
    }

    /// A game that records the threshold of each layer's first state. Layer 2 has only the second quota.
    #[derive(Clone)]
    struct SelectiveGame(Arc<std::sync::Mutex<Vec<Scores<2>>>>);

    impl Game<2> for SelectiveGame {
        type State = (u64, u32);
        type Move = u8;
        type ListedHash = [u64; 0];
        type Memo = u8;

        const IS_SELECTIVE: bool = true;

        fn expand(
            &mut self,
            layer: usize,
            state: &Self::State,
            threshold: Scores<2>,
            children: &mut Children<u8, [u64; 0], 2, u8>,
        ) {
            let mut thresholds = self.0.lock().unwrap();
            if thresholds.len() == layer {
                thresholds.push(threshold);
            }
            let scores = Scores {
                value: state.0 as i32,
                quota_scores: [-1; 2],
            };
            children.push(1, 1, scores, []);
        }

        fn build(&mut self, layer: usize, mv: u8, _: Option<&u8>, state: &mut Self::State) {
            DigitsGame.build(layer, mv, Some(&mv), state);
        }

        fn hash(&self, state: &Self::State) -> u64 {
            DigitsGame.hash(state)
        }

        fn evaluate(
            &mut self,
            layer: usize,
            states: &mut [Self::State],
            scores: &mut Vec<Scores<2>>,
        ) {
            DigitsGame.evaluate(layer, states, scores);
        }

        fn score(&self, state: &Self::State) -> i64 {
            DigitsGame.score(state)
        }

        fn quota_shares(&self, layer: usize) -> [f64; 2] {
            [if layer == 2 { 0.0 } else { 0.2 }, 0.2]
        }
    }

    #[test]
    fn no_child_can_beat_the_threshold_of_a_quota_that_the_next_layer_does_not_have() {
        let mut game = SelectiveGame(Arc::default());
        let (settings, width) = (Settings::default(), Budget::Width(5));
        search(&mut game, (1, 0), 3, &settings, width, &|_| 0.0, &mut ());
        let thresholds = game.0.lock().unwrap();
        let beaten = thresholds
            .iter()
            .map(|scores| scores.quota_scores.map(|score| score < i32::MAX));
        let expected = [[true, true], [false, true], [true, true]];
        assert_eq!(beaten.collect::<Vec<_>>(), expected);
    }

    /// [`DigitsGame`], but each method first calls a hook with the method's name and a layer. The methods
    /// `hash` and `score`, which receive no layer, pass the number of moves instead.
    #[derive(Clone)]
    pub(crate) struct HookedGame<'a>(pub(crate) &'a (dyn Fn(&str, usize) + Sync));

    impl Game<2> for HookedGame<'_> {
        type State = (u64, u32);
        type Move = u8;
        type ListedHash = [u64; 0];
        type Memo = u8;

        fn expand(
            &mut self,
            layer: usize,
            state: &Self::State,
            threshold: Scores<2>,
            children: &mut Children<u8, [u64; 0], 2, u8>,
        ) {
            (self.0)("expand", layer);
            DigitsGame.expand(layer, state, threshold, children);
        }

        fn build(&mut self, layer: usize, mv: u8, memo: Option<&u8>, state: &mut Self::State) {
            (self.0)("build", layer);
            DigitsGame.build(layer, mv, memo, state);
        }

        fn hash(&self, state: &Self::State) -> u64 {
            (self.0)("hash", state.1 as usize);
            DigitsGame.hash(state)
        }

        fn evaluate(
            &mut self,
            layer: usize,
            states: &mut [Self::State],
            scores: &mut Vec<Scores<2>>,
        ) {
            (self.0)("evaluate", layer);
            DigitsGame.evaluate(layer, states, scores);
        }

        fn score(&self, state: &Self::State) -> i64 {
            (self.0)("score", state.1 as usize);
            DigitsGame.score(state)
        }

        fn quota_shares(&self, layer: usize) -> [f64; 2] {
            (self.0)("quota_shares", layer);
            DigitsGame.quota_shares(layer)
        }
    }

    /// Searches a game whose method `phase` panics in layer 3, on the workers if `on_workers` is true,
    /// otherwise on the leader. If `phase` is `clock`, the clock panics instead. Returns the best result so
    /// far.
    fn play_broken(phase: &str, threads: usize, on_workers: bool) -> SearchResult<u8> {
        let leader = std::thread::current().id();
        let hook = |method: &str, layer| {
            let is_worker = std::thread::current().id() != leader;
            let is_here = method == phase && layer == 3;
            assert!(!is_here || is_worker != on_workers, "a fault of the test");
        };
        let settings = Settings::default().catch_panics().with_threads(threads);
        let checks = std::cell::Cell::new(0);
        let clock = |_: &Costs| {
            checks.set(checks.get() + 1);
            assert!(phase != "clock" || checks.get() < 9, "a fault of the test");
            0.0
        };
        let budget = match phase {
            "clock" => Budget::Deadline(1.0),
            _ => Budget::Width(50),
        };
        let mut game = HookedGame(&hook);
        search_on_threads(&mut game, (0, 0), 6, &settings, budget, &clock, &mut ())
    }

    #[test]
    fn a_panic_in_any_phase_leaves_the_best_result_of_a_search_that_catches_panics() {
        let phases = [
            "expand",
            "build",
            "hash",
            "evaluate",
            "score",
            "quota_shares",
            "clock",
        ];
        for phase in phases {
            for threads in [1, 2, 8] {
                let result = play_broken(phase, threads, false);
                // With several threads, workers may compute all blocks of the layer. Then the leader does
                // not panic.
                let is_complete = threads > 1 && result.depth == 6;
                assert!(
                    result.panicked != is_complete,
                    "{phase} {threads} {result:?}"
                );
                let number = result.path.iter().fold(0, |number, &digit| match digit {
                    10 => number * 100,
                    _ => number * 10 + i64::from(digit),
                });
                assert_eq!(number, result.score, "{phase} {threads} {result:?}");
                assert!(result.path.len() > 1, "{phase} {threads} {result:?}");
            }
        }
    }

    #[test]
    fn the_leader_of_a_search_that_catches_panics_computes_what_a_worker_lost() {
        let undisturbed = play(&Settings::default(), Budget::Width(50), &|_| 0.0);
        for phase in ["expand", "build", "hash", "evaluate"] {
            for threads in [2, 8] {
                assert_eq!(
                    play_broken(phase, threads, true),
                    undisturbed,
                    "{phase} {threads}"
                );
            }
        }
    }

    #[test]
    #[should_panic(expected = "a fault of the test")]
    fn a_panic_continues_unless_the_search_catches_it() {
        let mut game = HookedGame(&|method, _| assert!(method != "build", "a fault of the test"));
        let (settings, width) = (Settings::default(), Budget::Width(5));
        search(&mut game, (0, 0), 6, &settings, width, &|_| 0.0, &mut ());
    }
}
