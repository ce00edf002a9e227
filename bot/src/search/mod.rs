//! The beam search over the columns of a case.
//!
//! * `simulator`: chooses the simulator for a case; `player`: the weights and networks that
//!   evaluate a state;
//! * [`moves`]: a move; [`children`]: ranks the children of a state without building them;
//!   [`admission`]: the threshold that a child must beat to be listed;
//! * `game`: the game as the beam search of `columns-core` sees it.

pub mod admission;
pub mod children;
pub(crate) mod game;
pub mod moves;
pub(crate) mod player;
pub(crate) mod simulator;

use crate::eval::context::Context;
use crate::eval::quotas::QUOTAS;
use crate::eval::state::Child;
use crate::eval::weights::Weights;
use crate::learned::networks;
use crate::search::game::ColumnsGame;
use crate::search::moves::Move;
pub use crate::search::player::Player;
use crate::search::simulator::Task;
use columns_core::beam::{self, Budget, Clock, Observer, SearchResult, Settings};
use columns_core::field::Field;
use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::Plan;
use columns_core::simd::Cpu;

/// A plan, and the statistics of the search that found it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The plan to print.
    pub plan: Plan,
    /// The points of the plan.
    pub points: u64,
    /// The result of the search, with the numbers of layers, states and children.
    pub found: SearchResult<Move>,
}

/// The part of the machine that a search uses. The plan does not depend on it, except under a time
/// limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cores {
    /// The instruction set.
    pub cpu: Cpu,
    /// The number of threads, 1 or more.
    #[cfg(feature = "threads")]
    pub threads: usize,
}

impl From<Cpu> for Cores {
    /// Uses one thread.
    fn from(cpu: Cpu) -> Self {
        Self {
            cpu,
            #[cfg(feature = "threads")]
            threads: 1,
        }
    }
}

/// Plays a case with the learned evaluation in use. `clock` counts the seconds since the start of
/// the program's `main`.
pub fn solve(
    case: &Case,
    weights: &Weights,
    budget: Budget,
    clock: Clock,
    cores: impl Into<Cores>,
) -> Solution {
    let player = Player {
        weights,
        network: networks::in_use(),
    };
    play(case, player, budget, clock, cores)
}

/// Plays a case with the evaluation of `player`. `clock` counts the seconds since the start of the
/// program's `main`.
pub fn play(
    case: &Case,
    player: Player,
    budget: Budget,
    clock: Clock,
    cores: impl Into<Cores>,
) -> Solution {
    let search = Search {
        case,
        player,
        budget,
        clock,
        cores: cores.into(),
        observer: &mut (),
    };
    simulator::run_task(case, search)
}

/// The search for a case's plan.
pub(crate) struct Search<'a, O> {
    pub(crate) case: &'a Case,
    pub(crate) player: Player<'a>,
    pub(crate) budget: Budget,
    pub(crate) clock: Clock<'a>,
    pub(crate) cores: Cores,
    pub(crate) observer: &'a mut O,
}

impl<O, const W: usize, const P: usize> Task<W, P> for Search<'_, O>
where
    for<'g> O: Observer<ColumnsGame<'g, W, P>, QUOTAS>,
{
    type Output = Solution;

    #[inline(never)]
    fn run(self) -> Solution {
        let context = Context::new(self.case, self.player.weights);
        let mut game = ColumnsGame::<W, P>::new(self.cores.cpu, &context, self.player, 0);
        let last = self.case.columns().len();
        let settings = Settings {
            #[cfg(feature = "threads")]
            threads: self.cores.threads,
            ..self.player.settings()
        };
        let mut found = search_again(
            &mut game,
            last,
            settings,
            self.budget,
            self.clock,
            self.observer,
        );
        // If the time was up before the game was over, place the remaining columns too: that cannot
        // lose points.
        if found.path.len() < last {
            found.score = i64::from(game.play_on(&mut found.path));
        }
        let root = Child::first(Field::EMPTY, 0);
        self.observer.played(&mut game, root, &found.path);
        Solution {
            plan: Plan {
                placements: found.path.iter().map(|mv| mv.placement()).collect(),
            },
            points: found.score as u64 * MATCH_POINTS,
            found,
        }
    }
}

/// The minimum factor by which the beam must become wider for a game to be played again.
const WIDER: f64 = 1.5;
/// The maximum number of searches of one game.
const PASSES: usize = 4;

/// Searches up to [`PASSES`] times and returns the best result. A game that is lost early leaves
/// most of the budget unused. It is then played again, with a wider beam that spends the rest of
/// the budget on about 1.5 times as many columns as the previous game lasted.
fn search_again<'g, O, const W: usize, const P: usize>(
    game: &mut ColumnsGame<'g, W, P>,
    last: usize,
    mut settings: Settings,
    mut budget: Budget,
    clock: Clock,
    observer: &mut O,
) -> SearchResult<Move>
where
    O: Observer<ColumnsGame<'g, W, P>, QUOTAS>,
{
    let mut search_once = |settings: &Settings, budget| {
        let root = Child::first(Field::EMPTY, 0);
        beam::search(game, root, last, settings, budget, clock, observer)
    };
    let mut began = clock();
    let mut best = search_once(&settings, budget);
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
        settings.planned_layers = Settings::planned_after(depth);
        let wider = left * depth as f64 / spent / settings.planned_layers.min(last) as f64;
        if depth == last || wider.is_nan() || wider < WIDER {
            break;
        }
        began = now;
        let found = search_once(&settings, budget);
        (depth, spent_nodes) = (found.depth, found.nodes);
        best = best.better_of(found);
    }
    best
}
