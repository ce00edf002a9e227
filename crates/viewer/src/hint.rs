//! The placement that the bot recommends, with the reason.

use crate::evaluation::{bot_player, explain_position};
use crate::line::Line;
use crate::words::{column_letters, count_text, placement_text};
use columns_bot::Weights;
use columns_bot::observe::explain::{EvaluatedPlacement, advise};
use columns_core::beam::Budget;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simd::InstructionSet;
use columns_core::text::group_digits;
use serde::Serialize;
use std::cmp::Ordering;

/// A recommended placement as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct Hint {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    pub(crate) shift: usize,
    /// The shifted column, bottom to top.
    pub(crate) column: String,
    /// The recommendation and its reason, in a few sentences.
    pub(crate) text: String,
}

/// Searches for the best line after `start`, at most `depth` columns long, with a budget of `nodes` states.
/// Returns `None` if no placement fits, no column is left, or `start` cannot be played.
pub(crate) fn find_line(
    case: &Case,
    start: &[Placement],
    depth: usize,
    nodes: u64,
    clock: &dyn Fn() -> f64,
) -> Option<Line> {
    let weights = Weights::default();
    let (budget, cpu) = (Budget::Nodes(nodes.max(1)), InstructionSet::detect());
    let (explanation, advice) =
        advise(case, start, depth, bot_player(&weights), budget, clock, cpu)?;
    let best = explanation.placements.first()?.placement;
    let mut plan = Plan {
        placements: [start, &advice.placements].concat(),
    };
    if advice.placements.is_empty() {
        plan.placements.push(best);
    }
    Line::trace(case, &plan, start.len(), plan.placements.len())
}

/// Explains the first placement of a line: the placements of `plan` from `turn` on. Returns `None` if the
/// line is empty, or if its first placement cannot be played.
pub(crate) fn describe_line(case: &Case, plan: &Plan, turn: usize) -> Option<Hint> {
    let choice = *plan.placements.get(turn)?;
    let explanation = explain_position(case, &plan.placements[..turn])?;
    // Shifts that result in the same column share an evaluated placement, so compare the columns.
    let column = *case.columns().get(turn)?;
    let outcome = |p: Placement| (p.stack, column.shifted(p.shift));
    let evaluated = explanation
        .placements
        .iter()
        .find(|evaluated| outcome(evaluated.placement) == outcome(choice))?;
    let best_chain = explanation.best_chain.as_ref();
    let before = best_chain.map_or(0, |chain| chain.points);
    let line = Line::trace(case, plan, turn, plan.placements.len())?;
    Some(Hint {
        stack: choice.stack,
        shift: choice.shift,
        column: column_letters(column, choice.shift),
        text: format!(
            "Bot: {}. {} {}. {}{}",
            placement_text(choice.stack, choice.shift),
            immediate_text(evaluated),
            best_chain_text(evaluated, before),
            line_text(&line),
            preference(evaluated, &explanation.placements[0], column)
        ),
    })
}

/// Explains why the bot does not recommend the placement with the highest value; empty if it does.
fn preference(chosen: &EvaluatedPlacement, highest: &EvaluatedPlacement, column: Column) -> String {
    if chosen.placement == highest.placement {
        return String::new();
    }
    let Placement { stack, shift } = highest.placement;
    format!(
        " Position {}, {} has the higher value now ({} against {}), \
         but no better line from it is known.",
        stack + 1,
        column_letters(column, shift),
        group_digits(highest.value.max(0.0).round() as u64),
        group_digits(chosen.value.max(0.0).round() as u64)
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

/// Describes the best chain after the placement. `before` holds the points of the best chain before the
/// placement; 0 if there was none.
fn best_chain_text(evaluated: &EvaluatedPlacement, before: u64) -> String {
    let Some(chain) = &evaluated.best_chain else {
        return "and leaves no chain ready".to_string();
    };
    let change = match (chain.points.cmp(&before), evaluated.points) {
        (Ordering::Greater, _) if before == 0 => "and makes ready a chain of",
        (Ordering::Greater, _) => "and extends the ready chain to",
        (Ordering::Equal, _) => "and keeps the ready chain of",
        (Ordering::Less, 0) => "and leaves a ready chain of",
        (Ordering::Less, _) => "and still leaves a ready chain of",
    };
    let steps = count_text(chain.steps, "step", "steps");
    format!("{change} {steps} ({} points)", group_digits(chain.points))
}

/// Describes the length and the points of a line.
fn line_text(line: &Line) -> String {
    let found = match line.points.iter().sum() {
        0 => "no line that scores".to_string(),
        points => format!("{} points this way", group_digits(points)),
    };
    let columns = count_text(line.points.len(), "column", "columns");
    format!("Looking {columns} ahead, it found {found}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::replay;

    /// Searches for the best line after `start`. Returns `start` and the line as one plan, the line alone,
    /// and its description.
    fn ask(case: &Case, start: &[Placement], nodes: u64) -> Option<(Plan, Line, Hint)> {
        let line = find_line(case, start, 60, nodes, &|| 0.0)?;
        let ahead = line.placements.iter();
        let ahead = ahead.map(|&(stack, shift)| Placement { stack, shift });
        let placements = start.iter().copied().chain(ahead).collect();
        let plan = Plan { placements };
        let hint = describe_line(case, &plan, start.len())?;
        Some((plan, line, hint))
    }

    #[test]
    fn a_hint_gives_its_reason() {
        // Only a horizontal line of three `a`, completed at position 3, scores.
        let case: Case = "6 13\n3\nabc\nacb\nadd\n".parse().unwrap();
        let mut start = [(0, 0), (1, 0)]
            .map(|(stack, shift)| Placement { stack, shift })
            .to_vec();
        let (plan, line, hint) = ask(&case, &start, 500).unwrap();
        assert_eq!((hint.stack, line.points), (2, vec![47]));
        assert_eq!(replay::score(&case, &plan).points, 47);
        let text = hint.text;
        let end = "It sets off a chain of 1 step for 47 points now and leaves no chain ready. \
             Looking 1 column ahead, it found 47 points this way.";
        assert!(text.starts_with("Bot: position 3, "), "{text}");
        assert!(text.ends_with(end), "{text}");
        // No chain is ready at the start. The second placement makes one ready, and neither placement extends
        // one.
        for turn in 0..2 {
            let text = describe_line(&case, &plan, turn).unwrap().text;
            let is_new = text.contains("makes ready a chain of 1 step (47 points)");
            assert_eq!(is_new, turn == 1, "{text}");
            assert!(!text.contains("extends"), "{text}");
        }
        // After the last column, the search finds no line.
        start.push(Placement { stack: 5, shift: 0 });
        assert!(ask(&case, &start, 500).is_none());
    }
}
