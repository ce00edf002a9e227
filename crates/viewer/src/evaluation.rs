//! The bot's evaluation of a position: the value of each placement, and the best chain.

use crate::frame::{self, Frame};
use crate::words::{column_letters, count_text};
use columns_bot::Weights;
use columns_bot::learned::networks;
use columns_bot::observe::explain::{BestChain, Explanation, explain};
use columns_bot::search::Player;
use columns_core::rules::case::{Case, Colour, MAX_COLOURS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use columns_core::simd::InstructionSet;
use columns_core::text::group_digits;
use serde::Serialize;

/// The best chain of a position, and the placements of the next column with the bot's values.
#[derive(Debug, Serialize)]
pub(crate) struct Evaluation {
    /// The trigger of the best chain; `None` if no jewel would set off a chain.
    pub(crate) trigger: Option<Trigger>,
    /// The best chain, one frame for each moment; empty if there is none. A `?` below the trigger stands for
    /// a jewel of any colour.
    pub(crate) chain_frames: Vec<Frame>,
    /// The placements at which the next column fits, highest value first.
    pub(crate) placements: Vec<RatedPlacement>,
    /// A sentence that describes the best chain, or says that there is none.
    pub(crate) text: String,
}

/// The jewel that would set off the best chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Trigger {
    pub(crate) stack: usize,
    pub(crate) row: usize,
    pub(crate) colour: char,
}

/// A placement of the next column, with its points and the bot's value for it.
#[derive(Debug, Serialize)]
pub(crate) struct RatedPlacement {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    pub(crate) shift: usize,
    /// The shifted column, bottom to top.
    pub(crate) column: String,
    /// The row of the lowest jewel after landing.
    pub(crate) row: usize,
    /// Points that the placement scores immediately.
    pub(crate) points: u64,
    /// The number of steps in the chain that the placement sets off.
    pub(crate) steps: usize,
    /// Points of the best chain after the placement; 0 if there is none.
    pub(crate) best_chain_points: u64,
    /// The number of steps in the best chain after the placement; 0 if there is none.
    pub(crate) best_chain_steps: usize,
    /// The bot's value for the placement, in points.
    pub(crate) value: f64,
}

/// The description of a position without a best chain.
const NO_CHAIN: &str = "No chain is ready: no jewel would set one off.";

/// Describes the best chain and its trigger.
fn best_chain_text(best_chain: &BestChain) -> String {
    format!(
        "A chain of {} worth {} points is ready: {} sets it off.",
        count_text(best_chain.steps, "step", "steps"),
        group_digits(best_chain.points),
        trigger_text(best_chain)
    )
}

/// Describes a trigger: `one more a at position 3`.
fn trigger_text(best_chain: &BestChain) -> String {
    let (colour, position) = (best_chain.colour.letter(), best_chain.stack + 1);
    match best_chain.jewel_count {
        1 => format!("one more {colour} at position {position}"),
        _ => format!("one {colour} above any other jewel at position {position}"),
    }
}

/// Explains the position after the placements `start`, by the bot's weights and networks. Returns `None` if
/// these placements cannot be played.
pub(crate) fn explain_position(case: &Case, start: &[Placement]) -> Option<Explanation> {
    let weights = Weights::default();
    explain(case, start, bot_player(&weights), InstructionSet::detect())
}

/// Returns the player with these weights and the bot's built-in networks.
pub(crate) fn bot_player(weights: &Weights) -> Player<'_> {
    Player {
        weights,
        networks: networks::built_in_networks(),
    }
}

/// Evaluates `field`, the field after the placements `start`. Returns `None` if these placements cannot be
/// played.
pub(crate) fn evaluate(case: &Case, start: &[Placement], field: &NaiveField) -> Option<Evaluation> {
    let explanation = explain_position(case, start)?;
    let column = case.columns().get(start.len());
    let placements = explanation.placements.iter().filter_map(|evaluated| {
        let best_chain = evaluated.best_chain.as_ref();
        Some(RatedPlacement {
            stack: evaluated.placement.stack,
            shift: evaluated.placement.shift,
            column: column_letters(*column?, evaluated.placement.shift),
            row: field.stack_height(evaluated.placement.stack),
            points: evaluated.points,
            steps: evaluated.steps,
            best_chain_points: best_chain.map_or(0, |chain| chain.points),
            best_chain_steps: best_chain.map_or(0, |chain| chain.steps),
            value: evaluated.value,
        })
    });
    let best_chain = explanation.best_chain.as_ref();
    Some(Evaluation {
        placements: placements.collect(),
        trigger: best_chain.map(|chain| Trigger {
            stack: chain.stack,
            row: field.stack_height(chain.stack) + chain.jewel_count - 1,
            colour: chain.colour.letter(),
        }),
        chain_frames: best_chain.map_or(Vec::new(), |chain| chain_frames(chain, field.clone())),
        text: best_chain.map_or_else(|| NO_CHAIN.into(), best_chain_text),
    })
}

/// Plays the best chain, and returns a frame for each moment. The first frame marks the trigger.
fn chain_frames(best_chain: &BestChain, mut field: NaiveField) -> Vec<Frame> {
    let below = (best_chain.jewel_count == 2).then(|| absent_colour(&field));
    for jewel in below.into_iter().chain([best_chain.colour]) {
        field.push(best_chain.stack, jewel);
    }
    let first = Frame {
        cells: frame::cells_text(&field),
        marked_cells: vec![(best_chain.stack, field.stack_height(best_chain.stack) - 1)],
        text: format!("Trigger: {}.", trigger_text(best_chain)),
        ..Frame::default()
    };
    let steps = field.clone().resolve();
    let mut frames = vec![first];
    frames.extend(frame::chain_frames(Frame::default(), &steps, field));
    if let Some(jewel) = below {
        for frame in &mut frames {
            frame.cells = frame.cells.replace(jewel.letter(), "?");
        }
    }
    frames
}

/// Returns a colour that does not occur on the field.
fn absent_colour(field: &NaiveField) -> Colour {
    let cells = frame::cells_text(field);
    let colours = (0..MAX_COLOURS).map(Colour::from_index);
    let mut absent = colours.filter(|colour| !cells.contains(colour.letter()));
    absent.next_back().expect("the case has fewer colours")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use columns_core::rules::quickstart::play_quickstart;
    use columns_generator::{Spec, generate};

    #[test]
    fn the_ready_chain_scores_the_announced_points() {
        // `counts[n]`: the number of positions whose best chain is set off by n jewels, 1 or 2.
        let mut counts = [0; 3];
        for (colours, seed) in [(4, 3), (5, 4), (7, 5), (9, 6), (15, 7), (26, 8)] {
            let spec = Spec::default().with_colours(colours).unwrap();
            let case = generate(seed, &spec.with_columns(150).unwrap());
            let record = Record::new(case.clone(), &play_quickstart(&case), usize::MAX);
            for turn in 0..record.turns.len() {
                let start = record.placements(turn);
                let evaluation = evaluate(&case, &start, record.field_before(turn)).unwrap();
                let frames = evaluation.chain_frames;
                let explanation = explain_position(&case, &start).unwrap();
                let Some(best_chain) = explanation.best_chain else {
                    assert!(frames.is_empty());
                    continue;
                };
                // A frame for the trigger, then three frames for each step.
                assert_eq!(frames.len(), 1 + 3 * best_chain.steps);
                let points = group_digits(best_chain.points);
                let text = format!("Settled. {points} points in total.");
                assert_eq!(frames.last().unwrap().text, text);
                counts[best_chain.jewel_count] += 1;
                let trigger = evaluation.trigger.unwrap();
                assert_eq!(frames[0].marked_cells, [(trigger.stack, trigger.row)]);
                let at = trigger.row * case.width() + trigger.stack;
                assert_eq!(frames[0].cells.chars().nth(at), Some(trigger.colour));
            }
        }
        assert!(counts[1] > 50 && counts[2] > 20, "{counts:?}");
    }
}
