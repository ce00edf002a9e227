//! The placement that the bot recommends, with the reason.

use crate::evaluation::bot_player;
use crate::words::{column_letters, count_text, placement_text};
use columns_bot::Weights;
use columns_bot::observe::explain::{Advice, EvaluatedPlacement, advise};
use columns_core::beam::Budget;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simd::Cpu;
use columns_core::text::group_digits;
use serde::Serialize;
use std::cmp::Ordering;

/// The recommendation as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct Hint {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    pub(crate) shift: usize,
    /// The shifted column, bottom to top.
    pub(crate) column: String,
    /// The plan so far, followed by the bot's line.
    pub(crate) plan: String,
    /// Points that the bot's line scores.
    pub(crate) points: u64,
    /// The recommendation and its reason, in a few sentences.
    pub(crate) text: String,
}

/// Recommends a placement after `start`, based on a search of up to `depth` columns with a budget of
/// `nodes` states. Returns `None` if no placement fits, no column is left, or `start` cannot be played.
pub(crate) fn recommend(
    case: &Case,
    start: &[Placement],
    depth: usize,
    nodes: u64,
    clock: &dyn Fn() -> f64,
) -> Option<Hint> {
    let weights = Weights::default();
    let (budget, cpu) = (Budget::Nodes(nodes.max(1)), Cpu::detect());
    let (view, advice) = advise(case, start, depth, bot_player(&weights), budget, clock, cpu)?;
    let best = view.placements.first()?.placement;
    let choice = advice.placements.first().copied().unwrap_or(best);
    // Shifts that result in the same column share an entry of `view.placements`.
    let column = *case.columns().get(start.len())?;
    let outcome = |p: Placement| (p.stack, column.shifted(p.shift));
    let evaluated = view
        .placements
        .iter()
        .find(|w| outcome(w.placement) == outcome(choice))?;
    let before = view.best_chain.as_ref().map_or(0, |chain| chain.points);
    let mut plan = Plan {
        placements: [start, &advice.placements].concat(),
    };
    if advice.placements.is_empty() {
        plan.placements.push(choice);
    }
    Some(Hint {
        stack: choice.stack,
        shift: choice.shift,
        column: column_letters(column, choice.shift),
        plan: plan.to_string(),
        points: advice.points,
        text: format!(
            "Bot: {}. {} {}. {}{}",
            placement_text(choice.stack, choice.shift),
            immediate_text(evaluated),
            best_chain_text(evaluated, before),
            line_text(&advice, depth.min(case.columns().len() - start.len())),
            preference(evaluated, &view.placements[0], column)
        ),
    })
}

/// Explains why the bot does not recommend the placement with the highest value; empty if it does recommend
/// that placement.
fn preference(chosen: &EvaluatedPlacement, highest: &EvaluatedPlacement, column: Column) -> String {
    if chosen.placement == highest.placement {
        return String::new();
    }
    let Placement { stack, shift } = highest.placement;
    format!(
        " Position {}, {} has the higher value now ({} against {}), \
         but the search found no better line from it.",
        stack + 1,
        column_letters(column, shift),
        group_digits(highest.value.max(0.0) as u64),
        group_digits(chosen.value.max(0.0) as u64)
    )
}

/// Describes the points that a placement scores immediately.
fn immediate_text(evaluated: &EvaluatedPlacement) -> String {
    match (evaluated.points, evaluated.steps) {
        (0, _) => "It clears nothing now".to_string(),
        (points, 0) => format!("Magic pays {} points now", group_digits(points)),
        (points, steps) => format!(
            "It sets off a chain of {} for {} points now",
            count_text(steps, "step", "steps"),
            group_digits(points)
        ),
    }
}

/// Describes the best chain after the placement. `before` is the number of points of the best chain before
/// the placement; 0 if there was none.
fn best_chain_text(evaluated: &EvaluatedPlacement, before: u64) -> String {
    let Some(chain) = &evaluated.best_chain else {
        return "and leaves no chain ready".to_string();
    };
    let change = match (chain.points.cmp(&before), evaluated.points) {
        (Ordering::Greater, _) => "and extends the ready chain to",
        (Ordering::Equal, _) => "and keeps the ready chain of",
        (Ordering::Less, 0) => "and leaves a ready chain of",
        (Ordering::Less, _) => "and still leaves a ready chain of",
    };
    let steps = count_text(chain.steps, "step", "steps");
    format!("{change} {steps} ({} points)", group_digits(chain.points))
}

/// Describes the points of the bot's line over the next `columns` columns.
fn line_text(advice: &Advice, columns: usize) -> String {
    let line = match advice.points {
        0 => "no line that scores".to_string(),
        points => format!("{} points this way", group_digits(points)),
    };
    let columns = count_text(columns, "column", "columns");
    format!("Looking {columns} ahead, it found {line}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::replay;

    #[test]
    fn a_hint_gives_its_reason() {
        // Only a horizontal line of three `a`, completed at position 3, scores.
        let case: Case = "6 13\n3\nabc\nacb\nadd\n".parse().unwrap();
        let start = [(0, 0), (1, 0)].map(|(stack, shift)| Placement { stack, shift });
        let hint = recommend(&case, &start, 60, 500, &|| 0.0).unwrap();
        let text = hint.text;
        assert!(hint.stack == 2 && hint.plan.starts_with("3\n"), "{text}");
        assert_eq!(hint.points, 47);
        let line = Plan::parse(&hint.plan, 6, 3).unwrap();
        assert!(line.placements.starts_with(&start));
        let end = "It sets off a chain of 1 step for 47 points now and leaves no chain ready. \
             Looking 1 column ahead, it found 47 points this way.";
        assert!(text.starts_with("Bot: position 3, "), "{text}");
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_line_scores_its_points_in_a_game() {
        // A horizontal line of three `a` scores 47; the last column must land on position 3.
        let case: Case = "6 13\n3\nabc\nacb\nadd\n".parse().unwrap();
        let mut start = [(0, 0), (1, 0)]
            .map(|(stack, shift)| Placement { stack, shift })
            .to_vec();
        let best = recommend(&case, &start, 1, 500, &|| 0.0).unwrap();
        let plan = Plan::parse(&best.plan, 6, 3).unwrap();
        assert_eq!(replay::score(&case, &plan).points, best.points);
        assert_eq!((best.stack, best.shift, best.points), (2, 0, 47));
        // On another stack the last column scores nothing, and the game is over.
        let (stack, shift) = (5, 0);
        start.push(Placement { stack, shift });
        assert!(recommend(&case, &start, 0, 500, &|| 0.0).is_none());
    }
}
