//! Runs a beam search, layer by layer.

use super::admission::AdmissionThreshold;
use super::game::{Children, Game, ListedHash, Observer, Survivor};
use super::hashes::Hashes;
use super::layers::{CandidateOf, Layers, ListedChildOf};
#[cfg(feature = "threads")]
use super::lookahead::{Lookahead, with_lookahead};
use super::selector::{Scores, Selector};
use super::width::{Budget, Clock, Settings, WidthController};
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
    /// The number of states built and evaluated, including the root.
    pub nodes: u64,
    /// The number of children listed in all layers, whether or not they were built.
    pub candidates: u64,
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
            nodes: better.nodes + worse.nodes,
            candidates: better.candidates + worse.candidates,
            survivors: better.survivors + worse.survivors,
            layers_searched: better.layers_searched + worse.layers_searched,
            panicked: better.panicked || worse.panicked,
            ..better
        }
    }
}

/// Searches from `root`, which is layer 0, to layer `last`. The result does not depend on the number of
/// threads, unless the budget is a time on a real clock.
///
/// # Panics
/// If the game panics, unless the settings [catch panics](Settings::catch_panics).
pub fn search<G: Game<Q>, const Q: usize>(
    game: &mut G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
    observer: &mut dyn Observer<G, Q>,
) -> SearchResult<G::Move> {
    #[cfg(feature = "threads")]
    if settings.threads > 1 {
        let copy = game.clone();
        let mut result = None;
        // If only a worker panics, the search itself computes the missing answers.
        panics(settings.catch_panics, || {
            with_lookahead(&copy, settings.threads, |lookahead| {
                let mut beam = Beam::new(game, last, settings, budget, clock, observer);
                beam.lookahead = Some(lookahead);
                result = Some(beam.run(root, last));
            });
        });
        return result.expect("a result");
    }
    let beam = Beam::new(game, last, settings, budget, clock, observer);
    beam.run(root, last)
}

/// Calls `work`, and returns true if it panicked. Without `catch_panics`, the panic continues.
fn panics(catch_panics: bool, work: impl FnOnce()) -> bool {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Err(message) if !catch_panics => panic::resume_unwind(message),
        result => result.is_err(),
    }
}

/// A state and the path to it.
#[derive(Debug, Clone)]
pub struct ReachedState<S, M> {
    /// The state itself, a [`Game::State`].
    pub state: S,
    /// The moves that lead from the root to the state, in order.
    pub path: Vec<M>,
}

/// Like [`search`], but on one thread, without an observer, and without catching panics. Also returns the
/// survivors of layer `last`: those selected by value, best first, then those of the quotas. There are none
/// if the search ends before layer `last`.
pub fn search_frontier<S: Copy, M: Copy, G: Game<Q, State = S, Move = M>, const Q: usize>(
    game: &mut G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
) -> (SearchResult<M>, Vec<ReachedState<S, M>>) {
    let mut observer = ();
    let mut beam = Beam::new(game, last, settings, budget, clock, &mut observer);
    let survivors = beam.walk(root, last);
    let reached = survivors.iter().map(|survivor| ReachedState {
        state: survivor.state,
        path: beam.path_to(survivor.path_index),
    });
    let reached = reached.collect();
    (beam.finish(), reached)
}

/// The path index of the root, which is not in the path arena.
const ROOT_PATH: u32 = u32::MAX;
/// The number of parents that are expanded between two clock checks.
const PARENTS_PER_CHECK: usize = 64;
/// The number of children that are built and evaluated between two clock checks. In the Columns Game, they
/// take less than a millisecond.
const CHILDREN_PER_CHECK: usize = 256;

/// A search in progress.
struct Beam<'a, G: Game<Q>, const Q: usize> {
    game: &'a mut G,
    /// The answers of a team of threads, or `None` if there is only one thread.
    #[cfg(feature = "threads")]
    lookahead: Option<Lookahead<'a, G, Q>>,
    observer: &'a mut dyn Observer<G, Q>,
    controller: WidthController<'a>,
    layers: Layers<G::State, ListedChildOf<G, Q>>,
    /// The path arena: for each survivor, the path index of its parent, and the move from there.
    path_arena: Vec<(u32, G::Move)>,
    /// The highest score so far, with the layer and the path index of its state.
    best: (i64, usize, u32),
    result: SearchResult<G::Move>,
    // Buffers, reused from layer to layer.
    children: Children<G::Move, G::ListedHash, Q>,
    pending: Vec<G::Child>,
    built: Vec<G::State>,
    origins: Vec<CandidateOf<G, Q>>,
    scores: Vec<Scores<Q>>,
    selector: Selector,
    known: Hashes,
}

impl<'a, G: Game<Q>, const Q: usize> Beam<'a, G, Q> {
    fn new(
        game: &'a mut G,
        last: usize,
        settings: &'a Settings,
        budget: Budget,
        clock: Clock<'a>,
        observer: &'a mut dyn Observer<G, Q>,
    ) -> Self {
        Self {
            game,
            #[cfg(feature = "threads")]
            lookahead: None,
            observer,
            controller: WidthController::new(budget, clock, settings, last),
            layers: Layers::new(),
            path_arena: Vec::new(),
            best: (0, 0, ROOT_PATH),
            result: SearchResult {
                path: Vec::new(),
                score: 0,
                depth: 0,
                nodes: 1,
                candidates: 0,
                survivors: 0,
                is_complete: true,
                layers_searched: 0,
                panicked: false,
            },
            children: Children::default(),
            pending: Vec::new(),
            built: Vec::new(),
            origins: Vec::new(),
            scores: Vec::new(),
            selector: Selector::default(),
            known: Hashes::default(),
        }
    }

    /// Searches to layer `last`, and returns the result. Catches panics if the settings say so.
    fn run(mut self, root: G::Child, last: usize) -> SearchResult<G::Move> {
        let catch_panics = self.controller.settings.catch_panics;
        self.result.panicked = panics(catch_panics, || {
            self.walk(root, last);
        });
        self.finish()
    }

    /// Searches layer by layer. Returns the survivors of layer `last`.
    fn walk(&mut self, root: G::Child, last: usize) -> Arc<Vec<Survivor<G::State>>> {
        self.game.evaluate(0, &[root], &mut self.built);
        self.observer.on_built(self.game, 1);
        self.observer.on_evaluated(self.game, 0, &self.built);
        self.best.0 = self.game.score(&self.built[0]);
        let mut survivors = Arc::new(vec![Survivor {
            state: self.built[0],
            path_index: ROOT_PATH,
        }]);
        for layer in 0..=last {
            if layer > 0 {
                let Some(width) = self.controller.next_width(layer, self.result.nodes) else {
                    self.result.is_complete = false;
                    break;
                };
                survivors = Arc::new(self.next_layer(layer, width));
                self.controller.record_survivors(survivors.len());
            }
            if !survivors.is_empty() {
                self.result.depth = layer;
                self.result.layers_searched = layer;
                self.observer.on_survived(self.game, layer, &survivors);
            }
            if layer == last {
                break;
            }
            let reach = self.expand(layer, &survivors);
            let parents = std::mem::take(&mut survivors);
            self.layers.push_survivors(layer, parents, reach);
            if self.layers.is_empty() {
                break;
            }
        }
        survivors
    }

    /// Lists the children of a layer's survivors. Returns the largest number of layers that one of the moves
    /// advances.
    fn expand(&mut self, layer: usize, survivors: &Arc<Vec<Survivor<G::State>>>) -> usize {
        let mut admission = G::IS_SELECTIVE.then(|| {
            let places = self.controller.candidates_to_list();
            let shares = self.game.quota_shares(layer + 1);
            let scores = survivors
                .iter()
                .map(|parent| self.game.scores(&parent.state));
            AdmissionThreshold::new(places, shares, scores)
        });
        let mut threshold = Scores::MIN;
        if let Some(admission) = &admission {
            threshold = admission.threshold();
        }
        #[cfg(feature = "threads")]
        if let Some(lookahead) = &mut self.lookahead {
            lookahead.threshold.set(threshold);
            lookahead.offer(layer, vec![survivors.clone()], None);
        }
        let mut reach = 0;
        for (check, parents) in survivors.chunks(PARENTS_PER_CHECK).enumerate() {
            if check > 0 && self.controller.is_late() {
                self.result.is_complete = false;
                break;
            }
            let listed_before = self.result.candidates;
            for (parent, survivor) in (check * PARENTS_PER_CHECK..).zip(parents) {
                self.list(layer, &survivor.state, threshold);
                self.game.add_work(self.children.take_trial_work());
                if let Some(admission) = &mut admission {
                    for child in &self.children.listed {
                        admission.add(&child.scores);
                    }
                    threshold = admission.threshold();
                }
                self.result.candidates += self.children.listed.len() as u64;
                for child in self.children.listed.drain(..) {
                    let advance = child.advance as usize;
                    reach = reach.max(advance);
                    self.layers.push_candidate(layer, parent, advance, child);
                }
            }
            let listed = self.result.candidates - listed_before;
            self.observer.on_expanded(self.game, parents.len(), listed);
        }
        reach
    }

    /// Lists those children of the next survivor of a layer that beat the threshold.
    fn list(&mut self, layer: usize, state: &G::State, threshold: Scores<Q>) {
        let Self { game, children, .. } = self;
        #[cfg(feature = "threads")]
        if let Some(lookahead) = &mut self.lookahead {
            return lookahead.take_list(threshold, *game, children);
        }
        game.expand(layer, state, threshold, children);
    }

    /// Builds and evaluates the best candidates of a layer. Returns its survivors: those selected by value,
    /// best first, then those of the quotas.
    fn next_layer(&mut self, layer: usize, width: usize) -> Vec<Survivor<G::State>> {
        let candidates = self.layers.pop_candidates();
        let shares = self.game.quota_shares(layer);
        let chosen = Arc::new(self.choose(layer, width, shares, &candidates));
        self.layers.recycle_candidates(candidates);
        self.build(layer, &chosen);
        if !self.built.is_empty() {
            self.observer.on_evaluated(self.game, layer, &self.built);
        }
        self.result.nodes += self.built.len() as u64;
        let survivors = self.select(layer, width, shares);
        self.result.survivors += survivors.len() as u64;
        survivors
    }

    /// Chooses the candidates to build for a layer of `width` states: most by value, best first, then
    /// those of the quotas. Of candidates with the same known hash, chooses only the first.
    fn choose(
        &mut self,
        layer: usize,
        width: usize,
        shares: [f64; Q],
        candidates: &[CandidateOf<G, Q>],
    ) -> Vec<CandidateOf<G, Q>> {
        let Self { known, scores, .. } = self;
        scores.clear();
        scores.extend(candidates.iter().map(|candidate| candidate.child.scores));
        let count = self
            .controller
            .states_to_build(layer, width, self.result.nodes);
        known.reset(count.min(candidates.len()));
        let mut is_new = |index: usize| {
            candidates[index]
                .child
                .hash
                .get()
                .map_or(true, |hash| known.insert(hash))
        };
        let chosen = self
            .selector
            .select_best(scores, count, shares, &mut is_new);
        // A quota considers only some of the candidates. These may all be duplicates, while distinct
        // candidates remain.
        self.result.is_complete &=
            chosen.len() == candidates.len() || !(0..candidates.len()).any(is_new);
        chosen.iter().map(|&index| candidates[index]).collect()
    }

    /// Builds and evaluates the chosen candidates, until the time of the layer is up.
    fn build(&mut self, layer: usize, chosen: &Arc<Vec<CandidateOf<G, Q>>>) {
        self.built.clear();
        self.origins.clear();
        #[cfg(feature = "threads")]
        if let Some(lookahead) = &mut self.lookahead {
            lookahead.offer(layer, self.layers.recent_survivors(), Some(chosen.clone()));
        }
        // Build in pieces, so that a layer that takes too long ends with the states built so far.
        for piece in chosen.chunks(CHILDREN_PER_CHECK) {
            if self.controller.is_late() && !self.built.is_empty() {
                self.result.is_complete = false;
                break;
            }
            let before = self.built.len();
            self.build_piece(layer, piece);
            let evaluated = self.built.len() - before;
            self.observer.on_built(self.game, evaluated);
        }
    }

    /// Builds and evaluates `piece`, the next part of the chosen candidates. Drops duplicates.
    fn build_piece(&mut self, layer: usize, piece: &[CandidateOf<G, Q>]) {
        let Self {
            game,
            layers,
            built,
            origins,
            known,
            pending,
            ..
        } = self;
        #[cfg(feature = "threads")]
        if let Some(lookahead) = &mut self.lookahead {
            for candidate in piece {
                let (answer, state) = lookahead.take_child();
                game.add_work(answer.work);
                if candidate.child.hash.get().is_some() || known.insert(answer.hash) {
                    game.add_work(answer.evaluation_work);
                    built.push(*state);
                    origins.push(*candidate);
                }
            }
            return;
        }
        pending.clear();
        for candidate in piece {
            let parent = &layers.parent(candidate).state;
            let child = game.build(candidate.parent_layer as usize, parent, candidate.child.mv);
            if candidate.child.hash.get().is_some() || known.insert(game.hash(&child)) {
                pending.push(child);
                origins.push(*candidate);
            }
        }
        game.evaluate(layer, pending, built);
    }

    /// Selects the survivors of a layer from the states that were built.
    fn select(&mut self, layer: usize, width: usize, shares: [f64; Q]) -> Vec<Survivor<G::State>> {
        let Self {
            game,
            layers,
            built,
            origins,
            scores,
            ..
        } = self;
        scores.clear();
        scores.extend(built.iter().map(|state| game.scores(state)));
        let max_siblings = self.controller.settings.max_children_per_parent(width);
        let chosen = self
            .selector
            .select_best(scores, width, shares, &mut |index| {
                layers.count_considered(&origins[index]) <= max_siblings
            });
        self.result.is_complete &= chosen.len() == built.len();
        let mut survivors = layers.survivor_buffer();
        for &index in chosen {
            let (state, origin) = (built[index], &origins[index]);
            let parent = layers.parent(origin);
            self.path_arena.push((parent.path_index, origin.child.mv));
            let path_index = self.path_arena.len() as u32 - 1;
            let score = game.score(&state);
            // On a tie, the later layer wins, so that the game continues as long as possible.
            if (score, layer) > (self.best.0, self.best.1) {
                self.best = (score, layer, path_index);
            }
            survivors.push(Survivor { state, path_index });
        }
        survivors
    }

    fn finish(mut self) -> SearchResult<G::Move> {
        let (score, _, at) = self.best;
        self.result.score = score;
        self.result.path = self.path_to(at);
        self.result
    }

    /// Returns the moves that lead to the state with path index `at`.
    fn path_to(&self, mut at: u32) -> Vec<G::Move> {
        let mut path = Vec::new();
        while at != ROOT_PATH {
            let (previous, mv) = self.path_arena[at as usize];
            path.push(mv);
            at = previous;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that appends digits to a number. The score of a state is its number. A digit that
    /// makes the number divisible by 7 is not allowed. A move may also skip a layer, which appends
    /// two zeros.
    #[derive(Clone)]
    struct Digits;

    impl Game<2> for Digits {
        type State = (u64, u32);
        type Child = Self::State;
        type Move = u8;
        type ListedHash = ();

        fn expand(
            &mut self,
            _: usize,
            &(number, _): &Self::State,
            _: Scores<2>,
            children: &mut Children<u8, (), 2>,
        ) {
            for digit in 0..10 {
                let next = number * 10 + u64::from(digit);
                if next % 7 != 0 {
                    let scores = Scores {
                        value: (next % 1000) as i32,
                        quota_scores: [-i32::from(digit); 2],
                    };
                    children.push(1, digit, scores, ());
                }
            }
            let none = Scores {
                value: 0,
                quota_scores: [0; 2],
            };
            children.push(2, 10, none, ());
        }

        fn build(&mut self, _: usize, &(number, moves): &Self::State, mv: u8) -> Self::State {
            match mv {
                10 => (number * 100, moves + 1),
                _ => (number * 10 + u64::from(mv), moves + 1),
            }
        }

        fn hash(&self, state: &Self::State) -> u64 {
            state.0 + 1
        }

        fn evaluate(&mut self, _: usize, children: &[Self::State], states: &mut Vec<Self::State>) {
            states.extend_from_slice(children);
        }

        fn scores(&self, state: &Self::State) -> Scores<2> {
            Scores {
                value: state.0 as i32,
                quota_scores: [-((state.0 % 10) as i32); 2],
            }
        }

        fn score(&self, state: &Self::State) -> i64 {
            state.0 as i64
        }

        fn quota_shares(&self, _: usize) -> [f64; 2] {
            [0.0; 2]
        }
    }

    fn play(settings: &Settings, budget: Budget, clock: Clock) -> SearchResult<u8> {
        search(&mut Digits, (0, 0), 6, settings, budget, clock, &mut ())
    }

    #[test]
    fn a_wide_beam_finds_the_largest_number() {
        // No prefix may be divisible by 7. The prefixes 9, 99, 999, 9999 and 99999 are allowed, but
        // 999999 is not.
        let found = play(&Settings::default(), Budget::Width(5000), &|| 0.0);
        assert_eq!(found.score, 999_998);
        assert_eq!(found.path, [9, 9, 9, 9, 9, 8]);
        assert_eq!(found.depth, 6);
    }

    #[test]
    fn the_frontier_is_the_last_layer_with_its_paths() {
        let settings = Settings::default();
        let budget = Budget::Width(20);
        let (found, survivors) =
            search_frontier(&mut Digits, (0, 0), 3, &settings, budget, &|| 0.0);
        assert_eq!(survivors.len(), 20);
        assert_eq!(found.depth, 3);
        for ReachedState { state, path } in &survivors {
            let digits = path.iter().fold(0, |number, &digit| match digit {
                10 => number * 100,
                _ => number * 10 + u64::from(digit),
            });
            assert_eq!(digits, state.0, "{path:?}");
        }
        assert_eq!(survivors[0].path, found.path);
        // If the time is up before the last layer, there are no survivors.
        let none = search_frontier(
            &mut Digits,
            (0, 0),
            6,
            &settings,
            Budget::Deadline(-1.0),
            &|| 0.0,
        );
        assert!(none.1.is_empty());
    }

    #[test]
    fn the_budget_of_nodes_is_kept() {
        for limit in [50, 500, 5000] {
            let found = play(&Settings::default(), Budget::Nodes(limit), &|| 0.0);
            assert!(found.nodes <= limit, "{} of {limit}", found.nodes);
        }
    }

    #[test]
    fn whatever_the_last_layers_cost_the_budget_lasts_to_the_end() {
        let settings = Settings::default().with_cheap_layer_share(0.9);
        let found = play(&settings, Budget::Nodes(500), &|| 0.0);
        assert!(found.nodes <= 500 && found.depth == 6, "{found:?}");
    }

    #[test]
    fn the_better_of_two_results_wins_and_the_costs_add_up() {
        let wide = play(&Settings::default(), Budget::Width(5000), &|| 0.0);
        let mut narrow = play(&Settings::default(), Budget::Width(1), &|| 0.0);
        narrow.score = wide.score - 1;
        narrow.path.pop();
        for both in [
            narrow.clone().combine_with(wide.clone()),
            wide.clone().combine_with(narrow.clone()),
        ] {
            assert_eq!((both.score, &both.path), (wide.score, &wide.path));
            assert_eq!(both.nodes, narrow.nodes + wide.nodes);
            assert_eq!(
                both.layers_searched,
                narrow.layers_searched + wide.layers_searched
            );
        }
    }

    #[test]
    fn a_search_whose_time_is_up_returns_the_best_so_far() {
        let ticks = std::cell::Cell::new(0.0);
        let clock = || {
            ticks.set(ticks.get() + 1.0);
            ticks.get()
        };
        let found = play(&Settings::default(), Budget::Deadline(9.5), &clock);
        assert!(found.depth < 6 && !found.path.is_empty());
    }

    #[test]
    fn a_layer_that_takes_too_long_ends_with_the_states_built_so_far() {
        // The clock jumps past the end after `allowed` checks, and the search stops there.
        let built = |allowed: usize| {
            let checks = std::cell::Cell::new(0);
            let clock = || {
                checks.set(checks.get() + 1);
                if checks.get() > allowed { 1e3 } else { 1e-3 }
            };
            play(&Settings::default(), Budget::Deadline(9.5), &clock).nodes
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
        let found = play(&settings, Budget::Width(63), &|| 0.0);
        assert!(found.survivors <= 6 * 2);
        for (width, most) in [(1, 1), (63, 1), (64, 2), (127, 2), (128, 3), (2048, 7)] {
            assert_eq!(settings.max_children_per_parent(width), most, "{width}");
        }
        assert_eq!(
            Settings::default().max_children_per_parent(2048),
            usize::MAX
        );
    }

    /// A game that records the threshold of each layer's first state. Layer 2 has only the second quota.
    #[derive(Clone)]
    struct Selective(Arc<std::sync::Mutex<Vec<Scores<2>>>>);

    impl Game<2> for Selective {
        type State = (u64, u32);
        type Child = Self::State;
        type Move = u8;
        type ListedHash = ();

        const IS_SELECTIVE: bool = true;

        fn expand(
            &mut self,
            layer: usize,
            state: &Self::State,
            threshold: Scores<2>,
            children: &mut Children<u8, (), 2>,
        ) {
            let mut thresholds = self.0.lock().unwrap();
            if thresholds.len() == layer {
                thresholds.push(threshold);
            }
            children.push(1, 1, Digits.scores(state), ());
        }

        fn build(&mut self, layer: usize, state: &Self::State, mv: u8) -> Self::State {
            Digits.build(layer, state, mv)
        }

        fn hash(&self, state: &Self::State) -> u64 {
            Digits.hash(state)
        }

        fn evaluate(&mut self, _: usize, children: &[Self::State], states: &mut Vec<Self::State>) {
            states.extend_from_slice(children);
        }

        fn scores(&self, state: &Self::State) -> Scores<2> {
            Digits.scores(state)
        }

        fn score(&self, state: &Self::State) -> i64 {
            Digits.score(state)
        }

        fn quota_shares(&self, layer: usize) -> [f64; 2] {
            [if layer == 2 { 0.0 } else { 0.2 }, 0.2]
        }
    }

    #[test]
    fn no_child_can_beat_the_threshold_of_a_quota_that_the_next_layer_does_not_have() {
        let mut game = Selective(Arc::default());
        let (settings, width) = (Settings::default(), Budget::Width(5));
        search(&mut game, (1, 0), 3, &settings, width, &|| 0.0, &mut ());
        let thresholds = game.0.lock().unwrap();
        let beaten = thresholds
            .iter()
            .map(|scores| scores.quota_scores.map(|score| score < i32::MAX));
        let expected = [[true, true], [false, true], [true, true]];
        assert_eq!(beaten.collect::<Vec<_>>(), expected);
    }

    /// A game that panics in a phase of a layer, on the thread of the search or on its workers.
    #[derive(Clone)]
    struct Broken {
        phase: &'static str,
        /// The layer in which the game panics.
        layer: usize,
        /// The thread of the search.
        leader: std::thread::ThreadId,
        on_workers: bool,
    }

    impl Broken {
        fn check(&self, phase: &str, layer: usize) {
            let is_worker = std::thread::current().id() != self.leader;
            let is_here = phase == self.phase && layer == self.layer;
            assert!(
                !is_here || is_worker != self.on_workers,
                "a fault of the test"
            );
        }
    }

    impl Game<2> for Broken {
        type State = (u64, u32);
        type Child = Self::State;
        type Move = u8;
        type ListedHash = ();

        fn expand(
            &mut self,
            layer: usize,
            state: &Self::State,
            threshold: Scores<2>,
            children: &mut Children<u8, (), 2>,
        ) {
            self.check("expand", layer);
            Digits.expand(layer, state, threshold, children);
        }

        fn build(&mut self, layer: usize, state: &Self::State, mv: u8) -> Self::State {
            self.check("build", layer);
            Digits.build(layer, state, mv)
        }

        fn hash(&self, state: &Self::State) -> u64 {
            self.check("hash", state.1 as usize);
            Digits.hash(state)
        }

        fn evaluate(
            &mut self,
            layer: usize,
            children: &[Self::State],
            states: &mut Vec<Self::State>,
        ) {
            self.check("evaluate", layer);
            Digits.evaluate(layer, children, states);
        }

        fn scores(&self, state: &Self::State) -> Scores<2> {
            self.check("scores", state.1 as usize);
            Digits.scores(state)
        }

        fn score(&self, state: &Self::State) -> i64 {
            self.check("score", state.1 as usize);
            Digits.score(state)
        }

        fn quota_shares(&self, layer: usize) -> [f64; 2] {
            self.check("quotas", layer);
            Digits.quota_shares(layer)
        }
    }

    /// Searches [`Broken`], which panics in `phase` of layer 3. Returns the best result so far.
    fn play_broken(phase: &'static str, threads: usize, on_workers: bool) -> SearchResult<u8> {
        let settings = Settings::default().catch_panics().with_threads(threads);
        let mut game = Broken {
            phase,
            layer: 3,
            leader: std::thread::current().id(),
            on_workers,
        };
        let checks = std::cell::Cell::new(0);
        let clock = || {
            checks.set(checks.get() + 1);
            assert!(phase != "clock" || checks.get() < 9, "a fault of the test");
            0.0
        };
        let budget = match phase {
            "clock" => Budget::Deadline(1.0),
            _ => Budget::Width(50),
        };
        search(&mut game, (0, 0), 6, &settings, budget, &clock, &mut ())
    }

    #[test]
    fn a_panic_in_any_phase_leaves_the_best_result_of_a_search_that_catches_panics() {
        let phases = [
            "expand", "build", "hash", "evaluate", "scores", "score", "quotas", "clock",
        ];
        for phase in phases {
            for threads in [1, 2, 8] {
                let found = play_broken(phase, threads, false);
                // With several threads, workers may compute all blocks of the layer.
                let is_complete = threads > 1 && found.depth == 6;
                assert!(found.panicked != is_complete, "{phase} {threads} {found:?}");
                let number = found.path.iter().fold(0, |number, &digit| match digit {
                    10 => number * 100,
                    _ => number * 10 + i64::from(digit),
                });
                assert_eq!(number, found.score, "{phase} {threads} {found:?}");
                assert!(found.path.len() > 1, "{phase} {threads} {found:?}");
            }
        }
    }

    #[test]
    fn the_leader_of_a_search_that_catches_panics_computes_what_a_worker_lost() {
        let whole = play(&Settings::default(), Budget::Width(50), &|| 0.0);
        for phase in ["expand", "build", "hash", "evaluate"] {
            for threads in [2, 8] {
                assert_eq!(
                    play_broken(phase, threads, true),
                    whole,
                    "{phase} {threads}"
                );
            }
        }
    }

    #[test]
    #[should_panic(expected = "a fault of the test")]
    fn a_panic_continues_unless_the_search_catches_it() {
        let mut game = Broken {
            phase: "build",
            layer: 2,
            leader: std::thread::current().id(),
            on_workers: false,
        };
        let (settings, width) = (Settings::default(), Budget::Width(5));
        search(&mut game, (0, 0), 6, &settings, width, &|| 0.0, &mut ());
    }
}
