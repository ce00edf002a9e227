//! The bot's view of a position, and the chain that is ready there, step by step.

use crate::frame::{self, Fall};
use crate::words::{letters, told_step};
use columns_bot::learned::networks;
use columns_bot::observe::explain::{explain, Chance};
use columns_bot::search::Player;
use columns_bot::Weights;
use columns_core::rules::case::{Case, Colour, MAX_COLOURS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use columns_core::simd::Cpu;
use columns_core::text::grouped;
use serde::Serialize;

/// The bot's view of a position.
#[derive(Debug, Serialize)]
pub struct Sight {
    /// The best chain that is ready.
    pub chance: Option<Promise>,
    /// That chain step by step.
    pub chain: Vec<Scene>,
    /// The placements of the next column, the most valuable first.
    pub placements: Vec<Choice>,
    /// All that in a sentence.
    pub text: String,
}

/// A chain that a few jewels would set off.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Promise {
    /// The stack of the trigger.
    pub stack: usize,
    /// The row of the jewel that sets it off.
    pub row: usize,
    /// Its colour.
    pub colour: char,
    /// How many jewels it takes, 1 or 2; of two the lower one is any other.
    pub count: usize,
    /// What the chain pays.
    pub points: u64,
    /// How many steps it has.
    pub steps: usize,
}

/// A placement and what it is worth.
#[derive(Debug, Serialize)]
pub struct Choice {
    /// The stack.
    pub stack: usize,
    /// Cyclic shifts.
    pub shift: usize,
    /// The column as it falls, bottom to top.
    pub column: String,
    /// The row of its lowest jewel once it has landed.
    pub landing: usize,
    /// Points at once.
    pub points: u64,
    /// Steps at once.
    pub steps: usize,
    /// Points of the best chain afterwards.
    pub chance_points: u64,
    /// Steps of that chain.
    pub chance_steps: usize,
    /// What it is worth in all, in points.
    pub value: f64,
}

/// One picture of the promised chain.
#[derive(Debug, Serialize)]
pub struct Scene {
    /// The field, as in [`Frame::cells`](frame::Frame::cells); `?` is a jewel of any other
    /// colour.
    pub cells: String,
    /// The matches that are marked.
    pub matches: Vec<[(usize, usize); 3]>,
    /// The cells that are marked, or have just been cleared.
    pub marked: Vec<(usize, usize)>,
    /// What has fallen.
    pub falls: Vec<Fall>,
    /// Points of the chain so far.
    pub points: u64,
    /// The combo, 0 before the first step.
    pub combo: usize,
    /// The same in words.
    pub text: String,
}

fn promise(chance: &Chance, field: &NaiveField) -> Promise {
    Promise {
        stack: chance.stack,
        row: field.stack_height(chance.stack) + chance.count - 1,
        colour: chance.colour.letter(),
        count: chance.count,
        points: chance.points,
        steps: chance.steps,
    }
}

impl Promise {
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

/// The bot as it plays.
pub(crate) fn player(weights: &Weights) -> Player<'_> {
    Player {
        weights,
        network: networks::in_use(),
    }
}

/// What the bot sees after `start`, which leads to `field`; `None` if it cannot be played.
pub fn sight(case: &Case, start: &[Placement], field: &NaiveField) -> Option<Sight> {
    let weights = Weights::default();
    let seen = explain(case, start, player(&weights), Cpu::detect())?;
    let column = case.columns().get(start.len());
    let chance = seen.chance.as_ref().map(|chance| promise(chance, field));
    let placements = seen.placements.iter().filter_map(|weighed| {
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
        None => "No chain is ready: no coming jewel would set one off.".into(),
    };
    Some(Sight {
        placements: placements.collect(),
        chain: seen.chance.map_or(Vec::new(), |found| chain(&found, field)),
        chance,
        text,
    })
}

/// A chain that a field promises.
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
        matches: Vec::new(),
        marked: vec![trigger],
        falls: Vec::new(),
        points: 0,
        combo: 0,
        text: format!("The trigger: {}.", promise_words(chance)),
    }];
    let mut points = 0;
    for (index, step) in steps.iter().enumerate() {
        points += step.points;
        let combo = index + 1;
        scenes.push(Scene {
            cells: show(&field),
            matches: step.matches.clone(),
            marked: step.cleared.clone(),
            falls: Vec::new(),
            points,
            combo,
            text: told_step(step, combo, steps.len()),
        });
        field.remove(&step.cleared);
        let hanging = field.clone();
        field.settle();
        scenes.push(Scene {
            cells: show(&field),
            matches: Vec::new(),
            marked: Vec::new(),
            falls: frame::falls(&hanging, &field),
            points,
            combo,
            text: format!("{} points so far.", grouped(points)),
        });
    }
    scenes
}

fn promise_words(chance: &Chance) -> String {
    let letter = chance.colour.letter();
    match chance.count {
        1 => format!("a {letter} falls onto position {}", chance.stack + 1),
        _ => format!(
            "a {letter} falls onto position {} with another jewel below it",
            chance.stack + 1
        ),
    }
}

/// A colour that no jewel of the field has; the last one where all 26 are there.
fn absent(field: &NaiveField) -> Colour {
    let cells = frame::cells(field);
    (0..MAX_COLOURS)
        .rev()
        .map(Colour::from_index)
        .find(|colour| !cells.contains(&colour.letter()))
        .unwrap_or(Colour::from_index(MAX_COLOURS - 1))
}

/// The field with jewels on top of a stack.
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
    use columns_generator::{generate, Spec};

    #[test]
    fn the_promised_chain_pays_what_is_promised() {
        // By how many jewels it takes to set it off.
        let mut counts = [0; 3];
        for (colours, seed) in [(4, 3), (5, 4), (7, 5), (9, 6), (15, 7), (26, 8)] {
            let spec = Spec::default().with_colours(colours).unwrap();
            let case = generate(seed, &spec.with_columns(150).unwrap());
            let mut record = Record::of(case.clone(), &quickstart(&case));
            for turn in 0..record.turns().len() {
                let start = record.placements(turn);
                let field = record.field_before(turn).clone();
                let sight = sight(&case, &start, &field).unwrap();
                let scenes = sight.chain;
                let Some(promise) = sight.chance else {
                    assert!(scenes.is_empty());
                    continue;
                };
                let last = scenes.last().unwrap();
                assert_eq!((last.points, last.combo), (promise.points, promise.steps));
                counts[promise.count] += 1;
                let at = promise.row * case.width() + promise.stack;
                assert_eq!(scenes[0].cells.chars().nth(at), Some(promise.colour));
            }
        }
        assert!(counts[1] > 50 && counts[2] > 20, "{counts:?}");
    }
}
