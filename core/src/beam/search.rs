//! The search, layer by layer.

use super::admission::AdmissionThreshold;
use super::game::{Children, Game, Node};
use super::hashes::Hashes;
use super::selector::{Scores, Selector};
use super::width::{Budget, Clock, Settings, WidthController};
use std::collections::VecDeque;

/// A child not built yet.
#[derive(Debug, Clone, Copy)]
struct Candidate<Move> {
    scores: Scores,
    layer: u32,
    parent: u32,
    mv: Move,
}

/// The candidates of one layer.
struct Pool<Move> {
    candidates: Vec<Candidate<Move>>,
    /// Their hashes, if the game tells them.
    hashes: Vec<u64>,
}

impl<Move> Default for Pool<Move> {
    fn default() -> Self {
        Self {
            candidates: Vec::new(),
            hashes: Vec::new(),
        }
    }
}

/// What a search found and spent.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult<Move> {
    /// The moves that lead to the best state.
    pub path: Vec<Move>,
    /// Its [`Game::score`].
    pub score: i64,
    /// The last layer that had a state.
    pub depth: usize,
    /// States built.
    pub nodes: u64,
    /// Children listed.
    pub candidates: u64,
    /// Survivors of all layers.
    pub survivors: u64,
    /// Whether nothing but duplicates was left out of what was listed: the search has seen the
    /// whole game.
    pub complete: bool,
    /// Seconds spent on listing children.
    pub expanding: f64,
    /// Seconds spent on evaluating states.
    pub evaluating: f64,
    /// Layers that had a state; of two searches together, the layers of both.
    pub layers: usize,
}

impl<Move> SearchResult<Move> {
    /// The better of two searches, with what both have spent.
    #[must_use]
    pub fn better_of(self, other: Self) -> Self {
        let (better, worse) = if other.score > self.score {
            (other, self)
        } else {
            (self, other)
        };
        Self {
            nodes: better.nodes + worse.nodes,
            candidates: better.candidates + worse.candidates,
            survivors: better.survivors + worse.survivors,
            expanding: better.expanding + worse.expanding,
            evaluating: better.evaluating + worse.evaluating,
            layers: better.layers + worse.layers,
            ..better
        }
    }
}

/// Searches from `root`, in layer 0, to layer `last`.
pub fn search<D: Game>(
    game: &mut D,
    root: D::State,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
) -> SearchResult<D::Move> {
    walk(game, root, last, settings, budget, clock).0.finish()
}

/// A state and the way to it.
#[derive(Debug, Clone)]
pub struct Reached<State, Move> {
    /// The state.
    pub state: State,
    /// The moves that lead to it.
    pub path: Vec<Move>,
}

/// As [`search`], with the survivors of layer `last`, best first.
pub fn frontier<State: Copy, Move: Copy, D: Game<State = State, Move = Move>>(
    game: &mut D,
    root: State,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
) -> (SearchResult<Move>, Vec<Reached<State, Move>>) {
    let (beam, survivors) = walk(game, root, last, settings, budget, clock);
    let reached = |node: &Node<State>| Reached {
        state: node.state,
        path: beam.path_to(node.path),
    };
    let survivors = survivors.iter().map(reached).collect();
    (beam.finish(), survivors)
}

/// Walks through the layers; returns the survivors of layer `last`.
fn walk<'a, D: Game>(
    game: &mut D,
    root: D::State,
    last: usize,
    settings: &'a Settings,
    budget: Budget,
    clock: Clock<'a>,
) -> (Beam<'a, D>, Vec<Node<D::State>>) {
    let mut beam = Beam {
        clock,
        path: Vec::new(),
        pools: VecDeque::new(),
        history: VecDeque::new(),
        children: Children {
            found: Vec::new(),
            hashes: Vec::new(),
            threshold: Scores::LOWEST,
        },
        empty: Pool::default(),
        built: Vec::new(),
        origins: Vec::new(),
        spare: Vec::new(),
        scores: Vec::new(),
        selector: Selector::default(),
        known: Hashes::default(),
        best: (game.score(&root), 0, ROOT),
        found: SearchResult {
            path: Vec::new(),
            score: 0,
            depth: 0,
            nodes: 1,
            candidates: 0,
            survivors: 0,
            complete: true,
            expanding: 0.0,
            evaluating: 0.0,
            layers: 0,
        },
    };
    let mut controller = WidthController::new(budget, clock, settings, last);
    let mut survivors = vec![Node {
        state: root,
        path: ROOT,
        children_considered: 0,
    }];
    game.evaluate(0, &mut survivors);
    for layer in 0..=last {
        if layer > 0 {
            let Some(width) = controller.width(layer, beam.found.nodes) else {
                beam.found.complete = false;
                break;
            };
            survivors = beam.next_layer(game, layer, width, &mut controller);
            controller.keep_up(survivors.len());
        }
        if !survivors.is_empty() {
            beam.found.depth = layer;
            beam.found.layers = layer;
            game.survivors(layer, &survivors);
        }
        if layer == last {
            break;
        }
        let reach = beam.expand(game, layer, &survivors, &mut controller);
        beam.remember(layer, std::mem::take(&mut survivors), reach);
        if beam.pools.iter().all(|pool| pool.candidates.is_empty()) {
            break;
        }
    }
    (beam, survivors)
}

/// The root's place in the path arena: it is not in it.
const ROOT: u32 = u32::MAX;
/// After so many parents each, a layer that is being expanded looks at the clock.
const LOOK_EVERY: usize = 64;

struct Beam<'a, D: Game> {
    clock: Clock<'a>,
    /// (previous, move) of every survivor.
    path: Vec<(u32, D::Move)>,
    /// Candidates of the layers to come, the next one first.
    pools: VecDeque<Pool<D::Move>>,
    /// Survivors of the layers that candidates may refer to, the latest layer last; with each the
    /// last layer that has a candidate from there.
    history: VecDeque<(Vec<Node<D::State>>, usize)>,
    /// Memory for what is listed and built in a layer, and for its survivors. To ask the system for
    /// it again in each layer would cost time.
    children: Children<D::Move>,
    empty: Pool<D::Move>,
    built: Vec<Node<D::State>>,
    origins: Vec<Candidate<D::Move>>,
    spare: Vec<Node<D::State>>,
    scores: Vec<Scores>,
    selector: Selector,
    known: Hashes,
    /// The highest score so far, its layer, and its place in the path arena.
    best: (i64, usize, u32),
    found: SearchResult<D::Move>,
}

impl<D: Game> Beam<'_, D> {
    /// Lists the children of a layer's survivors, and returns by how many layers
    /// the farthest of them advances.
    fn expand(
        &mut self,
        game: &mut D,
        layer: usize,
        survivors: &[Node<D::State>],
        controller: &mut WidthController,
    ) -> usize {
        let began = (self.clock)();
        let Self {
            pools,
            children,
            empty,
            scores,
            ..
        } = self;
        children.threshold = Scores::LOWEST;
        fill(scores, game, survivors);
        let mut threshold =
            AdmissionThreshold::new(controller.candidates(), game.quotas(layer + 1), scores);
        let mut reach = 0;
        for (parent, node) in survivors.iter().enumerate() {
            if parent % LOOK_EVERY == LOOK_EVERY - 1 && controller.late() {
                self.found.complete = false;
                break;
            }
            game.expand(layer, &node.state, children);
            self.found.candidates += children.found.len() as u64;
            if children.hashes.is_empty() {
                let next = children.found.iter().filter(|child| child.0 == 1);
                next.for_each(|child| threshold.add(&child.2));
                children.threshold = threshold.scores();
                self.found.complete &= threshold.is_open();
            }
            let mut hashes = children.hashes.drain(..);
            for (advance, mv, scores) in children.found.drain(..) {
                reach = reach.max(advance as usize);
                while pools.len() < reach {
                    pools.push_back(std::mem::take(empty));
                }
                let pool = &mut pools[advance as usize - 1];
                pool.candidates.push(Candidate {
                    scores,
                    layer: layer as u32,
                    parent: parent as u32,
                    mv,
                });
                pool.hashes.extend(hashes.next());
            }
        }
        self.found.expanding += (self.clock)() - began;
        reach
    }

    /// Keeps the survivors of a layer as long as candidates refer to them, which
    /// is up to `reach` layers on.
    fn remember(&mut self, layer: usize, survivors: Vec<Node<D::State>>, reach: usize) {
        self.history.push_back((survivors, layer + reach));
        for (survivors, until) in &mut self.history {
            if *until <= layer && !survivors.is_empty() {
                self.spare = std::mem::take(survivors);
            }
        }
        while matches!(self.history.front(), Some(&(_, until)) if until <= layer) {
            self.history.pop_front();
        }
    }

    /// Builds, evaluates and selects the survivors of a layer, best first.
    fn next_layer(
        &mut self,
        game: &mut D,
        layer: usize,
        width: usize,
        controller: &mut WidthController,
    ) -> Vec<Node<D::State>> {
        let settings = controller.settings;
        let Some(mut pool) = self.pools.pop_front() else {
            return Vec::new();
        };
        let oldest = layer - self.history.len();
        let place = |c: &Candidate<D::Move>| (c.layer as usize - oldest, c.parent as usize);

        // The best are built first, so that of two equal states the better path stays.
        let Self {
            history,
            built,
            origins,
            scores,
            selector,
            known,
            ..
        } = self;
        let Pool { candidates, hashes } = &pool;
        scores.clear();
        scores.extend(candidates.iter().map(|c| c.scores));
        let shares = game.quotas(layer);
        let count = (width as f64 * settings.built_per_place).max(1.0) as usize;
        known.clear(count.min(candidates.len()));
        let chosen = selector.best_of(scores, count, shares, |index| {
            hashes.get(index).map_or(true, |&hash| known.insert(hash))
        });
        // Those left out may all have been duplicates. That is not looked into.
        let all = chosen.len() < count || chosen.len() == candidates.len();
        self.found.complete &= all;
        built.clear();
        origins.clear();
        // In pieces, so that a layer that takes too long ends with those built so far.
        for piece in chosen.chunks(controller.piece()) {
            if controller.late() && !built.is_empty() {
                self.found.complete = false;
                break;
            }
            let first = built.len();
            for &index in piece {
                let candidate = candidates[index];
                let (old_layer, parent) = place(&candidate);
                let parent = &history[old_layer].0[parent];
                let state = game.build(candidate.layer as usize, &parent.state, candidate.mv);
                if !hashes.is_empty() || known.insert(game.hash(&state)) {
                    origins.push(candidate);
                    built.push(Node {
                        state,
                        path: parent.path,
                        children_considered: 0,
                    });
                }
            }
            let began = (self.clock)();
            game.evaluate(layer, &mut built[first..]);
            self.found.evaluating += (self.clock)() - began;
        }
        pool.candidates.clear();
        pool.hashes.clear();
        self.empty = pool;
        self.found.nodes += built.len() as u64;

        fill(scores, game, built);
        let most = settings.max_children_per_parent(width);
        let chosen = selector.best_of(scores, width, shares, |index| {
            let (old_layer, parent) = place(&origins[index]);
            let children_considered = &mut history[old_layer].0[parent].children_considered;
            *children_considered += 1;
            *children_considered as usize <= most
        });
        self.found.complete &= chosen.len() == built.len();
        let mut survivors = std::mem::take(&mut self.spare);
        survivors.clear();
        for &index in chosen {
            let mut node = built[index];
            self.path.push((node.path, origins[index].mv));
            node.path = self.path.len() as u32 - 1;
            let score = game.score(&node.state);
            // Of equal scores the later one counts: the game goes on as long as it can.
            if (score, layer) > (self.best.0, self.best.1) {
                self.best = (score, layer, node.path);
            }
            survivors.push(node);
        }
        self.found.survivors += survivors.len() as u64;
        survivors
    }

    fn finish(mut self) -> SearchResult<D::Move> {
        let (score, _, at) = self.best;
        self.found.score = score;
        self.found.path = self.path_to(at);
        self.found
    }

    /// The moves that lead to a place in the path arena.
    fn path_to(&self, mut at: u32) -> Vec<D::Move> {
        let mut path = Vec::new();
        while at != ROOT {
            let (previous, mv) = self.path[at as usize];
            path.push(mv);
            at = previous;
        }
        path.reverse();
        path
    }
}

/// Replaces what `scores` held by the scores of some states.
fn fill<D: Game>(scores: &mut Vec<Scores>, game: &D, states: &[Node<D::State>]) {
    scores.clear();
    scores.extend(states.iter().map(|node| game.scores(&node.state)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam::QUOTAS;

    /// Digits are picked one by one; a state is worth the number they make, but
    /// no state whose number is divisible by 7 may be entered. A move may
    /// also skip a layer at the price of a zero.
    struct Digits;

    impl Game for Digits {
        type State = (u64, u32);
        type Move = u8;

        fn expand(&mut self, _: usize, &(number, _): &Self::State, children: &mut Children<u8>) {
            for digit in 0..10 {
                let next = number * 10 + u64::from(digit);
                if next % 7 != 0 {
                    let scores = Scores {
                        value: (next % 1000) as i32,
                        quotas: [-i32::from(digit); QUOTAS],
                    };
                    children.push(1, digit, scores);
                }
            }
            children.push(2, 10, Scores::default());
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

        fn evaluate(&mut self, _: usize, _: &mut [Node<Self::State>]) {}

        fn scores(&self, state: &Self::State) -> Scores {
            Scores {
                value: state.0 as i32,
                quotas: [-((state.0 % 10) as i32); QUOTAS],
            }
        }

        fn score(&self, state: &Self::State) -> i64 {
            state.0 as i64
        }
    }

    fn play(settings: &Settings, budget: Budget, clock: Clock) -> SearchResult<u8> {
        search(&mut Digits, (0, 0), 6, settings, budget, clock)
    }

    #[test]
    fn a_wide_beam_finds_the_largest_number() {
        // Without a 7 that divides a prefix: 9, 99, 999, 9999, then 99999 would do,
        // but 999999 is divisible.
        let found = play(&Settings::default(), Budget::Width(5000), &|| 0.0);
        assert_eq!(found.score, 999_998);
        assert_eq!(found.path, [9, 9, 9, 9, 9, 8]);
        assert_eq!(found.depth, 6);
    }

    #[test]
    fn the_frontier_is_the_last_layer_with_its_paths() {
        let settings = Settings::default();
        let budget = Budget::Width(20);
        let (found, survivors) = frontier(&mut Digits, (0, 0), 3, &settings, budget, &|| 0.0);
        assert_eq!(survivors.len(), 20);
        assert_eq!(found.depth, 3);
        for Reached { state, path } in &survivors {
            let digits = path.iter().fold(0, |number, &digit| match digit {
                10 => number * 100,
                _ => number * 10 + u64::from(digit),
            });
            assert_eq!(digits, state.0, "{path:?}");
        }
        assert_eq!(survivors[0].path, found.path);
        // Where time is up before the last layer, nothing is there.
        let none = frontier(
            &mut Digits,
            (0, 0),
            6,
            &settings,
            Budget::Until(-1.0),
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
        let settings = Settings {
            cheap_last_layers: 0.9,
            ..Settings::default()
        };
        let found = play(&settings, Budget::Nodes(500), &|| 0.0);
        assert!(found.nodes <= 500 && found.depth == 6, "{found:?}");
    }

    #[test]
    fn the_better_of_two_searches_counts_and_both_have_cost() {
        let wide = play(&Settings::default(), Budget::Width(5000), &|| 0.0);
        let mut narrow = play(&Settings::default(), Budget::Width(1), &|| 0.0);
        narrow.score = wide.score - 1;
        narrow.path.pop();
        for both in [
            narrow.clone().better_of(wide.clone()),
            wide.clone().better_of(narrow.clone()),
        ] {
            assert_eq!((both.score, &both.path), (wide.score, &wide.path));
            assert_eq!(both.nodes, narrow.nodes + wide.nodes);
            assert_eq!(both.layers, narrow.layers + wide.layers);
        }
    }

    #[test]
    fn time_that_is_up_ends_the_search_with_the_best_so_far() {
        let ticks = std::cell::Cell::new(0.0);
        let clock = || {
            ticks.set(ticks.get() + 1.0);
            ticks.get()
        };
        let found = play(&Settings::default(), Budget::Until(9.5), &clock);
        assert!(found.depth < 6 && !found.path.is_empty());
    }

    #[test]
    fn a_layer_that_takes_too_long_ends_with_those_built_so_far() {
        // Wherever the clock leaps to the end, the search stops there.
        let built = |calls: usize| {
            let looks = std::cell::Cell::new(0);
            let clock = || {
                looks.set(looks.get() + 1);
                if looks.get() > calls {
                    1e3
                } else {
                    1e-3
                }
            };
            play(&Settings::default(), Budget::Until(9.5), &clock).nodes
        };
        let mut nodes: Vec<u64> = (1..400).map(built).collect();
        assert!(nodes.is_sorted(), "{nodes:?}");
        nodes.dedup();
        // There are six layers.
        assert!(nodes.len() > 20, "{nodes:?}");
    }

    #[test]
    fn children_of_one_parent_are_limited() {
        // No parent has more than one child in a layer here, so the beam holds few.
        let settings = Settings {
            max_children_per_parent: 1,
            ..Settings::default()
        };
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
}
