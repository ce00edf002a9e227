//! The beam search over the columns of a case.

use crate::children::{stack_and_shift, turned, Expand, Op, ASIDE};
use crate::context::{Context, CROWDED};
use crate::features::Features;
use crate::network::{self, Networks};
use crate::state::{Before, State};
use crate::weights::Weights;
use columns_core::beam::{
    self, Budget, Children, Clock, Domain, Found, Node, Rank, Settings, RESERVES,
};
use columns_core::case::{Case, MATCH_POINTS};
use columns_core::field::{Chain, Field};
use columns_core::isa::{self, Cpu, Isa, Kernel};
use columns_core::plan::{Placement, Plan};

/// A plan and what it took to find it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The plan.
    pub plan: Plan,
    /// Points of its placements.
    pub points: u64,
    /// What the search found and spent.
    pub found: Found<Op>,
}

/// Who plays: what states are valued by.
#[derive(Debug, Clone, Copy)]
pub struct Player<'a> {
    /// The weights.
    pub weights: &'a Weights,
    /// The learned evaluation, or none.
    pub network: Option<Networks<'a>>,
}

impl Player<'_> {
    /// How its beam is filled.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            built_per_place: self.weights.built,
            siblings: self.weights.siblings as usize,
            ..Settings::default()
        }
    }
}

/// Plays a case with the learned evaluation in use. `clock` counts the seconds since the process
/// started.
pub fn solve(case: &Case, weights: &Weights, budget: Budget, clock: Clock, cpu: Cpu) -> Solution {
    let player = Player {
        weights,
        network: network::in_use(),
    };
    play(case, player, budget, clock, cpu, ())
}

/// Plays a case in sight of an observer. Each kind of observer is a search of its own to the
/// compiler, and a dear one: other crates call [`solve`], [`play_metered`](crate::meter::play_metered)
/// or [`play_watched`](crate::watch::play_watched).
pub(crate) fn play<V: Observer>(
    case: &Case,
    player: Player,
    budget: Budget,
    clock: Clock,
    cpu: Cpu,
    watch: V,
) -> Solution {
    isa::run(
        cpu,
        Job {
            case,
            player,
            budget,
            clock,
            watch,
        },
    )
}

/// Who is told of the states of a search; `()` does not listen, and in the submission, which is built
/// without features, there is nobody else. See [`Watch`](crate::watch::Watch) for
/// one that knows nothing of their types.
pub trait Observer {
    /// Whether there is anybody.
    const LISTENS: bool = true;
    /// All states of a layer that were evaluated, and what the learned part sees of them; the
    /// first time the root.
    #[cfg(feature = "cli")]
    fn evaluated<I: Isa, const W: usize, const P: usize>(
        &mut self,
        _game: Columns<'_, I, W, P, ()>,
        _layer: usize,
        _states: &[Node<State<W, P>>],
        _features: Vec<Features>,
    ) {
    }
    /// The children of a state were listed, so many of them; or a layer of states was evaluated; or
    /// neither. So many steps of chains were played for it, one more for each chain.
    fn worked(&mut self, _listed: Option<usize>, _evaluated: usize, _steps: u32) {}
    /// Those that survived, best first.
    fn survived<const W: usize, const P: usize>(
        &mut self,
        _layer: usize,
        _states: &[Node<State<W, P>>],
    ) {
    }
    /// The states on the way to the best one, after the search.
    #[cfg(feature = "cli")]
    fn best<const W: usize, const P: usize>(&mut self, _states: Vec<(State<W, P>, Features)>) {}
}

impl Observer for () {
    const LISTENS: bool = false;
}

struct Job<'a, V> {
    case: &'a Case,
    player: Player<'a>,
    budget: Budget,
    clock: Clock<'a>,
    watch: V,
}

impl<V: Observer> Kernel for Job<'_, V> {
    type Output = Solution;

    /// Picks the simulator for the size and the palette. The search itself is not
    /// inlined here; it enters the processor's features for each of its kernels.
    fn run<I: Isa>(self, isa: I) -> Solution {
        match self.case.width() {
            ..=6 => self.planes::<I, 2>(isa),
            _ => self.planes::<I, 4>(isa),
        }
    }
}

impl<V: Observer> Job<'_, V> {
    fn planes<I: Isa, const W: usize>(self, isa: I) -> Solution {
        match self.case.palette().len() {
            ..=7 => self.search::<I, W, 3>(isa),
            8..=15 => self.search::<I, W, 4>(isa),
            _ => self.search::<I, W, 5>(isa),
        }
    }

    #[inline(never)]
    fn search<I: Isa, const W: usize, const P: usize>(self, isa: I) -> Solution {
        let Player { weights, network } = self.player;
        let mut context = Context::new(self.case, weights);
        context.described = V::LISTENS || network.is_some();
        let mut columns = Columns::<I, W, P, V>::new(isa, &context, self.player, self.watch);
        let settings = self.player.settings();
        let last = self.case.columns().len();
        let root = State::new(Field::EMPTY, 0, Before::default());
        let found = search_again(&mut columns, root, last, settings, self.budget, self.clock);
        #[cfg(feature = "cli")]
        if V::LISTENS {
            columns.walk(root, &found.path);
        }
        let placements = found.path.iter().map(|&op| {
            let (stack, shift) = stack_and_shift(op);
            Placement { stack, shift }
        });
        Solution {
            plan: Plan {
                placements: placements.collect(),
            },
            points: found.score as u64 * MATCH_POINTS,
            found,
        }
    }
}

/// A game is played again where the beam can be so many times as wide.
const WIDER: f64 = 1.5;
/// And no oftener.
const PASSES: usize = 4;

/// Searches. A game that is lost early leaves most of the budget: it is then played again, by a beam that
/// is as wide as it can be for about as many columns. The best plan counts.
fn search_again<D: Domain>(
    domain: &mut D,
    root: D::State,
    last: usize,
    mut settings: Settings,
    mut budget: Budget,
    clock: Clock,
) -> Found<D::Op> {
    let mut began = clock();
    let mut best = beam::search(domain, root, last, &settings, budget, clock);
    let (mut depth, mut spent_nodes) = (best.depth, best.nodes);
    for _ in 1..PASSES {
        let now = clock();
        let (spent, left) = match &mut budget {
            Budget::Width(_) => break,
            Budget::Nodes(limit) => {
                *limit = limit.saturating_sub(spent_nodes);
                (spent_nodes as f64, *limit as f64)
            }
            Budget::Until(end) => (now - began, *end - now),
        };
        settings.horizon = Settings::horizon_after(depth);
        let wider = left * depth as f64 / spent / settings.horizon.min(last) as f64;
        if depth == last || wider.is_nan() || wider < WIDER {
            break;
        }
        began = now;
        let found = beam::search(domain, root, last, &settings, budget, clock);
        (depth, spent_nodes) = (found.depth, found.nodes);
        best = best.or(found);
    }
    best
}

/// The Columns Game as the beam sees it.
#[derive(Clone, Copy)]
pub struct Columns<'a, I, const W: usize, const P: usize, V> {
    pub(crate) isa: I,
    pub(crate) context: &'a Context<W>,
    pub(crate) player: Player<'a>,
    watch: V,
}

impl<'a, I: Isa, const W: usize, const P: usize, V: Observer> Columns<'a, I, W, P, V> {
    pub(crate) fn new(isa: I, context: &'a Context<W>, player: Player<'a>, watch: V) -> Self {
        Self {
            isa,
            context,
            player,
            watch,
        }
    }

    /// Evaluates a state of layer `layer`, and returns what was seen if somebody watches.
    pub(crate) fn look(&self, layer: usize, state: &mut State<W, P>) -> Option<Features> {
        let mut features = Vec::new();
        self.isa.enter(Evaluate {
            context: self.context,
            network: self.player.network,
            seen: V::LISTENS.then_some(&mut features),
            placed: layer,
            states: std::iter::once(state),
        });
        features.pop()
    }

    /// Shows the states on the path.
    #[cfg(feature = "cli")]
    fn walk(&mut self, root: State<W, P>, path: &[Op]) {
        let mut best = Vec::new();
        let mut state = root;
        for layer in 0..=path.len() {
            if layer > 0 {
                state = self.build(layer - 1, &state, path[layer - 1]);
            }
            if let Some(features) = self.look(layer, &mut state) {
                best.push((state, features));
            }
        }
        self.watch.best(best);
    }
}

impl<I: Isa, const W: usize, const P: usize, V: Observer> Domain for Columns<'_, I, W, P, V> {
    type State = State<W, P>;
    type Op = Op;

    fn expand(&mut self, layer: usize, state: &Self::State, children: &mut Children<Op>) {
        let kernel = Expand {
            context: self.context,
            placed: layer,
            state,
            children,
            steps: 0,
        };
        let (listed, steps) = self.isa.enter(kernel);
        self.watch.worked(Some(listed), 0, steps);
    }

    fn build(&mut self, layer: usize, parent: &Self::State, op: Op) -> Self::State {
        let kernel = Build {
            context: self.context,
            placed: layer,
            parent,
            op,
        };
        let (child, steps) = self.isa.enter(kernel);
        self.watch.worked(None, 0, steps);
        child
    }

    fn hash(&self, state: &Self::State) -> u64 {
        state.hash()
    }

    fn evaluate(&mut self, layer: usize, nodes: &mut [Node<Self::State>]) {
        let mut features = Vec::new();
        let kernel = Evaluate {
            context: self.context,
            network: self.player.network,
            seen: V::LISTENS.then_some(&mut features),
            placed: layer,
            states: nodes.iter_mut().map(|node| &mut node.state),
        };
        let steps = self.isa.enter(kernel);
        self.watch.worked(None, nodes.len(), steps);
        #[cfg(feature = "cli")]
        if V::LISTENS {
            let game = Columns::new(self.isa, self.context, self.player, ());
            self.watch.evaluated(game, layer, nodes, features);
        }
    }

    fn survivors(&mut self, layer: usize, nodes: &[Node<Self::State>]) {
        self.watch.survived(layer, nodes);
    }

    fn rank(&self, state: &Self::State) -> Rank {
        state.rank
    }

    fn reserves(&self, layer: usize) -> [f64; RESERVES] {
        let context = self.context;
        let crowded = f64::from(context.crowd[layer - 1]) / f64::from(CROWDED);
        let reserve = context.share + crowded * context.share_crowded;
        [reserve, context.share_refuge]
    }

    fn score(&self, state: &Self::State) -> i64 {
        i64::from(state.points)
    }
}

/// Plays one placement.
pub(crate) struct Build<'a, const W: usize, const P: usize> {
    pub(crate) context: &'a Context<W>,
    pub(crate) placed: usize,
    pub(crate) parent: &'a State<W, P>,
    pub(crate) op: Op,
}

impl<const W: usize, const P: usize> Kernel for Build<'_, W, P> {
    type Output = (State<W, P>, u32);

    /// Returns the child, and how many steps its chain had.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (State<W, P>, u32) {
        let (x, shift) = stack_and_shift(self.op);
        let parent = self.parent;
        let column = self.context.columns[self.placed].map(|jewels| turned(jewels, shift));
        let placed = parent.field.placed(isa, self.context.height, x, column);
        // One that does not fit is no child.
        let (chain, field) = placed.unwrap_or((Chain::default(), parent.field));
        let mut child = State::new(field, parent.points + chain.points, Before::of(parent));
        if let (Some(jewels), true) = (column, self.op & ASIDE != 0) {
            // It lies on top of what the chain leaves.
            let rest = &parent.rest;
            let y = rest.stack_height(x);
            child.potential = parent.potential;
            child.rest = rest.held(isa, x, y, jewels).field();
        }
        (child, chain.steps)
    }
}

/// Evaluates states after `placed` columns.
struct Evaluate<'a, const W: usize, S> {
    context: &'a Context<W>,
    network: Option<Networks<'a>>,
    seen: Option<&'a mut Vec<Features>>,
    placed: usize,
    states: S,
}

impl<'s, const W: usize, const P: usize, S> Kernel for Evaluate<'_, W, S>
where
    S: Iterator<Item = &'s mut State<W, P>>,
{
    type Output = u32;

    /// Returns how many steps of chains were played.
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> u32 {
        let mut steps = 0;
        let context = self.context;
        let colours = context.colours[self.placed];
        let network = self.network.map(|networks| networks.of(colours));
        for state in self.states {
            let (potential, survey) =
                context.potential(isa, &state.field, self.placed, state.known());
            steps += survey.steps;
            state.potential = potential;
            state.rest = survey.rest;
            if context.described {
                let features = context.describe(state, &survey, self.placed);
                if let (Some(network), false) = (network, context.over(self.placed)) {
                    state.learned = network.value(isa, &features);
                }
                if let Some(seen) = &mut self.seen {
                    seen.push(features);
                }
            }
            let rest = context.worth(potential.chain) + potential.features;
            let room = context.room(&state.field);
            state.rank = context.rank(self.placed, state.points, rest, state.learned, room);
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::game::Game;

    fn solved(case: &Case, budget: Budget) -> Solution {
        solve(case, &Weights::default(), budget, &|| 0.0, Cpu::detect())
    }

    #[test]
    fn the_last_column_is_placed_where_it_pays_most() {
        let mut paid = 0;
        for seed in 0..100_u64 {
            let letter = |i: u64| {
                let mixed = (seed * 90 + i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (b'a' + (mixed >> 40) as u8 % 5) as char
            };
            let column = |i: u64| [3 * i, 3 * i + 1, 3 * i + 2].map(letter).iter().collect();
            let columns: Vec<String> = (0..30).map(column).collect();
            let case: Case = format!("6 13\n30\n{}\n", columns.join("\n"))
                .parse()
                .unwrap();
            let found = solved(&case, Budget::Width(1));
            let (last, start) = match found.plan.placements.split_last() {
                Some((&last, start)) if start.len() == 29 => (last, start),
                // Nothing pays any more.
                _ => continue,
            };
            let points = |placement| {
                let mut game = Game::new(&case);
                for &placement in start {
                    game.play(placement).unwrap();
                }
                game.play(placement).map_or(0, |_| game.points())
            };
            let places =
                (0..6).flat_map(|stack| (0..3).map(move |shift| Placement { stack, shift }));
            let most = places.map(points).max().unwrap();
            assert_eq!(points(last), most, "seed {seed}");
            assert_eq!(most, found.points);
            paid += 1;
        }
        assert!(paid > 20, "{paid}");
    }

    #[test]
    fn a_game_goes_on_where_nothing_more_is_to_be_had() {
        for (text, points) in [
            ("6 13\n3\nabc\ndef\nghi\n", 0),
            ("6 13\n4\naaa\nbcd\nefg\nhij\n", 47),
        ] {
            let case: Case = text.parse().unwrap();
            for budget in [Budget::Width(1), Budget::Nodes(500)] {
                let solution = solved(&case, budget);
                assert_eq!(solution.points, points, "{text}");
                assert_eq!(
                    solution.plan.placements.len(),
                    case.columns().len(),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_game_that_is_lost_early_is_played_again_by_a_wider_beam() {
        // 26 colours, as evenly mixed as may be: nobody outlives it.
        let letter = |i: usize| (b'a' + (i * i * 7 % 53 % 26) as u8) as char;
        let column = |i: usize| [3 * i, 3 * i + 1, 3 * i + 2].map(letter).iter().collect();
        let columns: Vec<String> = (0..3000).map(column).collect();
        let text = format!("6 13\n3000\n{}\n", columns.join("\n"));
        let case: Case = text.parse().unwrap();
        let limit = 150_000;
        let once = solved(&case, Budget::Width((limit / 3000 / 3) as usize));
        let again = solved(&case, Budget::Nodes(limit));
        let depths = format!("{} {}", once.found.depth, again.found.depth);
        assert!(once.found.depth < 1000, "{depths}");
        assert!(again.found.nodes > limit / 2 && again.found.nodes <= limit);
        assert!(again.found.nodes > 5 * once.found.nodes);
        assert!(again.points > once.points, "{depths}");
        assert!(again.found.layers > again.found.depth);
        assert_eq!(again.plan.placements.len(), again.found.path.len());
    }
}
