//! The search, layer by layer.

use super::admission::AdmissionThreshold;
use super::arena::{Arena, ROOT};
use super::batches::{Building, Built, Listing};
use super::game::{Candidate, Game, ListedHash, Observer};
use super::growth::{Growth, Job, Plot};
use super::hashes::Hashes;
use super::layers::{at, Layers, Listed, Node, Survivors};
use super::selector::Selector;
use super::width::{Budget, Clock, Settings, WidthController};
use crate::team;
use std::mem;
use std::sync::Arc;

/// What a search found and spent.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult<M> {
    /// The moves that lead to the best state.
    pub path: Vec<M>,
    /// Its [`Game::score`].
    pub score: i64,
    /// The last layer that had a state.
    pub depth: usize,
    /// States built and evaluated.
    pub nodes: u64,
    /// Children listed.
    pub candidates: u64,
    /// Survivors of all layers.
    pub survivors: u64,
    /// Whether nothing but duplicates was left out of what was listed. If the game lists all
    /// children, the search has seen the whole game.
    pub complete: bool,
    /// Layers that had a state; of two searches together, the layers of both.
    pub layers: usize,
}

impl<M> SearchResult<M> {
    /// The better of two searches, with what both have spent. Of equal ones it is the first.
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
            layers: better.layers + worse.layers,
            ..better
        }
    }
}

/// Searches from `root`, in layer 0, to layer `last`.
pub fn search<G: Game<Q>, O: Observer<G, Q>, const Q: usize>(
    game: &G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
    observer: &mut O,
) -> SearchResult<G::Move> {
    team::with(&Growth(game), settings.threads, |team| {
        let mut beam = Beam::new(game, last, settings, budget, clock, observer, team);
        beam.walk(root, last);
        beam.finish()
    })
}

/// A state and the way to it.
#[derive(Debug, Clone)]
pub struct Reached<S, M> {
    /// The state.
    pub state: S,
    /// The moves that lead to it.
    pub path: Vec<M>,
}

/// As [`search`], unobserved, with the survivors of layer `last`, best first.
pub fn frontier<S: Copy, M: Copy, G: Game<Q, State = S, Move = M>, const Q: usize>(
    game: &G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
) -> (SearchResult<M>, Vec<Reached<S, M>>) {
    team::with(&Growth(game), settings.threads, |team| {
        let mut observer = ();
        let mut beam = Beam::new(game, last, settings, budget, clock, &mut observer, team);
        let survivors = beam.walk(root, last);
        let nodes = survivors.states().zip(&survivors.nodes);
        let reached = nodes.map(|(&state, node)| Reached {
            state,
            path: beam.arena.path_to(node.path),
        });
        let reached = reached.collect();
        (beam.finish(), reached)
    })
}

/// The children of this share of a layer's survivors are listed without knowledge of each other: less than costs one
/// thread anything, and enough parts for 16 threads. First the number of parts that may be named at a time,
const LIST_SHARE: usize = 16;
/// the most of them,
const LIST_WINDOW: usize = 16;
/// then the number of parts of a large layer, which decides their size,
const LIST_PARTS: usize = 256;
/// and the most survivors in one.
const LIST_SIZE: usize = 16;
/// The number of candidates in a part of a layer that one thread builds: a power of two.
const BUILD_SIZE: usize = 64;
/// Several threads get this many parts each of a layer, so that they end at about the same time,
const BUILD_PARTS: usize = 6;
/// of at least this many candidates.
const LEAST_BUILD_SIZE: usize = 4;

type GrowthTeam<'t, 'g, G, const Q: usize> = dyn team::Team<Growth<'g, G, Q>> + 't;

struct Beam<'a, 'g, G: Game<Q>, O, const Q: usize> {
    game: &'g G,
    observer: &'a mut O,
    team: &'a mut GrowthTeam<'a, 'g, G, Q>,
    controller: WidthController<'a>,
    layers: Layers<G::State, G::Move, G::ListedHash, Q>,
    arena: Arena<G::Move>,
    /// The highest score so far, its layer, and its place in the arena.
    best: (i64, usize, u32),
    result: SearchResult<G::Move>,
    built: Built<G, Q>,
    selector: Selector,
    /// Memory for the next layer.
    chosen: Vec<Candidate<G::Move, G::ListedHash>>,
    known: Hashes,
}

impl<'a, 'g, G: Game<Q>, O: Observer<G, Q>, const Q: usize> Beam<'a, 'g, G, O, Q> {
    fn new(
        game: &'g G,
        last: usize,
        settings: &'a Settings,
        budget: Budget,
        clock: Clock<'a>,
        observer: &'a mut O,
        team: &'a mut GrowthTeam<'a, 'g, G, Q>,
    ) -> Self {
        Self {
            game,
            observer,
            team,
            controller: WidthController::new(budget, clock, settings, last),
            layers: Layers::new(),
            arena: Arena::new(),
            best: (0, 0, ROOT),
            result: SearchResult {
                path: Vec::new(),
                score: 0,
                depth: 0,
                nodes: 1,
                candidates: 0,
                survivors: 0,
                complete: true,
                layers: 0,
            },
            built: Built {
                chunks: Vec::new(),
                origins: Vec::new(),
                scores: Vec::new(),
            },
            selector: Selector::default(),
            chosen: Vec::new(),
            known: Hashes::default(),
        }
    }

    /// Walks through the layers; returns the survivors of layer `last`.
    fn walk(&mut self, root: G::Child, last: usize) -> Survivors<G::State> {
        let mut survivors = self.plant(root);
        for layer in 0..=last {
            if layer > 0 {
                let Some(width) = self.controller.width(layer, self.result.nodes) else {
                    self.result.complete = false;
                    break;
                };
                self.build(layer, width);
                survivors = self.select(layer, width);
                self.controller.record_survivors(survivors.nodes.len());
            }
            if !survivors.nodes.is_empty() {
                self.result.depth = layer;
                self.result.layers = layer;
                self.observer.survived(self.game, layer, survivors.states());
            }
            if layer == last {
                break;
            }
            self.list(layer, mem::take(&mut survivors));
            if self.layers.is_empty() {
                break;
            }
        }
        survivors
    }

    /// Evaluates the root.
    fn plant(&mut self, root: G::Child) -> Survivors<G::State> {
        let mut states = Vec::new();
        self.game.evaluate(0, &[root], &mut states);
        self.observer.built(&states[0]);
        self.observer.evaluated(self.game, 0, states.iter());
        self.best.0 = self.game.score(&states[0]);
        Survivors {
            chunks: vec![states],
            nodes: vec![Node {
                place: 0,
                path: ROOT,
            }],
        }
    }

    /// Lists the children of a layer's survivors.
    fn list(&mut self, layer: usize, survivors: Survivors<G::State>) {
        let places = self.controller.candidates();
        let shares = self.game.quotas(layer + 1);
        let count = survivors.nodes.len();
        let threshold = (!G::LISTS_ALL).then(|| {
            let scores = survivors.states().map(|state| self.game.scores(state));
            AdmissionThreshold::new(places, shares, scores)
        });
        let survivors = Arc::new(survivors);
        let job = Arc::new(Job::List(layer, Arc::clone(&survivors)));
        let mut listing = Listing::<G, O, Q> {
            observer: self.observer,
            controller: &mut self.controller,
            result: &mut self.result,
            layers: &mut self.layers,
            threshold,
            size: (count / LIST_PARTS).clamp(1, LIST_SIZE),
            next: 0,
            count,
            reach: 0,
        };
        let window = (count / LIST_SHARE).clamp(2, LIST_WINDOW);
        self.team.run(&job, window, &mut listing);
        let reach = listing.reach;
        drop(job);
        self.layers.keep(layer, survivors, reach);
    }

    /// Builds and evaluates the best candidates for a layer of `width` states, each position once.
    fn build(&mut self, layer: usize, width: usize) {
        let listed = self.layers.next();
        self.choose(layer, width, &listed);
        self.layers.recycle(listed);
        self.built.origins.clear();
        self.built.scores.clear();
        let threads = self.controller.settings.threads;
        let each = self.chosen.len() / (BUILD_PARTS * threads);
        let size = each.clamp(LEAST_BUILD_SIZE, BUILD_SIZE).next_power_of_two();
        let job = Arc::new(Job::Build(Plot {
            layer,
            parents: self.layers.parents(),
            oldest: self.layers.oldest,
            chosen: mem::take(&mut self.chosen),
            known: mem::take(&mut self.known),
        }));
        if let Job::Build(plot) = &*job {
            let mut building = Building::<G, O, Q> {
                game: self.game,
                observer: self.observer,
                controller: &mut self.controller,
                result: &mut self.result,
                layers: &mut self.layers,
                built: &mut self.built,
                plot,
                size: if threads > 1 { size } else { BUILD_SIZE },
                next: 0,
            };
            self.team.run(&job, usize::MAX, &mut building);
        }
        if !self.built.scores.is_empty() {
            let Built {
                chunks, origins, ..
            } = &self.built;
            let states = origins.iter().map(|(place, _)| at(chunks, *place));
            self.observer.evaluated(self.game, layer, states);
        }
        self.result.nodes += self.built.scores.len() as u64;
        // A worker that has been given up may hold it still; then the memory is lost.
        if let Ok(Job::Build(plot)) = Arc::try_unwrap(job) {
            (self.chosen, self.known) = (plot.chosen, plot.known);
        }
    }

    /// Chooses the candidates to build for a layer of `width` states, best first.
    fn choose(&mut self, layer: usize, width: usize, listed: &Listed<G::Move, G::ListedHash, Q>) {
        let Listed { scores, candidates } = listed;
        let count = self.controller.states_to_build(width, self.result.nodes);
        let known = &mut self.known;
        known.clear(count.min(candidates.len()));
        // Of two equal states the one that was listed with the higher scores stays. That is mostly, not always, the one
        // with the better path.
        let shares = self.game.quotas(layer);
        let chosen = self.selector.best_of(scores, count, shares, &mut |index| {
            let hash = candidates[index].hash.get();
            hash.map_or(true, |hash| known.insert(hash))
        });
        // Those left out may all have been duplicates. That is not looked into.
        self.result.complete &= chosen.len() < count || chosen.len() == candidates.len();
        self.chosen.clear();
        self.chosen
            .extend(chosen.iter().map(|&index| candidates[index]));
    }

    /// Selects the survivors of a layer from those built.
    fn select(&mut self, layer: usize, width: usize) -> Survivors<G::State> {
        let Self { layers, built, .. } = self;
        let most = self.controller.settings.max_children_per_parent(width);
        let shares = self.game.quotas(layer);
        let chosen = self
            .selector
            .best_of(&built.scores, width, shares, &mut |index| {
                layers.consider(&built.origins[index].1) <= most
            });
        self.result.complete &= chosen.len() == built.origins.len();
        self.result.survivors += chosen.len() as u64;
        let mut nodes = layers.nodes();
        for &index in chosen {
            let (place, origin) = &built.origins[index];
            let path = self.arena.push(layers.path(origin), origin.mv);
            let score = self.game.score(at(&built.chunks, *place));
            // Of equal scores the later one counts: the game goes on as long as it can.
            if (score, layer) > (self.best.0, self.best.1) {
                self.best = (score, layer, path);
            }
            nodes.push(Node {
                place: *place,
                path,
            });
        }
        Survivors {
            chunks: mem::take(&mut built.chunks),
            nodes,
        }
    }

    fn finish(mut self) -> SearchResult<G::Move> {
        let (score, _, place) = self.best;
        self.result.score = score;
        self.result.path = self.arena.path_to(place);
        self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam::{Children, Scores};

    /// Digits are picked one by one; a state is worth the number they make, but
    /// no state whose number is divisible by 7 may be entered. A move may
    /// also skip a layer at the price of a zero.
    struct Digits;

    impl Game<2> for Digits {
        type State = (u64, u32);
        type Child = Self::State;
        type Move = u8;
        type ListedHash = ();
        type Scratch = ();

        fn expand(
            &self,
            (): &mut (),
            _: usize,
            &(number, _): &Self::State,
            _: &Scores<2>,
            children: &mut Children<u8, (), 2>,
        ) -> u32 {
            for digit in 0..10 {
                let next = number * 10 + u64::from(digit);
                if next % 7 != 0 {
                    let scores = Scores {
                        value: (next % 1000) as i32,
                        quotas: [-i32::from(digit); 2],
                    };
                    children.push(1, digit, scores, ());
                }
            }
            let none = Scores {
                value: 0,
                quotas: [0; 2],
            };
            children.push(2, 10, none, ());
            1
        }

        fn build(
            &self,
            (): &mut (),
            _: usize,
            &(number, moves): &Self::State,
            mv: u8,
        ) -> Self::State {
            match mv {
                10 => (number * 100, moves + 1),
                _ => (number * 10 + u64::from(mv), moves + 1),
            }
        }

        fn hash(&self, state: &Self::State) -> u64 {
            state.0 + 1
        }

        fn evaluate(&self, _: usize, children: &[Self::State], states: &mut Vec<Self::State>) {
            states.extend_from_slice(children);
        }

        fn scores(&self, state: &Self::State) -> Scores<2> {
            Scores {
                value: state.0 as i32,
                quotas: [-((state.0 % 10) as i32); 2],
            }
        }

        fn score(&self, state: &Self::State) -> i64 {
            state.0 as i64
        }

        fn quotas(&self, _: usize) -> [f64; 2] {
            [0.0; 2]
        }
    }

    fn play(settings: &Settings, budget: Budget, clock: Clock) -> SearchResult<u8> {
        search(&Digits, (0, 0), 6, settings, budget, clock, &mut ())
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
        let (found, survivors) = frontier(&Digits, (0, 0), 3, &settings, budget, &|| 0.0);
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
        let none = frontier(&Digits, (0, 0), 6, &settings, Budget::Until(-1.0), &|| 0.0);
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
        let found = play(&Settings::default(), Budget::Until(6.5), &clock);
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
