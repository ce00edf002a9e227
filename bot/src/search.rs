//! The beam search over the columns of a case.

use crate::children::{stack_and_shift, Op};
use crate::context::Context;
use crate::domain::ColumnsGame;
use crate::network;
#[cfg(feature = "cli")]
use crate::observer::Observer;
pub use crate::player::Player;
use crate::simulator::{self, Task};
use crate::state::{Before, State};
use crate::weights::Weights;
use columns_core::beam::{self, Budget, Clock, Domain, Found, Settings};
use columns_core::case::{Case, MATCH_POINTS};
use columns_core::field::Field;
use columns_core::isa::{Cpu, Isa};
use columns_core::plan::{Placement, Plan};

/// A plan and what it took to find it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The plan.
    pub plan: Plan,
    /// Points of the plan.
    pub points: u64,
    /// What the search found and spent.
    pub found: Found<Op>,
}

/// Plays a case with the learned evaluation in use. `clock` counts the seconds since the process
/// started.
pub fn solve(case: &Case, weights: &Weights, budget: Budget, clock: Clock, cpu: Cpu) -> Solution {
    let player = Player {
        weights,
        network: network::in_use(),
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
        #[cfg(feature = "cli")]
        observer: Observer::default(),
    };
    search.run_on(cpu)
}

/// The search for a case's plan.
pub(crate) struct Search<'a> {
    pub(crate) case: &'a Case,
    pub(crate) player: Player<'a>,
    pub(crate) budget: Budget,
    pub(crate) clock: Clock<'a>,
    /// Its observer.
    #[cfg(feature = "cli")]
    pub(crate) observer: Observer<'a>,
}

impl Search<'_> {
    /// Searches with the simulator for the case and the instructions of `cpu`.
    pub(crate) fn run_on(self, cpu: Cpu) -> Solution {
        simulator::run(self.case, cpu, self)
    }
}

impl Task for Search<'_> {
    type Output = Solution;

    #[inline(never)]
    fn run<I: Isa, const W: usize, const P: usize>(self, isa: I) -> Solution {
        let described = self.player.network.is_some();
        #[cfg(feature = "cli")]
        let described = described || self.observer.watch.is_some();
        let context = Context::new(self.case, self.player.weights, described);
        let mut game = ColumnsGame::<I, W, P>::new(isa, &context, self.player, 0);
        #[cfg(feature = "cli")]
        {
            game.observer = self.observer.shorter();
        }
        let settings = self.player.settings();
        let last = self.case.columns().len();
        let root = State::new(Field::EMPTY, 0, Before::default());
        let found = search_again(&mut game, root, last, settings, self.budget, self.clock);
        #[cfg(feature = "cli")]
        game.show_path(root, &found.path);
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

/// How many times as wide the beam must become for a game to be played again.
const WIDER: f64 = 1.5;
/// The most searches of one game.
const PASSES: usize = 4;

/// Searches. A game that is lost early leaves most of the budget: it is then played again, by a
/// beam that is as wide as it can be for about as many columns. The best plan counts.
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
