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

use crate::placed::Placed;
use crate::record::Record;
use crate::words::{counted, letters, placement_text, step_text};
use columns_core::rules::case::{Case, Colour, Column};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::replay::Turn;
use columns_core::text::grouped;
use serde::Serialize;

/// Maximum number of next columns in a frame.
const MAX_NEXT: usize = 6;

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
    /// The row before the fall. A landing column starts in the top rows.
    pub(crate) from: usize,
    /// The row after the fall.
    pub(crate) to: usize,
}

/// A moment, ready to draw. Stacks count from 0 at the left, rows from 0 at the floor.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Frame {
    /// The number of columns that have landed before this turn.
    pub(crate) turn: usize,
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
    /// The next columns, not shifted, bottom to top; at most [`MAX_NEXT`].
    pub(crate) next: Vec<String>,
    /// The reason why the game ended, in a word or two.
    pub(crate) ending: Option<&'static str>,
    /// The moment as a sentence or two.
    pub(crate) text: String,
}

/// Returns the cells of a field, row by row from the floor up.
pub(crate) fn cells(field: &NaiveField) -> String {
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

/// Returns up to [`MAX_NEXT`] columns from `index` on.
fn next(case: &Case, index: usize) -> Vec<String> {
    let columns = case.columns().iter().skip(index).take(MAX_NEXT);
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
    pub(crate) fn frame(&mut self, index: usize, moment: usize) -> Frame {
        if index >= self.turns().len() {
            return self.end();
        }
        let before = self.field_before(index).clone();
        let turn = &self.turns()[index];
        let previous = index.checked_sub(1).map(|last| &self.turns()[last]);
        let moments = 2 + 3 * turn.steps.len();
        let moment = moment.min(moments - 1);
        let mut frame = Frame {
            turn: index,
            moments,
            cells: cells(&before),
            column: Some(letters(turn.column, turn.placement.shift)),
            placement: Some(Placed::new(&before, turn.placement, turn.planned)),
            points: previous.map_or(0, |previous| previous.points),
            longest: previous.map_or(0, |previous| previous.longest_chain),
            next: next(self.case(), index + 1),
            ..Frame::default()
        };
        match moment {
            0 => {
                let default = if turn.planned {
                    ""
                } else {
                    " (the default: the plan has ended)"
                };
                frame.text = format!(
                    "{}: {} falls, {}{default}.",
                    numbered(self.case(), index),
                    letters(turn.column, turn.placement.shift),
                    placement_text(turn.placement.stack, turn.placement.shift)
                );
            }
            1 => land(&mut frame, turn, &before),
            _ => clear(&mut frame, turn, &before, moment - 2),
        }
        frame
    }

    /// Returns the moment after the last turn.
    fn end(&self) -> Frame {
        let turn = self.turns().len();
        let case = self.case();
        let points = self.game().outcome().points;
        let column = case.columns().get(turn).copied();
        let placement = self.failed();
        let (ending, text) = match (self.broken(), placement, self.game().next_column()) {
            (Some(mistake), ..) => (
                Some("Invalid plan"),
                format!("Plan error, {mistake}. An invalid plan scores 0."),
            ),
            (None, Some(Placed { stack, shift, .. }), _) => (
                Some("Game over"),
                format!(
                    "Ended early at {}: no room at {}. {} points.",
                    numbered(case, turn).to_lowercase(),
                    placement_text(stack, shift),
                    grouped(points)
                ),
            ),
            (None, None, None) => (
                Some("All columns played"),
                format!(
                    "Game over: all {} have landed. {} points.",
                    counted(turn, "column", "columns"),
                    grouped(points)
                ),
            ),
            (None, None, Some(_)) => (None, format!("{} is next.", numbered(case, turn))),
        };
        Frame {
            turn,
            moments: 1,
            kind: ending.map_or(Kind::Falling, |_| Kind::Over),
            cells: cells(self.game().field()),
            column: column.map(|column| letters(column, placement.map_or(0, |p| p.shift))),
            placement,
            points,
            longest: self.game().outcome().longest_chain,
            next: next(case, turn + 1),
            ending,
            text,
            ..Frame::default()
        }
    }
}

/// Returns the cells of the field with the column that has just landed. By the rules, a magic
/// column never occupies cells; the picture shows it anyway.
fn with_magic(turn: &Turn, field: &NaiveField) -> String {
    let mut cells = cells(field);
    if turn.column == Column::Magic {
        for row in turn.landing..turn.landing + 3 {
            let at = row * field.width() + turn.placement.stack;
            cells.replace_range(at..=at, "*");
        }
    }
    cells
}

/// Fills the frame of a landing. `before`: the field before the turn.
fn land(frame: &mut Frame, turn: &Turn, before: &NaiveField) {
    frame.kind = Kind::Landed;
    frame.cells = with_magic(turn, &turn.fields(before)[0]);
    frame.falls = (0..3)
        .map(|jewel| Fall {
            stack: turn.placement.stack,
            from: before.height() - 3 + jewel,
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

/// Fills the frame of a moment of a step. `before`: the field before the turn; `moment`: the number
/// of moments since the landing, 3 for each step.
fn clear(frame: &mut Frame, turn: &Turn, before: &NaiveField, moment: usize) {
    let index = moment / 3;
    let (step, so_far) = (&turn.steps[index], &turn.steps[..=index]);
    let by_magic = step.matches.is_empty();
    let chain = so_far.iter().filter(|s| !s.matches.is_empty()).count();
    frame.step = index + 1;
    frame.combo = if by_magic { 0 } else { chain };
    frame.gained = step.points;
    frame.turn_points = so_far.iter().map(|step| step.points).sum();
    frame.points += frame.turn_points;
    frame.longest = frame.longest.max(chain);
    let fields = turn.fields(before);
    let [full, hanging, settled] = [0, 1, 2].map(|part| &fields[2 * index + part]);
    let jewels = counted(step.cleared.len(), "jewel", "jewels");
    match moment % 3 {
        0 => {
            frame.kind = Kind::Marked;
            frame.cells = if index == 0 {
                with_magic(turn, full)
            } else {
                cells(full)
            };
            frame.matches.clone_from(&step.matches);
            frame.marked.clone_from(&step.cleared);
            frame.text = if by_magic {
                format!("Magic clears {jewels}: {} points.", grouped(step.points))
            } else {
                step_text(step, chain, turn.chain_length())
            };
        }
        1 => {
            frame.kind = Kind::Cleared;
            frame.cells = cells(hanging);
            frame.marked.clone_from(&step.cleared);
            frame.text = format!("{jewels} cleared.");
        }
        _ => {
            frame.kind = Kind::Settled;
            frame.cells = cells(settled);
            frame.falls = falls(hanging, settled);
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
        Record::new(case, &plan)
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
        let (stack, from, to) = (2, 12, 2);
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
        assert_eq!((end.kind, end.turn, end.moments), (Kind::Over, 5, 1));
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
        let text = "Ended early at column 5 of 6: no room at position 1, 2 shifts. 0 points.";
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
