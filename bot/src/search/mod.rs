//! The beam search over the columns of a case.
//!
//! * `simulator`: the simulator for a case; `pieces`, `context`: what stays the same through a
//!   game;
//! * `state`: a position; `children`: ranking its children without building them;
//! * `game`: the game as the beam search of `columns-core` sees it;
//! * `player`: the weights and networks that value a state.

pub(crate) mod children;
pub(crate) mod context;
pub(crate) mod game;
pub(crate) mod pieces;
pub(crate) mod player;
pub(crate) mod simulator;
pub(crate) mod state;

use crate::eval::weights::Weights;
use crate::learned::networks;
#[cfg(feature = "cli")]
use crate::observe::observer::Observer;
use crate::search::children::{stack_and_shift, Move};
use crate::search::context::Context;
use crate::search::game::ColumnsGame;
pub use crate::search::player::Player;
use crate::search::simulator::Task;
use crate::search::state::{History, State};
use columns_core::beam::{self, Budget, Clock, Game, SearchResult, Settings};
use columns_core::field::Field;
use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simd::Cpu;

/// A plan and what it took to find it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The plan.
    pub plan: Plan,
    /// Points of the plan.
    pub points: u64,
    /// What the search found and spent.
    pub found: SearchResult<Move>,
}

/// Plays a case with the learned evaluation in use. `clock` counts the seconds since the process
/// started.
pub fn solve(case: &Case, weights: &Weights, budget: Budget, clock: Clock, cpu: Cpu) -> Solution {
    let player = Player {
        weights,
        network: networks::in_use(),
    };
    play(case, player, budget, clock, cpu)
}

/// Plays a case as this player. `clock` counts the seconds since the process started.
pub fn play(case: &Case, player: Player, budget: Budget, clock: Clock, cpu: Cpu) -> Solution {
    let search = Search {
        case,
        player,
        budget,
        clock,
        cpu,
        #[cfg(feature = "cli")]
        observer: Observer::default(),
    };
    search.solve()
}

/// The search for a case's plan.
pub(crate) struct Search<'a> {
    pub(crate) case: &'a Case,
    pub(crate) player: Player<'a>,
    pub(crate) budget: Budget,
    pub(crate) clock: Clock<'a>,
    /// What to use of the processor.
    pub(crate) cpu: Cpu,
    /// Its observer.
    #[cfg(feature = "cli")]
    pub(crate) observer: Observer<'a>,
}

impl Search<'_> {
    /// Searches with the simulator for the case.
    pub(crate) fn solve(self) -> Solution {
        simulator::run(self.case, self)
    }
}

impl Task for Search<'_> {
    type Output = Solution;

    #[inline(never)]
    fn run<const W: usize, const P: usize>(self) -> Solution {
        let described = self.player.network.is_some();
        #[cfg(feature = "cli")]
        let described = described || self.observer.watch.is_some();
        let context = Context::new(self.case, self.player.weights, described);
        let mut game = ColumnsGame::<W, P>::new(self.cpu, &context, self.player, 0);
        #[cfg(feature = "cli")]
        {
            game.observer = self.observer.shorter();
        }
        let settings = self.player.settings();
        let last = self.case.columns().len();
        let root = State::new(Field::EMPTY, 0, History::default());
        let mut found = search_again(&mut game, root, last, settings, self.budget, self.clock);
        // The time may be up before the game is over. Whatever is placed then takes no point away.
        if found.path.len() < last {
            found.score = i64::from(game.play_on(root, &mut found.path));
        }
        #[cfg(feature = "cli")]
        game.show_path(root, &found.path);
        let placements = found.path.iter().map(|&mv| {
            let (stack, shift) = stack_and_shift(mv);
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

/// How many times as wide the beam must become for a game to be played again.
const WIDER: f64 = 1.5;
/// The most searches of one game.
const PASSES: usize = 4;

/// Searches. A game that is lost early leaves most of the budget: it is then played again, by a
/// beam that is as wide as it can be for about as many columns. The best plan counts.
fn search_again<D: Game>(
    game: &mut D,
    root: D::State,
    last: usize,
    mut settings: Settings,
    mut budget: Budget,
    clock: Clock,
) -> SearchResult<D::Move> {
    let mut began = clock();
    let mut best = beam::search(game, root, last, &settings, budget, clock);
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
        let found = beam::search(game, root, last, &settings, budget, clock);
        (depth, spent_nodes) = (found.depth, found.nodes);
        best = best.better_of(found);
    }
    best
}
