//! The beam search over the columns of a case.
//!
//! * `simulator`: chooses the simulator for a case; `player`: the weights and networks that
//!   evaluate a state; `machine`: the part of the machine in use;
//! * [`moves`]: a move; [`children`]: ranks the children of a state without building them;
//!   [`admission`]: the threshold that a child must beat to be listed;
//! * [`game`]: the game as the beam search of `columns-core` sees it.

pub mod admission;
pub mod children;
pub mod game;
pub(crate) mod machine;
pub mod moves;
pub(crate) mod player;
pub(crate) mod simulator;

use crate::eval::context::Context;
use crate::eval::quotas::QUOTAS;
use crate::eval::state::Child;
use crate::eval::weights::Weights;
use crate::learned::networks;
use crate::search::game::ColumnsGame;
pub use crate::search::machine::Machine;
use crate::search::moves::Move;
pub use crate::search::player::Player;
use crate::search::simulator::Task;
use columns_core::beam::{self, Budget, Clock, Observer, SearchResult, Settings};
use columns_core::field::Field;
use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::Plan;

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

/// Plays a case with the learned evaluation in use. `clock` counts the seconds since the start of
/// the program's `main`.
pub fn solve(
    case: &Case,
    weights: &Weights,
    budget: Budget,
    clock: Clock,
    machine: impl Into<Machine>,
) -> Solution {
    let player = Player {
        weights,
        network: networks::in_use(),
    };
    play(case, player, budget, clock, machine)
}

/// Plays a case with the evaluation of `player`. `clock` counts the seconds since the start of the
/// program's `main`.
pub fn play(
    case: &Case,
    player: Player,
    budget: Budget,
    clock: Clock,
    machine: impl Into<Machine>,
) -> Solution {
    let search = Search {
        case,
        player,
        budget,
        clock,
        machine: machine.into(),
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
    pub(crate) machine: Machine,
    pub(crate) observer: &'a mut O,
}

impl<O, const W: usize, const P: usize> Task<W, P> for Search<'_, O>
where
    for<'g> O: Observer<ColumnsGame<'g, W, P>, QUOTAS>,
{
    type Output = Solution;

    #[inline(never)]
    fn run(mut self) -> Solution {
        let context = Context::new(self.case, self.player.weights);
        let mut game = ColumnsGame::<W, P>::new(self.machine.cpu, &context, self.player, 0);
        let mut found = self.search_again(&mut game);
        // If the time was up before the game was over, place the remaining columns too: that cannot
        // lose points.
        if found.path.len() < self.case.columns().len() {
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
const MIN_WIDENING: f64 = 1.5;
/// The maximum number of searches of one game.
const MAX_SEARCHES: usize = 4;

impl<O> Search<'_, O> {
    /// Searches up to [`MAX_SEARCHES`] times and returns the best result. A game that is lost early
    /// leaves most of the budget unused. It is then played again, with a wider beam that spends the
    /// rest of the budget on about 1.5 times as many columns as the previous game lasted.
    fn search_again<'g, const W: usize, const P: usize>(
        &mut self,
        game: &mut ColumnsGame<'g, W, P>,
    ) -> SearchResult<Move>
    where
        O: Observer<ColumnsGame<'g, W, P>, QUOTAS>,
    {
        let (last, clock, mut budget) = (self.case.columns().len(), self.clock, self.budget);
        let mut settings = self.player.settings(self.machine);
        let mut search_once = |settings: &Settings, budget| {
            let root = Child::first(Field::EMPTY, 0);
            beam::search(game, root, last, settings, budget, clock, self.observer)
        };
        let mut began = clock();
        let mut best = search_once(&settings, budget);
        let (mut depth, mut spent_nodes) = (best.depth, best.nodes);
        for _ in 1..MAX_SEARCHES {
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
            if depth == last || wider.is_nan() || wider < MIN_WIDENING {
                break;
            }
            began = now;
            let found = search_once(&settings, budget);
            (depth, spent_nodes) = (found.depth, found.nodes);
            best = best.better_of(found);
        }
        best
    }
}
