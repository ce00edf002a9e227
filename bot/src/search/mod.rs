//! The beam search over the columns of a case.
//!
//! * `player`: the weights and networks that evaluate a state; `machine`: the instruction set and the threads
//!   of a search;
//! * [`moves`]: a move; [`children`]: ranks the children of a state without building them;
//! * [`game`]: the game as the beam search of `columns-core` sees it.

pub mod children;
pub mod game;
pub(crate) mod machine;
pub mod moves;
pub(crate) mod player;

use crate::eval::context::Context;
use crate::eval::quotas::QUOTA_COUNT;
use crate::eval::state::State;
use crate::eval::weights::Weights;
use crate::learned::networks;
use crate::search::game::ColumnsGame;
pub use crate::search::machine::Machine;
use crate::search::moves::Move;
pub use crate::search::player::Player;
use columns_core::beam::{self, Budget, Clock, Meter, Observer, SearchResult, Settings};
use columns_core::field::{Field, Layout, LayoutTask};
use columns_core::rules::case::{Case, MATCH_POINTS};
use columns_core::rules::plan::Plan;

/// A plan, and the statistics of the search that found it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The plan to print.
    pub plan: Plan,
    /// The points that the plan scores, as the problem statement counts them.
    pub points: u64,
    /// The result of the search, with the numbers of layers, states and children.
    pub search: SearchResult<Move>,
}

/// Plays a case with the built-in networks. If the search panics, continues with the best moves so far.
/// `clock` returns the time in seconds, from any origin; [`Budget::Deadline`] is a time on this clock.
pub fn solve(
    case: &Case,
    weights: &Weights,
    budget: Budget,
    clock: Clock,
    machine: Machine,
) -> Solution {
    let player = Player {
        weights,
        networks: networks::built_in_networks(),
    };
    let meter = &|_: &_| clock();
    let observer = &mut ();
    let mut search = Search::new(case, player, budget, meter, machine, observer);
    search.catch_panics = true;
    smallest_layout(case).run(search)
}

/// Plays a case with the evaluation of `player`. `clock` returns the time in seconds, from any origin;
/// [`Budget::Deadline`] is a time on this clock.
pub fn play(
    case: &Case,
    player: Player,
    budget: Budget,
    clock: Clock,
    machine: Machine,
) -> Solution {
    let meter = &|_: &_| clock();
    let observer = &mut ();
    let search = Search::new(case, player, budget, meter, machine, observer);
    smallest_layout(case).run(search)
}

/// Returns the smallest layout with room for the field and the colours of a case.
pub(crate) fn smallest_layout(case: &Case) -> Layout {
    Layout::smallest(case.width(), case.palette().len())
}

/// The search for the plan of a case.
pub(crate) struct Search<'a, O> {
    pub(crate) case: &'a Case,
    pub(crate) player: Player<'a>,
    pub(crate) budget: Budget,
    pub(crate) meter: Meter<'a>,
    pub(crate) machine: Machine,
    /// True if a panic ends only the search. See [`Settings::catch_panics`](beam::Settings::catch_panics).
    pub(crate) catch_panics: bool,
    pub(crate) observer: &'a mut O,
}

impl<'a, O> Search<'a, O> {
    /// Creates a search that evaluates states as `player` does, and does not catch panics.
    pub(crate) fn new(
        case: &'a Case,
        player: Player<'a>,
        budget: Budget,
        meter: Meter<'a>,
        machine: Machine,
        observer: &'a mut O,
    ) -> Self {
        Self {
            case,
            player,
            budget,
            meter,
            machine,
            catch_panics: false,
            observer,
        }
    }
}

impl<O, const W: usize, const P: usize> LayoutTask<W, P> for Search<'_, O>
where
    for<'g> O: Observer<ColumnsGame<'g, W, P>, QUOTA_COUNT>,
{
    type Output = Solution;

    #[inline(never)]
    fn run(self) -> Solution {
        let Self {
            case,
            player,
            machine,
            observer,
            ..
        } = self;
        let context = Context::new(case, player.weights);
        let mut game = ColumnsGame::<W, P>::new(machine.cpu, &context, player, 0);
        let root = State::root(Field::EMPTY, 0);
        let last_layer = case.columns().len();
        let mut settings = player.settings();
        if self.catch_panics {
            settings = settings.catch_panics();
        }
        let (budget, meter) = (self.budget, self.meter);
        let game = &mut game;
        let mut search_once = |settings: &Settings, budget, meter: Meter| {
            #[cfg(not(feature = "threads"))]
            let result = beam::search(game, root, last_layer, settings, budget, meter, observer);
            #[cfg(feature = "threads")]
            let result = {
                let settings = &settings.with_threads(machine.threads);
                beam::search_on_threads(game, root, last_layer, settings, budget, meter, observer)
            };
            result
        };
        let mut search =
            beam::search_repeatedly(last_layer, &settings, budget, meter, &mut search_once);
        // If the path ends before the last column, for example because the time was up, place the remaining
        // columns too. This cannot lose points.
        if search.path.len() < last_layer {
            search.score = i64::from(game.extend_with_quickstart(&mut search.path));
        }
        observer.on_best_path(game, root, &search.path);
        Solution {
            plan: Plan {
                placements: search.path.iter().map(|mv| mv.placement()).collect(),
            },
            points: search.score as u64 * MATCH_POINTS,
            search,
        }
    }
}
