//! The beam search over the columns of a case.

use crate::children::{turned, Expand, Moment, Op};
use crate::context::{Context, CROWDED};
use crate::state::State;
use crate::weights::Weights;
use columns_core::beam::{
    self, Budget, Children, Clock, Domain, Found, Node, Rank, Settings, RESERVES,
};
use columns_core::case::{Case, MATCH_POINTS};
use columns_core::field::Field;
use columns_core::isa::{self, Isa, Kernel, Path};
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

/// Plays a case. `clock` counts the seconds since the process started.
pub fn solve(case: &Case, weights: &Weights, budget: Budget, clock: Clock, path: Path) -> Solution {
    isa::run(
        path,
        Job {
            case,
            weights,
            budget,
            clock,
        },
    )
}

struct Job<'a> {
    case: &'a Case,
    weights: &'a Weights,
    budget: Budget,
    clock: Clock<'a>,
}

impl Kernel for Job<'_> {
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

impl Job<'_> {
    fn planes<I: Isa, const W: usize>(&self, isa: I) -> Solution {
        match self.case.palette().len() {
            ..=7 => self.search::<I, W, 3>(isa),
            8..=15 => self.search::<I, W, 4>(isa),
            _ => self.search::<I, W, 5>(isa),
        }
    }

    #[inline(never)]
    fn search<I: Isa, const W: usize, const P: usize>(&self, isa: I) -> Solution {
        let mut columns = Columns::<I, W, P>::new(isa, Context::new(self.case, self.weights));
        let settings = Settings {
            built_per_place: self.weights.built,
            siblings: self.weights.siblings as usize,
            ..Settings::default()
        };
        let last = self.case.columns().len();
        let root = State::new(Field::EMPTY, 0);
        let found = beam::search(&mut columns, root, last, &settings, self.budget, self.clock);
        let placements = found.path.iter().map(|&op| Placement {
            stack: op as usize / 3,
            shift: op as usize % 3,
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

/// The Columns Game as the beam sees it.
pub(crate) struct Columns<I, const W: usize, const P: usize> {
    pub(crate) isa: I,
    pub(crate) context: Context<W>,
    moments: Vec<Moment<W, P>>,
}

impl<I, const W: usize, const P: usize> Columns<I, W, P> {
    pub(crate) fn new(isa: I, context: Context<W>) -> Self {
        Self {
            isa,
            context,
            moments: Vec::new(),
        }
    }
}

impl<I: Isa, const W: usize, const P: usize> Domain for Columns<I, W, P> {
    type State = State<W, P>;
    type Op = Op;

    fn expand(&mut self, layer: usize, state: &Self::State, children: &mut Children<Op>) {
        let kernel = Expand {
            context: &self.context,
            moments: &mut self.moments,
            placed: layer,
            state,
            children,
        };
        self.isa.enter(kernel);
    }

    fn build(&mut self, layer: usize, parent: &Self::State, op: Op) -> Self::State {
        let kernel = Build {
            context: &self.context,
            placed: layer,
            parent,
            op,
        };
        self.isa.enter(kernel)
    }

    fn hash(&self, state: &Self::State) -> u64 {
        let mut hash = 0_u64;
        for plane in state.field.planes() {
            for word in plane.0 {
                hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                hash ^= hash >> 32;
            }
        }
        hash
    }

    fn evaluate(&mut self, layer: usize, states: &mut [Node<Self::State>]) {
        let kernel = Evaluate {
            context: &self.context,
            placed: layer,
            states,
        };
        self.isa.enter(kernel);
    }

    fn rank(&self, state: &Self::State) -> Rank {
        state.rank
    }

    fn reserves(&self, layer: usize) -> [f64; RESERVES] {
        let context = &self.context;
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
    type Output = State<W, P>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> State<W, P> {
        let (x, shift) = (self.op as usize / 3, self.op as usize % 3);
        let mut field = self.parent.field;
        let column = self.context.columns[self.placed].map(|jewels| turned(jewels, shift));
        let chain = field.place(isa, self.context.height, x, column);
        let points = chain.map_or(0, |chain| chain.points);
        State::new(field, self.parent.points + points)
    }
}

/// Evaluates states after `placed` columns.
struct Evaluate<'a, const W: usize, const P: usize> {
    context: &'a Context<W>,
    placed: usize,
    states: &'a mut [Node<State<W, P>>],
}

impl<const W: usize, const P: usize> Kernel for Evaluate<'_, W, P> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for Node { state, .. } in self.states {
            let potential = self.context.potential(isa, &state.field, self.placed);
            let rest = self.context.worth(potential.chain) + potential.features;
            let room = self.context.room(&state.field);
            state.potential = potential;
            state.rank = self.context.rank(self.placed, state.points, rest, room);
        }
    }
}
