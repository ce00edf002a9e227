//! A beam search that knows nothing of any game.
//!
//! Children are light: an operation and two numbers to rank them by. The best of
//! a layer's candidates are built, duplicates among them dropped, the rest
//! evaluated, and the best of those survive. The path is a flat list of
//! (previous, operation).
//!
//! An operation may advance by more than one layer, so that states can be
//! compared at equal numbers of, say, removed tiles rather than moves.

use std::collections::VecDeque;

/// A game, as the beam sees it.
pub trait Domain {
    /// All that is known of a position.
    type State: Copy;
    /// A move.
    type Op: Copy;

    /// Lists every child of `state` (which is in layer `layer`) worth a thought.
    fn expand(&mut self, layer: usize, state: &Self::State, children: &mut Children<Self::Op>);

    /// Makes the child that `op` leads to, not evaluated yet.
    fn build(&mut self, layer: usize, parent: &Self::State, op: Self::Op) -> Self::State;

    /// Two states of one layer with the same hash are taken for the same.
    fn hash(&self, state: &Self::State) -> u64;

    /// Evaluates built states of layer `layer`.
    fn evaluate(&mut self, layer: usize, states: &mut [Node<Self::State>]);

    /// By what the state competes with others of its layer.
    fn rank(&self, state: &Self::State) -> Rank;

    /// What the state would be worth if the game ended here: the search returns the
    /// path to the state where this is highest.
    fn score(&self, state: &Self::State) -> i64;

    /// The shares of layer `layer`, 0 to 1 together, that are filled by
    /// [`Rank::reserves`]. One that is not 0 gets a place wherever there are two.
    fn reserves(&self, _layer: usize) -> [f64; RESERVES] {
        [0.0; RESERVES]
    }

    /// Called with the survivors of every layer, best first.
    fn survivors(&mut self, _layer: usize, _states: &[Node<Self::State>]) {}
}

/// A state in the beam.
#[derive(Debug, Clone, Copy)]
pub struct Node<S> {
    /// The state.
    pub state: S,
    /// Its place in the path list, once it has survived; before, its parent's.
    path: u32,
    /// How many of its children have survived.
    heirs: u32,
}

/// Of how many candidates for each of its places a reserve is filled.
const ENOUGH: usize = 4;

/// How many reserves a beam has.
pub const RESERVES: usize = 2;

/// Several ways to be good; higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rank {
    /// What most of the beam is filled by.
    pub value: i32,
    /// What each reserve is filled by, from those that are not chosen yet.
    pub reserves: [i32; RESERVES],
}

impl Rank {
    /// Higher than any other in no way.
    const LOWEST: Self = Self {
        value: i32::MIN,
        reserves: [i32::MIN; RESERVES],
    };

    /// Whether it is higher in one way at least.
    #[inline]
    fn beats(&self, other: &Self) -> bool {
        let mut reserves = self.reserves.iter().zip(&other.reserves);
        self.value > other.value || reserves.any(|(a, b)| a > b)
    }
}

/// Where [`Domain::expand`] puts children.
#[derive(Debug)]
pub struct Children<Op> {
    found: Vec<(u32, Op, Rank)>,
    /// One for each of `found`, or none at all.
    hashes: Vec<u64>,
    /// What a child in the next layer has to beat, by those listed before.
    bar: Rank,
}

impl<Op> Children<Op> {
    /// Whether a child in the next layer with this rank may be chosen, as far as is known. One
    /// that may not need not be listed.
    #[inline]
    pub fn wants(&self, rank: &Rank) -> bool {
        rank.beats(&self.bar)
    }

    /// Adds the child that `op` leads to, `advance` ≥ 1 layers further on.
    #[inline]
    pub fn push(&mut self, advance: u32, op: Op, rank: Rank) {
        debug_assert!(advance >= 1);
        debug_assert!(self.hashes.is_empty());
        self.found.push((advance, op, rank));
    }

    /// As [`Children::push`], for a game that knows the child's [`Domain::hash`]
    /// without building it: of equal children only the best is then built. Such a
    /// game must tell it of all its children.
    #[inline]
    pub fn push_hashed(&mut self, advance: u32, op: Op, rank: Rank, hash: u64) {
        debug_assert!(advance >= 1);
        self.found.push((advance, op, rank));
        self.hashes.push(hash);
        debug_assert_eq!(self.found.len(), self.hashes.len());
    }
}

/// A child not built yet.
#[derive(Debug, Clone, Copy)]
struct Candidate<Op> {
    rank: Rank,
    layer: u32,
    parent: u32,
    op: Op,
}

/// The candidates of one layer.
struct Pool<Op> {
    candidates: Vec<Candidate<Op>>,
    /// Their hashes, if the game tells them.
    hashes: Vec<u64>,
}

impl<Op> Default for Pool<Op> {
    fn default() -> Self {
        Self {
            candidates: Vec::new(),
            hashes: Vec::new(),
        }
    }
}

/// How many candidates there are of which height by one of their numbers, as far as they are listed: an
/// estimate of what has to be beaten to be among the best.
struct Heights {
    lowest: i32,
    /// Numbers of one level.
    width: i32,
    levels: [u32; Self::LEVELS],
    /// How many are wanted.
    wanted: u32,
    /// The lowest level that may still be wanted, and how many are above it.
    least: usize,
    above: u32,
}

impl Heights {
    const LEVELS: usize = 128;

    /// For numbers about as high as these; none is wanted where `wanted` is 0.
    fn new(wanted: usize, about: impl Iterator<Item = i32>) -> Self {
        let (low, high) = about.fold((i32::MAX, i32::MIN), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        let span = high.saturating_sub(low).max(0);
        Self {
            lowest: low,
            // Half as much again at the top.
            width: span / 2 * 3 / Self::LEVELS as i32 + 1,
            levels: [0; Self::LEVELS],
            wanted: wanted as u32,
            least: 0,
            above: 0,
        }
    }

    /// Counts a candidate, and tells whether it may be wanted.
    fn add(&mut self, number: i32) -> bool {
        let level = number.saturating_sub(self.lowest).max(0) / self.width;
        let level = (level as usize).min(Self::LEVELS - 1);
        self.levels[level] += 1;
        if level < self.least {
            return false;
        }
        self.above += u32::from(level > self.least);
        while self.above >= self.wanted && self.least + 1 < Self::LEVELS {
            self.least += 1;
            self.above -= self.levels[self.least];
        }
        level >= self.least
    }

    /// What has to be beaten.
    fn bar(&self) -> i32 {
        match self.least {
            _ if self.wanted == 0 => i32::MAX,
            0 => i32::MIN,
            least => self.lowest + least as i32 * self.width - 1,
        }
    }
}

/// What children of the next layer have to beat.
struct Bar {
    value: Heights,
    reserves: [Heights; RESERVES],
}

impl Bar {
    /// For a layer of which `count` candidates will be chosen, after one of such states.
    fn new(count: usize, shares: [f64; RESERVES], states: &[Rank]) -> Self {
        let reserve = |reserve: usize| {
            let places = match shares[reserve] {
                share if share > 0.0 => ENOUGH * ((count as f64 * share) as usize).max(1),
                _ => 0,
            };
            Heights::new(places, states.iter().map(|rank| rank.reserves[reserve]))
        };
        Self {
            value: Heights::new(count, states.iter().map(|rank| rank.value)),
            reserves: std::array::from_fn(reserve),
        }
    }

    /// Counts a candidate.
    fn add(&mut self, rank: &Rank) {
        // A reserve is filled from what is not chosen by value.
        if !self.value.add(rank.value) {
            for (heights, &number) in self.reserves.iter_mut().zip(&rank.reserves) {
                if heights.wanted > 0 {
                    heights.add(number);
                }
            }
        }
    }

    fn rank(&self) -> Rank {
        let mut rank = Rank::LOWEST;
        rank.value = self.value.bar();
        for (number, heights) in rank.reserves.iter_mut().zip(&self.reserves) {
            *number = heights.bar();
        }
        rank
    }
}

/// How wide the beam is and how it is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Candidates built for each place in the beam, at least 1.
    pub built_per_place: f64,
    /// How many children of one parent may survive in a layer of fewer than 64 states; in one of
    /// 64, 128, 256 and so on one more each. A narrow beam must not be filled by one family, in a
    /// wide one the limit is in the way.
    pub siblings: usize,
    /// The widest that a budget may make the beam.
    pub max_width: usize,
    /// How many layers a budget is shared out over, where the game is likely to be lost before the
    /// last one. A search that gets farther plans for half as many layers more as it has come.
    pub horizon: usize,
    /// The share of the layers, at the end, that are taken for a quarter as dear as the others,
    /// since few states get so far; what is left of a budget is shared out accordingly.
    pub tail: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            built_per_place: 3.0,
            siblings: usize::MAX,
            max_width: 20_000,
            horizon: usize::MAX,
            tail: 0.0,
        }
    }
}

impl Settings {
    /// How far a search may be expected to get that got to layer `depth` before.
    pub fn horizon_after(depth: usize) -> usize {
        depth + depth / 2 + 10
    }

    /// How many children of one parent may survive in a layer of `width` states.
    fn siblings(&self, width: usize) -> usize {
        let doublings = (width / 32).max(1).ilog2();
        self.siblings.saturating_add(doublings as usize)
    }
}

/// What a search may spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// The same width for every layer.
    Width(usize),
    /// States built in all, shared out evenly over the layers. The outcome does not
    /// depend on the machine.
    Nodes(u64),
    /// Until the clock shows this many seconds.
    Until(f64),
}

/// A running clock, in seconds. A search within [`Budget::Until`] needs a real one;
/// for the others it only tells where the time went.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// What a search found and spent.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<Op> {
    /// The operations that lead to the best state.
    pub path: Vec<Op>,
    /// Its [`Domain::score`].
    pub score: i64,
    /// The last layer that had a state.
    pub depth: usize,
    /// States built.
    pub nodes: u64,
    /// Children listed.
    pub candidates: u64,
    /// Survivors of all layers.
    pub survivors: u64,
    /// Whether nothing that was listed has been left out, but for duplicates: the
    /// search has seen the whole game.
    pub complete: bool,
    /// Seconds spent on listing children.
    pub expanding: f64,
    /// Seconds spent on evaluating states.
    pub evaluating: f64,
    /// Layers that had a state, counted again in each search.
    pub layers: usize,
}

impl<Op> Found<Op> {
    /// The better of two searches, with what both have spent.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
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
pub fn search<D: Domain>(
    domain: &mut D,
    root: D::State,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
) -> Found<D::Op> {
    let mut beam = Beam {
        clock,
        path: Vec::new(),
        pools: VecDeque::new(),
        history: VecDeque::new(),
        built: Vec::new(),
        spare: Vec::new(),
        seen: Seen::default(),
        best: (domain.score(&root), ROOT),
        found: Found {
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
    let mut steering = Steering::new(budget, clock, settings, last);
    let mut survivors = vec![Node {
        state: root,
        path: ROOT,
        heirs: 0,
    }];
    domain.evaluate(0, &mut survivors);
    for layer in 0..=last {
        if layer > 0 {
            let Some(width) = steering.width(layer, beam.found.nodes) else {
                beam.found.complete = false;
                break;
            };
            survivors = beam.next_layer(domain, layer, width, settings);
            steering.keep_up(survivors.len());
        }
        if !survivors.is_empty() {
            beam.found.depth = layer;
            beam.found.layers = layer;
            domain.survivors(layer, &survivors);
        }
        let reach = if layer < last {
            beam.expand(domain, layer, &survivors, &steering)
        } else {
            0
        };
        beam.remember(layer, std::mem::take(&mut survivors), reach);
        if beam.pools.iter().all(|pool| pool.candidates.is_empty()) {
            break;
        }
    }
    beam.finish()
}

/// The root's place in the path list: it is not in it.
const ROOT: u32 = u32::MAX;

struct Beam<'a, D: Domain> {
    clock: Clock<'a>,
    /// (previous, operation) of every survivor.
    path: Vec<(u32, D::Op)>,
    /// Candidates of the layers to come, the next one first.
    pools: VecDeque<Pool<D::Op>>,
    /// Survivors of the layers that candidates may refer to, the latest last, and
    /// the last layer that has a candidate from there.
    history: VecDeque<(Vec<Node<D::State>>, usize)>,
    /// Room for what is built in a layer, and for its survivors: asking the system for it again in
    /// each layer costs time.
    built: Vec<Node<D::State>>,
    spare: Vec<Node<D::State>>,
    seen: Seen,
    /// The highest score so far, and its place in the path list.
    best: (i64, u32),
    found: Found<D::Op>,
}

impl<D: Domain> Beam<'_, D> {
    /// Lists the children of a layer's survivors, and returns by how many layers
    /// the farthest of them advances.
    fn expand(
        &mut self,
        domain: &mut D,
        layer: usize,
        survivors: &[Node<D::State>],
        steering: &Steering,
    ) -> usize {
        let began = (self.clock)();
        let mut children = Children {
            found: Vec::new(),
            hashes: Vec::new(),
            bar: Rank::LOWEST,
        };
        let ranks: Vec<Rank> = survivors.iter().map(|n| domain.rank(&n.state)).collect();
        let mut bar = Bar::new(steering.candidates(), domain.reserves(layer + 1), &ranks);
        let mut reach = 0;
        for (parent, node) in survivors.iter().enumerate() {
            if parent % 64 == 63 && steering.late() {
                self.found.complete = false;
                break;
            }
            domain.expand(layer, &node.state, &mut children);
            self.found.candidates += children.found.len() as u64;
            if children.hashes.is_empty() {
                let next = children.found.iter().filter(|child| child.0 == 1);
                next.for_each(|child| bar.add(&child.2));
                children.bar = bar.rank();
                self.found.complete &= bar.value.least == 0;
            }
            let mut hashes = children.hashes.drain(..);
            for (advance, op, rank) in children.found.drain(..) {
                reach = reach.max(advance as usize);
                while self.pools.len() < reach {
                    self.pools.push_back(Pool::default());
                }
                let pool = &mut self.pools[advance as usize - 1];
                pool.candidates.push(Candidate {
                    rank,
                    layer: layer as u32,
                    parent: parent as u32,
                    op,
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
        domain: &mut D,
        layer: usize,
        width: usize,
        settings: &Settings,
    ) -> Vec<Node<D::State>> {
        let Some(pool) = self.pools.pop_front() else {
            return Vec::new();
        };
        let oldest = layer - self.history.len();
        let place = |c: &Candidate<D::Op>| (c.layer as usize - oldest, c.parent as usize);

        // The best are built first, so that of two equal states the better path stays.
        let Pool {
            candidates: pool,
            hashes,
        } = pool;
        let ranks: Vec<Rank> = pool.iter().map(|c| c.rank).collect();
        let shares = domain.reserves(layer);
        let count = (width as f64 * settings.built_per_place).max(1.0) as usize;
        let seen = &mut self.seen;
        seen.clear(count.min(pool.len()));
        let chosen = best_of(&ranks, count, shares, |index| {
            hashes.get(index).map_or(true, |&hash| seen.insert(hash))
        });
        // Those left out may all have been duplicates; that is not looked into.
        let all = chosen.len() < count || chosen.len() == pool.len();
        self.found.complete &= all;
        let mut nodes = std::mem::take(&mut self.built);
        nodes.clear();
        let mut origins = Vec::with_capacity(chosen.len());
        for index in chosen {
            let candidate = pool[index];
            let (old_layer, parent) = place(&candidate);
            let parent = &self.history[old_layer].0[parent];
            let state = domain.build(candidate.layer as usize, &parent.state, candidate.op);
            if !hashes.is_empty() || self.seen.insert(domain.hash(&state)) {
                origins.push(candidate);
                nodes.push(Node {
                    state,
                    path: parent.path,
                    heirs: 0,
                });
            }
        }
        self.found.nodes += nodes.len() as u64;
        let began = (self.clock)();
        domain.evaluate(layer, &mut nodes);
        self.found.evaluating += (self.clock)() - began;

        let ranks: Vec<Rank> = nodes.iter().map(|node| domain.rank(&node.state)).collect();
        let siblings = settings.siblings(width);
        let history = &mut self.history;
        let chosen = best_of(&ranks, width, shares, |index| {
            let (old_layer, parent) = place(&origins[index]);
            let heirs = &mut history[old_layer].0[parent].heirs;
            *heirs += 1;
            *heirs as usize <= siblings
        });
        self.found.complete &= chosen.len() == nodes.len();
        let mut survivors = std::mem::take(&mut self.spare);
        survivors.clear();
        for index in chosen {
            let mut node = nodes[index];
            self.path.push((node.path, origins[index].op));
            node.path = self.path.len() as u32 - 1;
            let score = domain.score(&node.state);
            if score > self.best.0 {
                self.best = (score, node.path);
            }
            survivors.push(node);
        }
        self.built = nodes;
        self.found.survivors += survivors.len() as u64;
        survivors
    }

    fn finish(mut self) -> Found<D::Op> {
        let (score, mut at) = self.best;
        self.found.score = score;
        while at != ROOT {
            let (previous, op) = self.path[at as usize];
            self.found.path.push(op);
            at = previous;
        }
        self.found.path.reverse();
        self.found
    }
}

/// Number and index in one integer, so that sorting touches nothing else: the higher number, then
/// the lower index first.
#[inline]
fn key(number: i32, index: usize) -> u64 {
    u64::from(!(number as u32 ^ 1 << 31)) << 32 | index as u64
}

/// The index in a [`key`].
#[inline]
fn index(key: u64) -> usize {
    key as u32 as usize
}

/// The indices of `count` of the best: most by value, best first, then for each reserve its
/// share, of those not chosen yet. One that is not `allowed`, asked best first,
/// leaves its place to the next. Ties go to the lower index.
fn best_of(
    ranks: &[Rank],
    count: usize,
    shares: [f64; RESERVES],
    mut allowed: impl FnMut(usize) -> bool,
) -> Vec<usize> {
    let mut by_value: Vec<u64> = (0..ranks.len()).map(|i| key(ranks[i].value, i)).collect();
    let places = shares.map(|share| match share {
        _ if share <= 0.0 || count < 2 => 0,
        _ => ((count as f64 * share) as usize).max(1),
    });
    let count = count.saturating_sub(places.iter().sum()).max(1);
    let mut chosen = Vec::with_capacity(count.min(ranks.len()));
    let mut rest = Vec::new();
    // Mostly the first `count` are allowed, so no more than needed is sorted.
    let mut sorted = 0;
    while chosen.len() < count && sorted < by_value.len() {
        let end = (sorted + (count - chosen.len()) * 5 / 4 + 8).min(by_value.len());
        if end < by_value.len() {
            by_value[sorted..].select_nth_unstable(end - sorted);
        }
        by_value[sorted..end].sort_unstable();
        for &key in &by_value[sorted..end] {
            if chosen.len() < count && allowed(index(key)) {
                chosen.push(index(key));
            } else {
                rest.push(index(key));
            }
        }
        sorted = end;
    }
    if places == [0; RESERVES] {
        return chosen;
    }
    rest.extend(by_value[sorted..].iter().map(|&key| index(key)));
    let mut taken = vec![false; ranks.len()];
    for (reserve, places) in places.into_iter().enumerate() {
        // Enough are sorted for some not to be allowed.
        let enough = places.saturating_mul(ENOUGH);
        let left = rest.iter().filter(|&&i| !taken[i]);
        let mut order: Vec<u64> = left.map(|&i| key(ranks[i].reserves[reserve], i)).collect();
        if enough < order.len() {
            order.select_nth_unstable(enough);
            order.truncate(enough);
        }
        order.sort_unstable();
        let best = order.into_iter().map(index).filter(|&i| allowed(i));
        for i in best.take(places) {
            taken[i] = true;
            chosen.push(i);
        }
    }
    chosen
}

/// The hashes of a layer's states: an open-addressed set.
#[derive(Default)]
struct Seen {
    slots: Vec<u64>,
}

impl Seen {
    /// Empties the set and makes room for `count` hashes.
    fn clear(&mut self, count: usize) {
        let size = (count * 2).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(size, 0);
    }

    /// Whether the hash is new.
    fn insert(&mut self, hash: u64) -> bool {
        let hash = hash.max(1);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] == hash {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = hash;
        true
    }
}

/// Decides how wide the next layer may be.
struct Steering<'a> {
    budget: Budget,
    clock: Clock<'a>,
    settings: &'a Settings,
    last: usize,
    width: usize,
    start: f64,
    /// When the present layer began, and the smoothed seconds a survivor.
    began: f64,
    cost: Option<f64>,
    survivors: usize,
    /// Seconds that layers took beyond what counts.
    waited: f64,
}

impl<'a> Steering<'a> {
    /// The width of the first layer under a time limit, before anything is
    /// known of the machine.
    const FIRST_WIDTH: usize = 256;
    /// A layer is at most this many times as wide as the one before, since the
    /// cost of a survivor is an estimate.
    const GROWTH: usize = 2;
    /// How fast the estimated cost of a survivor follows that of the last layer, and how
    /// many times the estimate a layer's may count for.
    const LEARNING: f64 = 0.1;
    const OUTLIER: f64 = 2.0;
    /// A layer may well be so many times as wide as the one before.
    const SLACK: f64 = 1.3;
    /// Waiting is taken for so rare at first as if this share of the time had gone by.
    const AT_FIRST: f64 = 0.1;
    /// This share of the time is not planned for, so that a slow last layer still ends
    /// in time.
    const SPARE: f64 = 0.01;

    fn new(budget: Budget, clock: Clock<'a>, settings: &'a Settings, last: usize) -> Self {
        Self {
            budget,
            clock,
            settings,
            last,
            width: Self::FIRST_WIDTH,
            start: clock(),
            began: clock(),
            cost: None,
            survivors: 1,
            waited: 0.0,
        }
    }

    /// The width of layer `layer`, after `nodes` states were built; `None` when
    /// the time is up.
    fn width(&mut self, layer: usize, nodes: u64) -> Option<usize> {
        let goal = self.settings.horizon.max(Settings::horizon_after(layer));
        let left = (self.last.min(goal) + 1 - layer) as f64;
        // At least one, and more than one unless this layer is the last.
        let layers = left - 0.75 * (left - 1.0).min(self.settings.tail * self.last as f64);
        let width = match self.budget {
            Budget::Width(width) => width,
            Budget::Nodes(limit) => {
                let left = limit.saturating_sub(nodes) as f64;
                (left / layers / self.settings.built_per_place) as usize
            }
            Budget::Until(end) => {
                let now = (self.clock)();
                if now >= end {
                    return None;
                }
                let survivors = self.survivors as f64;
                let cost = (now - self.began) / survivors;
                // A layer in which the process had to wait says nothing about the next.
                let old = self.cost.unwrap_or(cost);
                let counted = cost.min(Self::OUTLIER * old);
                let smooth = old + Self::LEARNING * (counted - old);
                self.cost = Some(smooth);
                self.began = now;
                // But where it had to wait before it will have to wait again.
                self.waited += (cost - counted) * survivors;
                let limit = end - self.start;
                let waits = self.waited / (now - self.start).max(Self::AT_FIRST * limit);
                let plan = end - Self::SPARE * limit;
                let width = (plan - now) * (1.0 - waits) / layers / smooth.max(1e-9);
                (width as usize).min(self.width * Self::GROWTH)
            }
        };
        self.width = width.clamp(1, self.settings.max_width);
        Some(self.width)
    }

    /// At most about how many candidates will be chosen for the next layer. Its width is not known
    /// yet, and some may turn out to be equal.
    fn candidates(&self) -> usize {
        let built = self.width as f64 * self.settings.built_per_place;
        (built * Self::SLACK) as usize + 16
    }

    /// Tells how many states survived in the present layer.
    fn keep_up(&mut self, survivors: usize) {
        self.survivors = survivors.max(1);
    }

    /// Whether the time is up.
    fn late(&self) -> bool {
        matches!(self.budget, Budget::Until(end) if (self.clock)() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits are picked one by one; a state is worth the number they make, but
    /// no state whose number is divisible by 7 may be entered. An operation may
    /// also skip a layer at the price of a zero.
    struct Digits;

    impl Domain for Digits {
        type State = (u64, u32);
        type Op = u8;

        fn expand(&mut self, _: usize, &(number, _): &Self::State, children: &mut Children<u8>) {
            for digit in 0..10 {
                let next = number * 10 + u64::from(digit);
                if next % 7 != 0 {
                    let rank = Rank {
                        value: (next % 1000) as i32,
                        reserves: [-i32::from(digit); RESERVES],
                    };
                    children.push(1, digit, rank);
                }
            }
            children.push(2, 10, Rank::default());
        }

        fn build(&mut self, _: usize, &(number, moves): &Self::State, op: u8) -> Self::State {
            match op {
                10 => (number * 100, moves + 1),
                _ => (number * 10 + u64::from(op), moves + 1),
            }
        }

        fn hash(&self, state: &Self::State) -> u64 {
            state.0 + 1
        }

        fn evaluate(&mut self, _: usize, _: &mut [Node<Self::State>]) {}

        fn rank(&self, state: &Self::State) -> Rank {
            Rank {
                value: state.0 as i32,
                reserves: [-((state.0 % 10) as i32); RESERVES],
            }
        }

        fn score(&self, state: &Self::State) -> i64 {
            state.0 as i64
        }
    }

    fn play(settings: &Settings, budget: Budget, clock: Clock) -> Found<u8> {
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
    fn the_budget_of_nodes_is_kept() {
        for limit in [50, 500, 5000] {
            let found = play(&Settings::default(), Budget::Nodes(limit), &|| 0.0);
            assert!(found.nodes <= limit, "{} of {limit}", found.nodes);
        }
    }

    #[test]
    fn a_tail_leaves_more_for_what_is_before_it() {
        let widths = |tail: f64| -> Vec<usize> {
            let settings = Settings {
                built_per_place: 1.0,
                tail,
                ..Settings::default()
            };
            let mut steering = Steering::new(Budget::Nodes(1000), &|| 0.0, &settings, 20);
            let mut nodes = 0;
            let spend = |layer| {
                let width = steering.width(layer, nodes).unwrap();
                // Only the first half of the layers fill up.
                nodes += if layer <= 10 { width as u64 } else { 1 };
                width
            };
            (1..=20).map(spend).collect()
        };
        assert_eq!(widths(0.0)[..10], [50; 10]);
        // Twelve and a half layers' worth: ten of them and ten quarters.
        assert_eq!(widths(0.5)[..10], [80; 10]);
        // Whatever the tail costs, the budget lasts to the end.
        let settings = Settings {
            tail: 0.9,
            ..Settings::default()
        };
        let found = play(&settings, Budget::Nodes(500), &|| 0.0);
        assert!(found.nodes <= 500 && found.depth == 6, "{found:?}");
    }

    #[test]
    fn a_horizon_takes_what_there_is_and_leaves_some_for_those_who_get_farther() {
        let settings = Settings {
            built_per_place: 1.0,
            horizon: 40,
            ..Settings::default()
        };
        let mut steering = Steering::new(Budget::Nodes(8000), &|| 0.0, &settings, 2000);
        let mut nodes = 0;
        let spend = |layer| {
            let width = steering.width(layer, nodes).unwrap();
            nodes += width as u64;
            width
        };
        let widths: Vec<usize> = (1..=2000).map(spend).collect();
        // 40 layers of 200, as long as 20 have not been reached; then less and less.
        assert_eq!(widths[..20], [200; 20]);
        assert!(widths[40..].is_sorted_by(|a, b| a >= b));
        assert!((20..100).contains(&widths[60]), "{widths:?}");
        assert_eq!(widths[1999], 1);
    }

    #[test]
    fn the_better_of_two_searches_counts_and_both_have_cost() {
        let wide = play(&Settings::default(), Budget::Width(5000), &|| 0.0);
        let mut narrow = play(&Settings::default(), Budget::Width(1), &|| 0.0);
        narrow.score = wide.score - 1;
        narrow.path.pop();
        for both in [
            narrow.clone().or(wide.clone()),
            wide.clone().or(narrow.clone()),
        ] {
            assert_eq!((both.score, &both.path), (wide.score, &wide.path));
            assert_eq!(both.nodes, narrow.nodes + wide.nodes);
            assert_eq!(both.layers, narrow.layers + wide.layers);
        }
    }

    #[test]
    fn a_process_that_has_to_wait_again_and_again_gets_to_the_end() {
        // Every fortieth layer waits; how much of the time, in all.
        for share in [0.0, 0.2, 0.5] {
            let now = std::cell::Cell::new(0.0);
            let clock = || now.get();
            let settings = Settings::default();
            let (layers, limit) = (2000, 3.8);
            let mut steering = Steering::new(Budget::Until(limit), &clock, &settings, layers);
            now.set(1e-5);
            for layer in 1..=layers {
                let width = steering.width(layer, 0);
                let width = width.unwrap_or_else(|| panic!("{share}: time is up in {layer}"));
                now.set(now.get() + 1e-5 * width as f64);
                if layer % 40 == 20 {
                    now.set(now.get() + share * limit / (layers / 40) as f64);
                }
                steering.keep_up(width);
            }
            assert!(
                (0.9 * limit..limit).contains(&now.get()),
                "{share}: {}",
                now.get()
            );
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
    fn siblings_and_the_reserve_shape_a_layer() {
        let ranks: Vec<Rank> = (0..40)
            .map(|i| Rank {
                value: i,
                reserves: [-i, -(i - 20).abs()],
            })
            .collect();
        let best = |count, shares, ranks| best_of(ranks, count, shares, |_| true);
        assert_eq!(best(3, [0.0, 0.0], &ranks), [39, 38, 37]);
        assert_eq!(best(5, [0.4, 0.0], &ranks), [39, 38, 37, 0, 1]);
        assert_eq!(best(6, [0.34, 0.17], &ranks), [39, 38, 37, 0, 1, 20]);
        assert_eq!(best(10, [0.5, 0.5], &ranks[..2]), [1, 0]);
        // The smallest share gets a place, but not the only one.
        assert_eq!(best(3, [0.01, 0.01], &ranks), [39, 0, 20]);
        assert_eq!(best(1, [0.5, 0.0], &ranks), [39]);
        let even = best_of(&ranks, 4, [0.25, 0.0], |i| i % 2 == 0);
        assert_eq!(even, [38, 36, 34, 0]);
        // No parent has more than one child in a layer here, so the beam holds few.
        let settings = Settings {
            siblings: 1,
            ..Settings::default()
        };
        let found = play(&settings, Budget::Width(63), &|| 0.0);
        assert!(found.survivors <= 6 * 2);
        for (width, siblings) in [(1, 1), (63, 1), (64, 2), (127, 2), (128, 3), (2048, 7)] {
            assert_eq!(settings.siblings(width), siblings, "{width}");
        }
        assert_eq!(Settings::default().siblings(2048), usize::MAX);
    }

    #[test]
    fn what_the_bar_keeps_out_would_not_be_chosen() {
        let mut random = 1_u64;
        let mut number = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 40) as i32 % 1000
        };
        let ranks: Vec<Rank> = (0..2000)
            .map(|_| Rank {
                value: number(),
                reserves: [number(), number()],
            })
            .collect();
        for shares in [[0.0, 0.0], [0.1, 0.0], [0.1, 0.05]] {
            let mut bar = Bar::new(100, shares, &ranks[..50]);
            let mut listed = Vec::new();
            for (i, rank) in ranks.iter().enumerate() {
                if rank.beats(&bar.rank()) {
                    bar.add(rank);
                    listed.push(i);
                }
            }
            assert!(listed.len() < 1200, "{}", listed.len());
            let left: Vec<Rank> = listed.iter().map(|&i| ranks[i]).collect();
            let chosen = best_of(&left, 100, shares, |_| true);
            let chosen: Vec<usize> = chosen.into_iter().map(|i| listed[i]).collect();
            assert_eq!(chosen, best_of(&ranks, 100, shares, |_| true), "{shares:?}");
        }
    }

    #[test]
    fn equal_states_survive_once() {
        let mut seen = Seen::default();
        seen.clear(4);
        assert!(seen.insert(5) && seen.insert(21) && !seen.insert(5) && !seen.insert(21));
        assert!(seen.insert(0) && !seen.insert(0));
    }
}
