//! Searches again, until the budget is spent.

use super::game::{Game, Observer};
use super::search::{SearchResult, search};
use super::width::{Budget, Clock, Settings};

/// The share of the budget that may be left over.
const MAX_LEFT: f64 = 0.05;
/// The maximum number of searches.
const MAX_SEARCHES: usize = 12;

/// Searches like [`search`], and returns the best result. The game may end before layer `last`, by its
/// rules or for lack of moves, or its beam may have no time to grow. Either leaves a part of the
/// budget, with which the game is searched again, until at most 5 % are left. If the game ended early,
/// the rest is divided over half as many layers again as the deepest search reached.
pub fn search_again<G: Game<Q>, O: Observer<G, Q>, const Q: usize>(
    game: &mut G,
    root: G::Child,
    last: usize,
    settings: &Settings,
    budget: Budget,
    clock: Clock,
    observer: &mut O,
) -> SearchResult<G::Move>
where
    G::Child: Copy,
{
    let (start, mut settings) = (clock(), *settings);
    let mut best = search(game, root, last, &settings, budget, clock, observer);
    let (mut depth, mut costs) = (best.depth, (best.nodes, best.survivors));
    for _ in 1..MAX_SEARCHES {
        if best.complete || best.panicked {
            break;
        }
        let (rest, share) = match budget {
            Budget::Width(_) => break,
            Budget::Nodes(limit) => {
                let left = limit.saturating_sub(best.nodes);
                (Budget::Nodes(left), left as f64 / limit as f64)
            }
            Budget::Until(end) => (budget, (end - clock()) / (end - start)),
        };
        if depth < last {
            settings.planned_layers = Settings::planned_after(depth);
        }
        let is_enough = match rest {
            // A beam of one state builds more than this, whatever is left.
            Budget::Nodes(left) => depth < last && left > settings.planned_layers as u64,
            _ => true,
        };
        // The share of an empty budget is not a number.
        if !is_enough || share.is_nan() || share < MAX_LEFT {
            break;
        }
        settings.first_width = settings.first_width.max(costs.1 as usize / depth.max(1));
        let result = search(game, root, last, &settings, rest, clock, observer);
        depth = depth.max(result.depth);
        // The beam may be as wide as it can be.
        let is_same = costs == (result.nodes, result.survivors);
        costs = (result.nodes, result.survivors);
        best = best.better_of(result);
        if is_same {
            break;
        }
    }
    best
}
