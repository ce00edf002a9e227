//! Repeats a search while enough of its budget is left.

use super::costs::Costs;
use super::search::SearchResult;
use super::width::{Budget, Meter, Settings};

/// Another search starts only if at least this share of the budget is left.
const MAX_UNSPENT_SHARE: f64 = 0.05;
const MAX_SEARCHES: usize = 12;

/// Calls `search`, repeats it with the rest of the budget, and returns the best result. The closure passes
/// its settings, budget and meter to [`search`](super::search()) or a similar function. A search leaves part
/// of its budget unspent if the game ends before layer `last_layer`, by its rules or for lack of moves, or if
/// the beam has no time to grow. After an early end, the next search plans for 1.5 times as many layers as
/// the deepest search has reached, plus 10.
///
/// Stops if less than 5 % of the budget is left, if the best result is [complete](SearchResult::is_complete),
/// after a panic, after two searches of the same size, and after 12 searches. With [`Budget::Nodes`], also
/// stops after a search that reached layer `last_layer`, or if the rest is too small for a beam of one state.
/// With [`Budget::Width`], searches only once.
pub fn search_repeatedly<M>(
    last_layer: usize,
    settings: &Settings,
    budget: Budget,
    meter: Meter,
    search: &mut dyn FnMut(&Settings, Budget, Meter) -> SearchResult<M>,
) -> SearchResult<M> {
    let (start, mut settings) = (meter(&Costs::default()), *settings);
    let mut best = search(&settings, budget, meter);
    let (mut depth, mut size) = (best.depth, (best.costs.nodes, best.survivors));
    for _ in 1..MAX_SEARCHES {
        if best.is_complete || best.panicked {
            break;
        }
        let (remaining_budget, remaining_share) = match budget {
            Budget::Width(_) => break,
            Budget::Nodes(limit) => {
                let left = limit.saturating_sub(best.costs.nodes);
                (Budget::Nodes(left), left as f64 / limit as f64)
            }
            Budget::Deadline(end) => (budget, (end - meter(&best.costs)) / (end - start)),
        };
        if depth < last_layer {
            settings.planned_layers = Settings::planned_layers_after(depth);
        }
        let is_enough = match remaining_budget {
            // Even a beam of one state builds a state for each planned layer, so fewer nodes are not enough.
            Budget::Nodes(left) => depth < last_layer && left > settings.planned_layers as u64,
            _ => true,
        };
        // The share of an empty budget is NaN.
        if !is_enough || remaining_share.is_nan() || remaining_share < MAX_UNSPENT_SHARE {
            break;
        }
        settings.first_width = settings.first_width.max(size.1 as usize / depth.max(1));
        let spent_costs = best.costs;
        let total = |costs: &Costs| meter(&(spent_costs + *costs));
        let result = search(&settings, remaining_budget, &total);
        depth = depth.max(result.depth);
        // If two searches are of the same size, the beam has probably reached its maximum width, and a third
        // search would not differ.
        let is_same = size == (result.costs.nodes, result.survivors);
        size = (result.costs.nodes, result.survivors);
        best = best.combine_with(result);
        if is_same {
            break;
        }
    }
    best
}
