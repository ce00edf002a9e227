//! One moment of a game, ready to draw.
//!
//! A turn consists of these moments, in this order:
//!
//! 1. [`Kind::Falling`]: the column is above its stack.
//! 2. [`Kind::Landed`]: the column lies on its stack.
//! 3. For each step: [`Kind::Marked`], the jewels to be cleared are marked; [`Kind::Cleared`], they
//!    are gone; [`Kind::Settled`], the jewels above have fallen.
//!
//! The moment after the last turn is [`Kind::Falling`] or [`Kind::Over`].

use crate::record::Record;
use crate::words::{counted, letters, placement_text, step_text};
use columns_core::rules::case::{Case, Colour, Column};
use columns_core::rules::naive::{NaiveField, Step};
use columns_core::rules::plan::Placement;
use columns_core::rules::replay::Turn;
use columns_core::text::grouped;
use serde::Serialize;

/// Maximum number of next columns in a frame.
const NEXT: usize = 6;

/// The kind of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// The column is above its stack.
    #[default]
    Falling,
    /// The column lies on its stack.
    Landed,
    /// The jewels that the step clears are marked.
    Marked,
    /// The cleared jewels are gone; the jewels above them have not fallen yet.
    Cleared,
    /// All jewels have fallen.
    Settled,
    /// The game is over: all columns have landed, one did not fit, or the plan is invalid.
    Over,
}

/// A jewel that has fallen since the previous moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Fall {
    pub(crate) stack: usize,
    /// The row before the fall. A landing column starts above the field.
    pub(crate) from: usize,
    /// The row after the fall.
    pub(crate) to: usize,
}

/// A moment, ready to draw. Stacks count from 0 at the left, rows from 0 at the floor.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Frame {
    /// The number of columns that have landed before this turn.
    pub(crate) turn: usize,
    /// Index of the moment within the turn.
    pub(crate) moment: usize,
    /// The number of moments in this turn.
    pub(crate) moments: usize,
    pub(crate) kind: Kind,
    /// The field, row by row from the floor up: a letter for a jewel, `*` for a magic jewel, `.`
    /// for an empty cell.
    pub(crate) cells: String,
    /// The shifted column of this turn, bottom to top.
    pub(crate) column: Option<String>,
    pub(crate) placement: Option<Placed>,
    /// The number of the step, from 1; 0 before the first step.
    pub(crate) step: usize,
    /// The multiplier of this step's matches; 0 in a clearing by magic, and outside of steps.
    pub(crate) combo: usize,
    /// The marked matches: three cells (stack, row) each.
    pub(crate) matches: Vec<[(usize, usize); 3]>,
    /// The cells (stack, row) that are marked or have just been cleared.
    pub(crate) marked: Vec<(usize, usize)>,
    /// Points of this step.
    pub(crate) gained: u64,
    /// Points of this turn so far.
    pub(crate) turn_points: u64,
    /// Points of the game so far.
    pub(crate) points: u64,
    /// The number of steps in the longest chain so far.
    pub(crate) longest: usize,
    /// The jewels that have fallen since the previous moment.
    pub(crate) falls: Vec<Fall>,
    /// The next columns, not shifted, bottom to top; at most [`NEXT`].
    pub(crate) next: Vec<String>,
    /// The reason why the game ended, in a word or two.
    pub(crate) ending: Option<&'static str>,
    /// The moment as a sentence or two.
    pub(crate) text: String,
}

/// A placement, ready to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Placed {
    pub(crate) stack: usize,
    /// The number of cyclic shifts.
    pub(crate) shift: usize,
    /// True if the plan or the player chose this placement, false for the default placement.
    pub(crate) planned: bool,
    /// The row of the lowest jewel after landing.
    pub(crate) landing: usize,
    /// True if the column fits below the top of the field.
    pub(crate) fits: bool,
}

/// Returns the cells of a field, row by row from the floor up.
pub(crate) fn cells(field: &NaiveField) -> Vec<char> {
    let width = field.width();
    (0..width * field.height())
        .map(|i| field.cell(i % width, i / width).map_or('.', Colour::letter))
        .collect()
}

/// Returns the jewels whose row differs between two fields. The order of jewels within a stack must
/// be the same.
pub(crate) fn falls(before: &NaiveField, after: &NaiveField) -> Vec<Fall> {
    let mut falls = Vec::new();
    for stack in 0..before.width() {
        let rows = |field: &NaiveField| -> Vec<usize> {
            (0..field.height())
                .filter(|&row| field.cell(stack, row).is_some())
                .collect()
        };
        for (from, to) in rows(before).into_iter().zip(rows(after)) {
            if from != to {
                falls.push(Fall { stack, from, to });
            }
        }
    }
    falls
}

/// Returns up to [`NEXT`] columns from `index` on.
fn next(case: &Case, index: usize) -> Vec<String> {
    let columns = case.columns().iter().skip(index).take(NEXT);
    columns.map(ToString::to_string).collect()
}

/// Formats the number of a column: `Column 3 of 11`.
fn numbered(case: &Case, turn: usize) -> String {
    let of = case.columns().len();
    format!(
        "Column {} of {}",
        grouped(turn as u64 + 1),
        grouped(of as u64)
    )
}

impl Record {
    /// Returns a moment of a turn. Indices beyond the end yield the last moment.
    pub(crate) fn frame(&mut self, turn: usize, moment: usize) -> Frame {
        if turn >= self.turns().len() {
            return self.end();
        }
        let before = self.field_before(turn).clone();
        let (points, longest) = match turn.checked_sub(1).map(|last| &self.turns()[last]) {
            Some(last) => (last.points, last.longest_chain),
            None => (0, 0),
        };
        let mut frame = of_turn(&self.turns()[turn], &before, moment, points, longest);
        frame.turn = turn;
        frame.next = next(self.case(), turn + 1);
        frame.text = match frame.kind {
            Kind::Falling => {
                let placement = self.turns()[turn].placement;
                let column = frame.column.as_deref().unwrap_or_default();
                let default = if self.turns()[turn].planned {
                    ""
                } else {
                    " (the default: the plan has ended)"
                };
                format!(
                    "{}: {column} falls, {}{default}.",
                    numbered(self.case(), turn),
                    placement_text(placement)
                )
            }
            _ => frame.text,
        };
        frame
    }

    /// Returns the moment after the last turn.
    fn end(&mut self) -> Frame {
        let turn = self.turns().len();
        let over = self.game().next_column().is_none() || self.broken().is_some();
        let field = self.field_before(turn).clone();
        let case = self.case();
        let column = case.columns().get(turn).copied();
        let failed = self.failed();
        let placement = failed.map(|failed| Placed {
            stack: failed.placement.stack,
            shift: failed.placement.shift,
            planned: failed.planned,
            landing: field.stack_height(failed.placement.stack),
            fits: false,
        });
        let points = self.game().outcome().points;
        let ending = match failed {
            _ if self.broken().is_some() => "Invalid plan",
            Some(_) => "Game over",
            None => "All columns played",
        };
        let text = match (failed, over) {
            _ if self.broken().is_some() => format!(
                "Plan error, {}. An invalid plan scores 0.",
                self.broken().unwrap_or_default()
            ),
            (Some(failed), _) => format!(
                "Died at {}: no room at {}. {} points.",
                numbered(case, turn).to_lowercase(),
                placement_text(failed.placement),
                grouped(points)
            ),
            (None, true) => format!(
                "Game over: all {} have landed. {} points.",
                counted(turn, "column", "columns"),
                grouped(points)
            ),
            (None, false) => format!("{} is next.", numbered(case, turn)),
        };
        Frame {
            turn,
            moments: 1,
            kind: if over { Kind::Over } else { Kind::Falling },
            cells: cells(&field).into_iter().collect(),
            column: column.map(|c| letters(c, failed.map_or(0, |f| f.placement.shift))),
            placement,
            points,
            longest: self.game().outcome().longest_chain,
            next: next(case, turn + 1),
            ending: over.then_some(ending),
            text,
            ..Frame::default()
        }
    }
}

/// Returns a moment of a turn that starts with the field `before`, `points` points and a longest
/// chain of `longest` steps. The caller adds the number of the turn, the next columns and the text
/// of the first moment.
fn of_turn(turn: &Turn, before: &NaiveField, moment: usize, points: u64, longest: usize) -> Frame {
    let moments = 2 + 3 * turn.steps.len();
    let moment = moment.min(moments - 1);
    let Placement { stack, shift } = turn.placement;
    let mut frame = Frame {
        moment,
        moments,
        column: Some(letters(turn.column, shift)),
        placement: Some(Placed {
            stack,
            shift,
            planned: turn.planned,
            landing: turn.landing,
            fits: true,
        }),
        points,
        longest,
        ..Frame::default()
    };
    if moment == 0 {
        frame.cells = cells(before).into_iter().collect();
        return frame;
    }
    // The field after landing, then two fields for each step: before and after the jewels fall.
    let fields: Vec<NaiveField> = turn.frames(before).into_iter().map(|f| f.field).collect();
    match moment.checked_sub(2) {
        None => land(&mut frame, turn, before.height(), &fields[0]),
        Some(moment) => {
            let index = moment / 3;
            count_step(&mut frame, turn, index);
            let fields = &fields[2 * index..2 * index + 3];
            clear(&mut frame, turn, &turn.steps[index], moment % 3, fields);
        }
    }
    frame
}

/// Returns the cells of the field with the column that has just landed. By the rules, a magic
/// column never occupies cells; the picture shows it anyway.
fn with_magic(turn: &Turn, field: &NaiveField) -> String {
    let mut cells = cells(field);
    if turn.column == Column::Magic {
        for row in turn.landing..turn.landing + 3 {
            cells[row * field.width() + turn.placement.stack] = '*';
        }
    }
    cells.into_iter().collect()
}

/// Fills the frame of a landing on a field of the given height.
fn land(frame: &mut Frame, turn: &Turn, height: usize, field: &NaiveField) {
    frame.kind = Kind::Landed;
    frame.cells = with_magic(turn, field);
    frame.falls = (0..3)
        .map(|jewel| Fall {
            stack: turn.placement.stack,
            from: height + jewel,
            to: turn.landing + jewel,
        })
        .collect();
    frame.text = match (turn.column, turn.steps.len()) {
        (Column::Magic, 0) => "The magic column lands on the floor and vanishes.".into(),
        (Column::Magic, _) => "The magic column lands.".into(),
        (_, 0) => "The column lands; nothing matches.".into(),
        _ => "The column lands.".into(),
    };
}

/// Fills in the figures of a step, which are the same in all of its moments. `index` counts from 0.
fn count_step(frame: &mut Frame, turn: &Turn, index: usize) {
    let so_far = &turn.steps[..=index];
    let has_matches = |step: &&Step| !step.matches.is_empty();
    let chain = so_far.iter().filter(has_matches).count();
    frame.step = index + 1;
    frame.combo = so_far.last().filter(has_matches).map_or(0, |_| chain);
    frame.gained = turn.steps[index].points;
    frame.turn_points = so_far.iter().map(|step| step.points).sum();
    frame.points += frame.turn_points;
    frame.longest = frame.longest.max(chain);
}

/// Fills the frame of one part of a step: 0 marked, 1 cleared, 2 settled. `fields` has one field
/// for each part.
fn clear(frame: &mut Frame, turn: &Turn, step: &Step, part: usize, fields: &[NaiveField]) {
    frame.cells = cells(&fields[part]).into_iter().collect();
    match part {
        0 => {
            frame.kind = Kind::Marked;
            if frame.step == 1 {
                frame.cells = with_magic(turn, &fields[0]);
            }
            frame.matches.clone_from(&step.matches);
            frame.marked.clone_from(&step.cleared);
            frame.text = if step.matches.is_empty() {
                format!(
                    "Magic clears {}: {} points.",
                    counted(step.cleared.len(), "jewel", "jewels"),
                    grouped(step.points)
                )
            } else {
                step_text(step, frame.combo, turn.chain())
            };
        }
        1 => {
            frame.kind = Kind::Cleared;
            frame.marked.clone_from(&step.cleared);
            let jewels = counted(step.cleared.len(), "jewel", "jewels");
            frame.text = format!("{jewels} cleared.");
        }
        _ => {
            frame.kind = Kind::Settled;
            frame.falls = falls(&fields[1], &fields[2]);
            frame.text = format!("Settled. {} points in total.", grouped(frame.points));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::plan::Plan;

    fn record(case: &str, plan: &str) -> Record {
        let case: Case = case.parse().unwrap();
        let plan = Plan::parse(plan, case.width(), case.columns().len()).unwrap();
        Record::of(case, &plan)
    }

    /// Returns the rows that are not empty, from the floor up.
    fn rows(frame: &Frame) -> String {
        let cells: Vec<char> = frame.cells.chars().collect();
        let rows = cells.chunks(6).map(String::from_iter);
        rows.filter(|row| row != "......")
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_chain_is_shown_moment_by_moment() {
        // The third column completes a row of `a`.
        let case = "6 13\n5\nacb\nabc\naab\nbca\ncab\n";
        let mut record = record(case, "5\n1 0\n2 0\n3 0\n4 0\n5 0\n");
        let first = record.frame(0, 0);
        assert_eq!((first.moments, first.points), (2, 0));
        assert_eq!(first.column.as_deref(), Some("acb"));
        assert_eq!(first.next, ["abc", "aab", "bca", "cab"]);
        let text = "Column 1 of 5: acb falls, position 1, no shift.";
        assert_eq!(first.text, text);
        for (moment, kind, field, text) in [
            (1, Kind::Landed, "aaa... cba... bcb...", "The column lands."),
            (
                2,
                Kind::Marked,
                "aaa... cba... bcb...",
                "Step 1 of 1: 1 match, combo 1, 47 points.",
            ),
            (3, Kind::Cleared, "cba... bcb...", "3 jewels cleared."),
            (
                4,
                Kind::Settled,
                "cba... bcb...",
                "Settled. 47 points in total.",
            ),
        ] {
            let frame = record.frame(2, moment);
            assert_eq!((frame.kind, frame.moments), (kind, 5));
            assert_eq!((rows(&frame).as_str(), frame.text.as_str()), (field, text));
        }
        let (stack, from, to) = (2, 15, 2);
        assert_eq!(record.frame(2, 1).falls[2], Fall { stack, from, to });
        let marked = record.frame(2, 2);
        assert_eq!((marked.combo, marked.gained, marked.points), (1, 47, 47));
        assert_eq!(marked.matches, [[(0, 0), (1, 0), (2, 0)]]);
        assert!(record.frame(2, 3).cells.starts_with("......"));
        let settled = record.frame(2, 4);
        assert_eq!(settled.falls.len(), 6);
        assert_eq!(settled.cells, record.frame(3, 0).cells);
        // Indices beyond the end yield the last moment.
        assert_eq!(record.frame(2, 99).kind, Kind::Settled);
        let end = record.frame(99, 7);
        assert_eq!((end.kind, end.turn, end.moment), (Kind::Over, 5, 0));
        assert!(
            end.text
                .starts_with("Game over: all 5 columns have landed.")
        );
    }

    #[test]
    fn magic_columns_are_visible() {
        let mut record = record("6 13\n3\n***\naba\n***\n", "3\n2 0\n1 0\n1 0\n");
        let landed = record.frame(0, 1);
        assert_eq!(rows(&landed), ".*.... .*.... .*....");
        assert_eq!((landed.moments, landed.text.contains("floor")), (2, true));
        assert_eq!(rows(&record.frame(1, 0)), "");
        let marked = record.frame(2, 2);
        assert_eq!(rows(&marked), "a..... b..... a..... *..... *..... *.....");
        assert_eq!((marked.combo, marked.gained), (0, 94));
        assert_eq!(marked.marked, [(0, 0), (0, 2)]);
        assert_eq!(rows(&record.frame(2, 3)), "b.....");
        assert_eq!(record.frame(2, 4).text, "Settled. 94 points in total.");
    }

    #[test]
    fn the_text_mentions_default_placements_and_columns_that_do_not_fit() {
        let case = format!("6 13\n6\n{}", "abc\n".repeat(6));
        let mut early = record(&case, "5\n1 0\n1 0\n1 0\n1 0\n1 2\n");
        let end = early.frame(4, 0);
        let text = "Died at column 5 of 6: no room at position 1, 2 shifts. 0 points.";
        assert_eq!((end.kind, end.text.as_str()), (Kind::Over, text));
        assert_eq!(end.column.as_deref(), Some("cab"));
        assert!(!end.placement.unwrap().fits);
        let text = record(&case, "1\n1 0\n").frame(1, 0).text;
        assert!(
            text.ends_with("(the default: the plan has ended)."),
            "{text}"
        );
    }
}
