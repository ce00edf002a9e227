//! The placement that the bot recommends, with the reason.

use crate::sight::player;
use crate::words::{counted, letters, told};
use columns_bot::observe::explain::{advise, Advice, Weighed};
use columns_bot::Weights;
use columns_core::beam::Budget;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::simd::Cpu;
use columns_core::text::grouped;
use serde::Serialize;
use std::cmp::Ordering;

/// The placement that the bot recommends, with the reason.
#[derive(Debug, Serialize)]
pub struct Hint {
    /// The stack.
    pub stack: usize,
    /// Cyclic shifts.
    pub shift: usize,
    /// The column as it falls, bottom to top.
    pub column: String,
    /// The plan so far and the bot's line from there on.
    pub plan: String,
    /// How many columns that plan places.
    pub until: usize,
    /// Why.
    pub text: String,
}

/// What the bot would do after `start`, looking `ahead` columns ahead and having built `nodes`
/// states; `None` at the end of a game.
pub fn hint(
    case: &Case,
    start: &[Placement],
    ahead: usize,
    nodes: u64,
    clock: &dyn Fn() -> f64,
) -> Option<Hint> {
    let weights = Weights::default();
    let cpu = Cpu::detect();
    let budget = Budget::Nodes(nodes);
    let player = player(&weights);
    let (seen, advice) = advise(case, start, ahead, player, budget, clock, cpu)?;
    let best = seen.placements.first()?.placement;
    let choice = advice.placements.first().copied().unwrap_or(best);
    // A column that looks the same after another shift is weighed once.
    let column = *case.columns().get(start.len())?;
    let looks = |p: Placement| (p.stack, column.shifted(p.shift));
    let weighed = seen
        .placements
        .iter()
        .find(|w| looks(w.placement) == looks(choice))?;
    let before = seen.chance.as_ref().map_or(0, |chance| chance.points);
    let mut plan = Plan {
        placements: [start, &advice.placements].concat(),
    };
    if advice.placements.is_empty() {
        plan.placements.push(choice);
    }
    Some(Hint {
        stack: choice.stack,
        shift: choice.shift,
        column: letters(column, choice.shift),
        until: plan.placements.len(),
        plan: plan.to_string(),
        text: format!(
            "Bot: {}. {} {}. {}{}",
            told(choice),
            now(weighed),
            then(weighed, before),
            outlook(&advice, ahead.min(case.columns().len() - start.len())),
            preference(weighed, &seen.placements[0], column)
        ),
    })
}

/// The reason why the bot prefers another placement than the one of the highest value; empty if it does not.
fn preference(chosen: &Weighed, highest: &Weighed, column: Column) -> String {
    if chosen.placement == highest.placement {
        return String::new();
    }
    let Placement { stack, shift } = highest.placement;
    format!(
        " Position {}, {} has the higher value now ({} against {}), but no better line was found from there.",
        stack + 1,
        letters(column, shift),
        grouped(highest.value.max(0.0) as u64),
        grouped(chosen.value.max(0.0) as u64)
    )
}

/// What a placement does at once.
fn now(weighed: &Weighed) -> String {
    match (weighed.points, weighed.steps) {
        (0, _) => "It clears nothing now".to_string(),
        (points, 0) => format!("Magic pays {} points now", grouped(points)),
        (points, steps) => format!(
            "It sets off a chain of {} for {} points now",
            counted(steps, "step", "steps"),
            grouped(points)
        ),
    }
}

/// What it makes of the waiting chain, which was worth `before` points.
fn then(weighed: &Weighed, before: u64) -> String {
    let Some(chance) = &weighed.chance else {
        return "and leaves no chain in waiting".to_string();
    };
    let change = match (chance.points.cmp(&before), weighed.points) {
        (Ordering::Greater, _) => "and builds the waiting chain up to",
        (Ordering::Equal, _) => "and keeps the waiting chain of",
        (Ordering::Less, 0) => "and leaves a waiting chain of",
        (Ordering::Less, _) => "and still leaves a waiting chain of",
    };
    let steps = counted(chance.steps, "step", "steps");
    format!("{change} {steps} ({} points)", grouped(chance.points))
}

fn outlook(advice: &Advice, ahead: usize) -> String {
    if advice.points == 0 {
        return format!(
            "In the next {} it found nothing that pays.",
            counted(ahead, "column", "columns")
        );
    }
    format!(
        "Looking {} ahead, it found {} points this way.",
        counted(ahead, "column", "columns"),
        grouped(advice.points)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_says_why() {
        // A level line of three a on position 3 is all that can pay.
        let case: Case = "6 13\n3\nabc\nacb\nadd\n".parse().unwrap();
        let start = [(0, 0), (1, 0)].map(|(stack, shift)| Placement { stack, shift });
        let hint = hint(&case, &start, 60, 500, &|| 0.0).unwrap();
        let text = hint.text;
        assert_eq!((hint.stack, hint.until), (2, 3), "{text}");
        let line = Plan::parse(&hint.plan, 6, 3).unwrap();
        assert!(line.placements.starts_with(&start));
        let end = "It sets off a chain of 1 step for 47 points now and leaves no chain in \
             waiting. Looking 1 column ahead, it found 47 points this way.";
        assert!(text.starts_with("Bot: position 3, "), "{text}");
        assert!(text.ends_with(end), "{text}");
    }
}
