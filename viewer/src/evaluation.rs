//! The bot's view of a position: the values of all placements, and the chain that is ready.

use crate::frame::{self, Fall};
use crate::words::{letters, step_text};
use columns_bot::Weights;
use columns_bot::learned::networks;
use columns_bot::observe::explain::{Chance, explain};
use columns_bot::search::Player;
use columns_core::rules::case::{Case, Colour, MAX_COLOURS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use columns_core::simd::Cpu;
use columns_core::text::grouped;
use serde::Serialize;

/// The bot's view of a position.
#[derive(Debug, Serialize)]
pub(crate) struct Evaluation {
    /// The best chain that is ready.
    pub(crate) chance: Option<ReadyChain>,
    /// The best chain step by step.
    pub(crate) chain: Vec<Scene>,
    /// The placements of the next column, highest value first.
    pub(crate) placements: Vec<Choice>,
    /// The best chain as a sentence.
    pub(crate) text: String,
}

/// A chain that is ready: one or two jewels set it off.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ReadyChain {
    /// The stack of the trigger.
    pub(crate) stack: usize,
    /// The row of the jewel that sets off the chain.
    pub(crate) row: usize,
    /// The colour of this jewel.
    pub(crate) colour: char,
    /// The number of jewels needed, 1 or 2. With 2, another jewel lies below this one.
    pub(crate) count: usize,
    /// Points of the chain.
    pub(crate) points: u64,
    /// The number of steps in the chain.
    pub(crate) steps: usize,
}

/// A placement and its value for the bot.
#[derive(Debug, Serialize)]
pub(crate) struct Choice {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    pub(crate) shift: usize,
    /// The shifted column, bottom to top.
    pub(crate) column: String,
    /// The row of the lowest jewel after landing.
    pub(crate) landing: usize,
    /// Points that the placement scores immediately.
    pub(crate) points: u64,
    /// The number of steps in the chain that the placement sets off.
    pub(crate) steps: usize,
    /// Points of the best chain that is ready afterwards.
    pub(crate) chance_points: u64,
    /// The number of steps in the best chain that is ready afterwards.
    pub(crate) chance_steps: usize,
    /// The bot's value of the placement, in points.
    pub(crate) value: f64,
}

/// One moment of the chain that is ready.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Scene {
    /// The field, as in [`Frame::cells`](frame::Frame::cells); `?` is a jewel of any other
    /// colour.
    pub(crate) cells: String,
    /// The marked matches: three cells (stack, row) each.
    pub(crate) matches: Vec<[(usize, usize); 3]>,
    /// The marked cells (stack, row): the trigger in the first scene, else the cells to be cleared.
    pub(crate) marked: Vec<(usize, usize)>,
    /// The jewels that have fallen since the previous scene.
    pub(crate) falls: Vec<Fall>,
    /// The moment as a sentence.
    pub(crate) text: String,
}

fn ready_chain(chance: &Chance, field: &NaiveField) -> ReadyChain {
    ReadyChain {
        stack: chance.stack,
        row: field.stack_height(chance.stack) + chance.count - 1,
        colour: chance.colour.letter(),
        count: chance.count,
        points: chance.points,
        steps: chance.steps,
    }
}

impl ReadyChain {
    fn text(&self) -> String {
        let jewels = match self.count {
            1 => format!("one more {}", self.colour),
            _ => format!("one {} above any other jewel", self.colour),
        };
        format!(
            "{} {}-step chain worth {} points is ready: {jewels} at position {} sets it off.",
            if matches!(self.steps, 8 | 11 | 18 | 80..=89) {
                "An"
            } else {
                "A"
            },
            self.steps,
            grouped(self.points),
            self.stack + 1
        )
    }
}

/// Returns the bot's evaluation: `weights`, and the network that it uses in games.
pub(crate) fn player(weights: &Weights) -> Player<'_> {
    Player {
        weights,
        network: networks::in_use(),
    }
}

/// Returns the bot's view after the placements `start`, which lead to `field`. Returns `None` if
/// `start` cannot be played.
pub(crate) fn evaluate(case: &Case, start: &[Placement], field: &NaiveField) -> Option<Evaluation> {
    let weights = Weights::default();
    let view = explain(case, start, player(&weights), Cpu::detect())?;
    let column = case.columns().get(start.len());
    let chance = view
        .chance
        .as_ref()
        .map(|chance| ready_chain(chance, field));
    let placements = view.placements.iter().filter_map(|weighed| {
        let chance = weighed.chance.as_ref();
        Some(Choice {
            stack: weighed.placement.stack,
            shift: weighed.placement.shift,
            column: letters(*column?, weighed.placement.shift),
            landing: field.stack_height(weighed.placement.stack),
            points: weighed.points,
            steps: weighed.steps,
            chance_points: chance.map_or(0, |chance| chance.points),
            chance_steps: chance.map_or(0, |chance| chance.steps),
            value: weighed.value,
        })
    });
    let text = match &chance {
        Some(chance) => chance.text(),
        None => "No chain is ready: no jewel would set one off.".into(),
    };
    Some(Evaluation {
        placements: placements.collect(),
        chain: view
            .chance
            .map_or(Vec::new(), |chance| chain(&chance, field)),
        chance,
        text,
    })
}

/// Plays a chain step by step, starting with its trigger.
fn chain(chance: &Chance, field: &NaiveField) -> Vec<Scene> {
    let stand_in = chance.below.unwrap_or_else(|| absent(field));
    let masked = chance.below.is_none() && chance.count == 2;
    let show = |field: &NaiveField| -> String {
        let cells = frame::cells(field).into_iter();
        let mask = |cell| match cell {
            cell if masked && cell == stand_in.letter() => '?',
            cell => cell,
        };
        cells.map(mask).collect()
    };
    let floor = field.stack_height(chance.stack);
    let mut jewels = Vec::new();
    if chance.count == 2 {
        jewels.push(stand_in);
    }
    jewels.push(chance.colour);
    let mut field = with_jewels(field, chance.stack, &jewels);
    let steps = field.clone().resolve();
    let trigger = (chance.stack, floor + jewels.len() - 1);
    let mut scenes = vec![Scene {
        cells: show(&field),
        marked: vec![trigger],
        text: format!("Trigger: {}.", trigger_text(chance)),
        ..Scene::default()
    }];
    let mut points = 0;
    for (index, step) in steps.iter().enumerate() {
        points += step.points;
        scenes.push(Scene {
            cells: show(&field),
            matches: step.matches.clone(),
            marked: step.cleared.clone(),
            text: step_text(step, index + 1, steps.len()),
            ..Scene::default()
        });
        field.remove(&step.cleared);
        let hanging = field.clone();
        field.settle();
        scenes.push(Scene {
            cells: show(&field),
            falls: frame::falls(&hanging, &field),
            text: format!("{} points so far.", grouped(points)),
            ..Scene::default()
        });
    }
    scenes
}

fn trigger_text(chance: &Chance) -> String {
    let letter = chance.colour.letter();
    match chance.count {
        1 => format!("a {letter} falls onto position {}", chance.stack + 1),
        _ => format!(
            "a {letter} falls onto position {} with another jewel below it",
            chance.stack + 1
        ),
    }
}

/// Returns a colour that does not occur on the field; the last colour if all 26 occur.
fn absent(field: &NaiveField) -> Colour {
    let cells = frame::cells(field);
    (0..MAX_COLOURS)
        .rev()
        .map(Colour::from_index)
        .find(|colour| !cells.contains(&colour.letter()))
        .unwrap_or(Colour::from_index(MAX_COLOURS - 1))
}

/// Returns the field with jewels added on top of a stack.
fn with_jewels(field: &NaiveField, stack: usize, jewels: &[Colour]) -> NaiveField {
    let (width, height) = (field.width(), field.height());
    let mut cells = frame::cells(field);
    let floor = field.stack_height(stack);
    for (above, jewel) in jewels.iter().enumerate() {
        cells[(floor + above) * width + stack] = jewel.letter();
    }
    let rows: Vec<String> = cells.chunks(width).rev().map(String::from_iter).collect();
    NaiveField::parse(&rows.join("/"), width, height).expect("rows of letters and dots")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use columns_core::rules::quickstart::quickstart;
    use columns_generator::{Spec, generate};

    #[test]
    fn the_ready_chain_scores_the_announced_points() {
        // The number of positions, by the number of jewels that set off the chain.
        let mut counts = [0; 3];
        for (colours, seed) in [(4, 3), (5, 4), (7, 5), (9, 6), (15, 7), (26, 8)] {
            let spec = Spec::default().with_colours(colours).unwrap();
            let case = generate(seed, &spec.with_columns(150).unwrap());
            let mut record = Record::of(case.clone(), &quickstart(&case));
            for turn in 0..record.turns().len() {
                let start = record.placements(turn);
                let field = record.field_before(turn).clone();
                let evaluation = evaluate(&case, &start, &field).unwrap();
                let scenes = evaluation.chain;
                let Some(ready) = evaluation.chance else {
                    assert!(scenes.is_empty());
                    continue;
                };
                // The trigger, then two scenes for each step.
                assert_eq!(scenes.len(), 1 + 2 * ready.steps);
                let text = format!("{} points so far.", grouped(ready.points));
                assert_eq!(scenes.last().unwrap().text, text);
                counts[ready.count] += 1;
                let at = ready.row * case.width() + ready.stack;
                assert_eq!(scenes[0].cells.chars().nth(at), Some(ready.colour));
            }
        }
        assert!(counts[1] > 50 && counts[2] > 20, "{counts:?}");
    }
}
