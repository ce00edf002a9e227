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
    /// A sentence about the best chain, or about its absence.
    pub(crate) text: String,
}

/// The jewel that would set off the best chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Trigger {
    pub(crate) stack: usize,
    pub(crate) row: usize,
    pub(crate) colour: char,
}

/// A placement of the next column, with what it scores and the bot's value for it.
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
fn best_chain_text(ready: &BestChain) -> String {
    format!(
        "A chain of {} worth {} points is ready: {} sets it off.",
        count_text(ready.steps, "step", "steps"),
        group_digits(ready.points),
        trigger_text(ready)
    )
}

/// Describes a trigger: `one more a at position 3`.
fn trigger_text(ready: &BestChain) -> String {
    let (colour, position) = (ready.colour.letter(), ready.stack + 1);
    match ready.jewel_count {
        1 => format!("one more {colour} at position {position}"),
        _ => format!("one {colour} above any other jewel at position {position}"),
    }
}

/// Explains the position after the placements `start` with the bot's weights and networks. Returns `None` if
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
    let view = explain_position(case, start)?;
    let column = case.columns().get(start.len());
    let placements = view.placements.iter().filter_map(|evaluated| {
        let ready = evaluated.best_chain.as_ref();
        Some(RatedPlacement {
            stack: evaluated.placement.stack,
            shift: evaluated.placement.shift,
            column: column_letters(*column?, evaluated.placement.shift),
            row: field.stack_height(evaluated.placement.stack),
            points: evaluated.points,
            steps: evaluated.steps,
            best_chain_points: ready.map_or(0, |ready| ready.points),
            best_chain_steps: ready.map_or(0, |ready| ready.steps),
            value: evaluated.value,
        })
    });
    let ready = view.best_chain.as_ref();
    Some(Evaluation {
        placements: placements.collect(),
        trigger: ready.map(|ready| Trigger {
            stack: ready.stack,
            row: field.stack_height(ready.stack) + ready.jewel_count - 1,
            colour: ready.colour.letter(),
        }),
        chain_frames: ready.map_or(Vec::new(), |ready| chain_frames(ready, field.clone())),
        text: ready.map_or_else(|| NO_CHAIN.into(), best_chain_text),
    })
}

/// Plays the best chain, and returns a frame for each moment. The first frame marks the trigger.
fn chain_frames(ready: &BestChain, mut field: NaiveField) -> Vec<Frame> {
    let below = (ready.jewel_count == 2).then(|| absent(&field));
    for jewel in below.into_iter().chain([ready.colour]) {
        field.push(ready.stack, jewel);
    }
    let first = Frame {
        cells: frame::cells_text(&field),
        marked_cells: vec![(ready.stack, field.stack_height(ready.stack) - 1)],
        text: format!("Trigger: {}.", trigger_text(ready)),
        ..Frame::default()
    };
    let steps = field.clone().resolve();
    let mut scenes = vec![first];
    scenes.extend(frame::chain_frames(Frame::default(), &steps, field));
    if let Some(jewel) = below {
        for scene in &mut scenes {
            scene.cells = scene.cells.replace(jewel.letter(), "?");
        }
    }
    scenes
}

/// Returns a colour that does not occur on the field.
fn absent(field: &NaiveField) -> Colour {
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
            let mut record = Record::new(case.clone(), &play_quickstart(&case), usize::MAX);
            for turn in 0..record.turns.len() {
                let start = record.placements(turn);
                let field = record.field_before(turn).clone();
                let evaluation = evaluate(&case, &start, &field).unwrap();
                let scenes = evaluation.chain_frames;
                let view = explain_position(&case, &start).unwrap();
                let Some(ready) = view.best_chain else {
                    assert!(scenes.is_empty());
                    continue;
                };
                // A scene for the trigger, then three scenes for each step.
                assert_eq!(scenes.len(), 1 + 3 * ready.steps);
                let text = format!("Settled. {} points in total.", group_digits(ready.points));
                assert_eq!(scenes.last().unwrap().text, text);
                counts[ready.jewel_count] += 1;
                let trigger = evaluation.trigger.unwrap();
                assert_eq!(scenes[0].marked_cells, [(trigger.stack, trigger.row)]);
                let at = trigger.row * case.width() + trigger.stack;
                assert_eq!(scenes[0].cells.chars().nth(at), Some(trigger.colour));
            }
        }
        assert!(counts[1] > 50 && counts[2] > 20, "{counts:?}");
    }
}
