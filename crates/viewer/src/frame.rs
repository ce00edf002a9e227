//! One moment of a game, ready to draw.
//!
//! A turn consists of these moments, in this order:
//!
//! 1. [`Stage::Falling`]: the column is above its stack.
//! 2. [`Stage::Landed`]: the column lies on its stack.
//! 3. For each step: [`Stage::Marked`], the jewels to be cleared are marked; [`Stage::Cleared`], they
//!    are gone; [`Stage::Settled`], the jewels above have fallen.
//!
//! The moment after the last turn is [`Stage::Falling`] or [`Stage::Ended`].

use crate::landing::Landing;
use crate::record::Record;
use crate::words::{column_letters, count_text, placement_text};
use columns_core::rules::case::{Case, Colour, Column};
use columns_core::rules::naive::{NaiveField, Step};
use columns_core::rules::plan::Placement;
use columns_core::text::group_digits;
use serde::Serialize;

/// The maximum number of next columns in a frame.
const MAX_NEXT: usize = 6;

/// The stage of a turn that a moment shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stage {
    /// The column is above its stack.
    #[default]
    Falling,
    /// The column lies on its stack.
    Landed,
    /// The jewels that the step clears are marked.
    Marked,
    /// The cleared jewels are gone; the jewels above them have not fallen yet.
    Cleared,
    /// The jewels above the cleared ones have fallen.
    Settled,
    /// The game is over: all columns have landed, one did not fit, or the plan is invalid at this point.
    Ended,
}

/// A jewel that has fallen since the previous moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Fall {
    pub(crate) stack: usize,
    /// The row before the fall. A column starts its fall in the top rows.
    pub(crate) from: usize,
    /// The row after the fall.
    pub(crate) to: usize,
}

/// A moment, ready to draw. Stacks are numbered from 0 at the left, rows from 0 at the floor.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Frame {
    /// The number of columns that have landed before this turn.
    pub(crate) turn: usize,
    /// The number of moments in this turn.
    pub(crate) moment_count: usize,
    pub(crate) stage: Stage,
    /// The field, row by row from the floor up: a letter for a jewel, `*` for a magic jewel, `.`
    /// for an empty cell.
    pub(crate) cells: String,
    /// The shifted column of this turn, bottom to top; `None` after the last column.
    pub(crate) column: Option<String>,
    pub(crate) placement: Option<Landing>,
    /// The number of the step, from 1; 0 before the first step.
    pub(crate) step: usize,
    /// The multiplier of this step's matches; 0 in a clearing by a magic column, and outside steps.
    pub(crate) combo: usize,
    /// The marked matches, each as three cells (stack, row).
    pub(crate) matches: Vec<[(usize, usize); 3]>,
    /// The cells (stack, row) that are marked or have just been cleared.
    pub(crate) marked_cells: Vec<(usize, usize)>,
    /// Points that this step scores; 0 outside steps.
    pub(crate) step_points: u64,
    /// Points of this turn so far.
    pub(crate) turn_points: u64,
    /// Points of the game so far.
    pub(crate) points: u64,
    /// The number of steps in the longest chain so far.
    pub(crate) longest_chain: usize,
    /// The jewels that have fallen since the previous moment.
    pub(crate) falls: Vec<Fall>,
    /// The next columns, not shifted, bottom to top; at most [`MAX_NEXT`].
    pub(crate) next_columns: Vec<String>,
    /// The reason why the game ended, in two or three words; `None` before the end.
    pub(crate) end_reason: Option<&'static str>,
    /// A description of the moment in one or two sentences.
    pub(crate) text: String,
}

/// Returns the cells of a field, row by row from the floor up.
pub(crate) fn cells_text(field: &NaiveField) -> String {
    let width = field.width();
    (0..width * field.height())
        .map(|i| field.cell(i % width, i / width).map_or('.', Colour::letter))
        .collect()
}

/// Returns the jewels whose row differs between two fields. The order of jewels within a stack must
/// be the same.
fn falls(before: &NaiveField, after: &NaiveField) -> Vec<Fall> {
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

/// Returns up to [`MAX_NEXT`] columns, starting at `index`.
fn next_columns(case: &Case, index: usize) -> Vec<String> {
    let columns = case.columns().iter().skip(index).take(MAX_NEXT);
    columns.map(ToString::to_string).collect()
}

/// Formats the number of a column: `Column 3 of 11`.
fn column_number_text(case: &Case, turn: usize) -> String {
    let [number, count] = [turn + 1, case.columns().len()].map(|n| group_digits(n as u64));
    format!("Column {number} of {count}")
}

impl Record {
    /// Returns a moment of a turn. Indices past the end return the last moment.
    pub(crate) fn frame(&self, index: usize, moment: usize) -> Frame {
        if index >= self.turns.len() {
            return self.end();
        }
        let mut frames = self.moments(index);
        let moment_count = frames.len();
        let mut frame = frames.swap_remove(moment.min(moment_count - 1));
        frame.moment_count = moment_count;
        frame
    }

    /// Returns the moments of a turn: the falling column, the landed column, then its chain.
    fn moments(&self, index: usize) -> Vec<Frame> {
        let before = self.field_before(index);
        let (case, turn) = (&self.case, &self.turns[index]);
        let Placement { stack, shift } = turn.placement;
        let previous = index.checked_sub(1).map(|last| &self.turns[last]);
        let base = Frame {
            turn: index,
            column: Some(column_letters(turn.column, shift)),
            placement: Some(Landing::new(before, turn.placement)),
            points: previous.map_or(0, |previous| previous.total_points),
            longest_chain: previous.map_or(0, |previous| previous.longest_chain),
            next_columns: next_columns(case, index + 1),
            ..Frame::default()
        };
        let default = if turn.is_planned {
            ""
        } else {
            " (the default: the plan has ended)"
        };
        let falling = Frame {
            cells: cells_text(before),
            text: format!(
                "{}: {} falls, {}{default}.",
                column_number_text(case, index),
                column_letters(turn.column, shift),
                placement_text(stack, shift)
            ),
            ..base.clone()
        };
        let landed = turn.fields(before).swap_remove(0);
        let fall = |jewel| Fall {
            stack,
            from: before.height() - 3 + jewel,
            to: turn.landing_row + jewel,
        };
        let landing = Frame {
            stage: Stage::Landed,
            cells: cells_text(&landed),
            falls: (0..3).map(fall).collect(),
            text: match (turn.column, turn.steps.len()) {
                (Column::Magic, 0) => "The magic column lands on the floor and vanishes.".into(),
                (Column::Magic, _) => "The magic column lands.".into(),
                (_, 0) => "The column lands; nothing matches.".into(),
                _ => "The column lands.".into(),
            },
            ..base.clone()
        };
        let mut frames = vec![falling, landing];
        frames.extend(chain_frames(base, &turn.steps, landed));
        if turn.column == Column::Magic {
            // By the rules, a magic column occupies no cells, but the frames show it until the jewels that it
            // clears are gone.
            for frame in frames.iter_mut().skip(1).take(2) {
                for row in turn.landing_row..turn.landing_row + 3 {
                    let at = row * before.width() + stack;
                    frame.cells.replace_range(at..=at, "*");
                }
            }
        }
        frames
    }

    /// Returns the moment after the last turn.
    fn end(&self) -> Frame {
        let (turn, case) = (self.turns.len(), &self.case);
        let points = self.game.outcome().points;
        let column = case.columns().get(turn).copied();
        let placement = self.overflow;
        let (end_reason, text) = match (self.error.as_deref(), placement, self.game.next_column()) {
            (Some(mistake), ..) => (
                Some("Invalid plan"),
                format!("Plan error, {mistake}. An invalid plan scores 0."),
            ),
            (None, Some(Landing { stack, shift, .. }), _) => (
                Some("Game over"),
                format!(
                    "Ended early at {}: no room at {}. {} points.",
                    column_number_text(case, turn).to_lowercase(),
                    placement_text(stack, shift),
                    group_digits(points)
                ),
            ),
            (None, None, None) => (
                Some("All columns played"),
                format!(
                    "Game over: all {} have landed. {} points.",
                    count_text(turn, "column", "columns"),
                    group_digits(points)
                ),
            ),
            (None, None, Some(_)) => (None, format!("{} is next.", column_number_text(case, turn))),
        };
        Frame {
            turn,
            moment_count: 1,
            stage: end_reason.map_or(Stage::Falling, |_| Stage::Ended),
            cells: cells_text(self.game.field()),
            column: column.map(|column| column_letters(column, placement.map_or(0, |p| p.shift))),
            placement,
            points,
            longest_chain: self.game.outcome().longest_chain,
            next_columns: next_columns(case, turn + 1),
            end_reason,
            text,
            ..Frame::default()
        }
    }
}

/// Returns the moments of a chain, three for each step. `frame` is the moment before the chain, and `field`
/// is the field at that moment. The points of the chain are added to the points of `frame`.
pub(crate) fn chain_frames(mut frame: Frame, steps: &[Step], mut field: NaiveField) -> Vec<Frame> {
    let length = steps.iter().filter(|step| !step.matches.is_empty()).count();
    let mut combo = 0;
    let mut frames = Vec::new();
    for step in steps {
        let jewels = count_text(step.cleared.len(), "jewel", "jewels");
        let matches = count_text(step.matches.len(), "match", "matches");
        let points = group_digits(step.points);
        let by_magic = step.matches.is_empty();
        combo += usize::from(!by_magic);
        frame.step += 1;
        frame.combo = if by_magic { 0 } else { combo };
        frame.step_points = step.points;
        frame.turn_points += step.points;
        frame.points += step.points;
        frame.longest_chain = frame.longest_chain.max(combo);
        frames.push(Frame {
            stage: Stage::Marked,
            cells: cells_text(&field),
            matches: step.matches.clone(),
            marked_cells: step.cleared.clone(),
            text: if by_magic {
                format!("Magic clears {jewels}: {points} points.")
            } else {
                format!("Step {combo} of {length}: {matches}, combo {combo}, {points} points.")
            },
            ..frame.clone()
        });
        field.clear_cells(&step.cleared);
        frames.push(Frame {
            stage: Stage::Cleared,
            cells: cells_text(&field),
            marked_cells: step.cleared.clone(),
            text: format!("{jewels} cleared."),
            ..frame.clone()
        });
        let before = field.clone();
        field.settle();
        frames.push(Frame {
            stage: Stage::Settled,
            cells: cells_text(&field),
            falls: falls(&before, &field),
            text: format!("Settled. {} points in total.", group_digits(frame.points)),
            ..frame.clone()
        });
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::plan::Plan;

    fn record(case: &str, plan: &str) -> Record {
        let case: Case = case.parse().unwrap();
        let plan = Plan::parse(plan, case.width(), case.columns().len()).unwrap();
        Record::new(case, &plan, usize::MAX)
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
        let record = record(case, "5\n1 0\n2 0\n3 0\n4 0\n5 0\n");
        let first = record.frame(0, 0);
        assert_eq!((first.moment_count, first.points), (2, 0));
        assert_eq!(first.column.as_deref(), Some("acb"));
        assert_eq!(first.next_columns, ["abc", "aab", "bca", "cab"]);
        let text = "Column 1 of 5: acb falls, position 1, no shift.";
        assert_eq!(first.text, text);
        for (moment, kind, field, text) in [
            (
                1,
                Stage::Landed,
                "aaa... cba... bcb...",
                "The column lands.",
            ),
            (
                2,
                Stage::Marked,
                "aaa... cba... bcb...",
                "Step 1 of 1: 1 match, combo 1, 47 points.",
            ),
            (3, Stage::Cleared, "cba... bcb...", "3 jewels cleared."),
            (
                4,
                Stage::Settled,
                "cba... bcb...",
                "Settled. 47 points in total.",
            ),
        ] {
            let frame = record.frame(2, moment);
            assert_eq!((frame.stage, frame.moment_count), (kind, 5));
            assert_eq!((rows(&frame).as_str(), frame.text.as_str()), (field, text));
        }
        let (stack, from, to) = (2, 12, 2);
        assert_eq!(record.frame(2, 1).falls[2], Fall { stack, from, to });
        let marked = record.frame(2, 2);
        assert_eq!(
            (marked.combo, marked.step_points, marked.points),
            (1, 47, 47)
        );
        assert_eq!(marked.matches, [[(0, 0), (1, 0), (2, 0)]]);
        assert!(record.frame(2, 3).cells.starts_with("......"));
        let settled = record.frame(2, 4);
        assert_eq!(settled.falls.len(), 6);
        assert_eq!(settled.cells, record.frame(3, 0).cells);
        // Indices past the end return the last moment.
        assert_eq!(record.frame(2, 99).stage, Stage::Settled);
        let end = record.frame(99, 7);
        assert_eq!(
            (end.stage, end.turn, end.moment_count),
            (Stage::Ended, 5, 1)
        );
        assert!(
            end.text
                .starts_with("Game over: all 5 columns have landed.")
        );
    }

    #[test]
    fn magic_columns_are_visible() {
        let record = record("6 13\n3\n***\naba\n***\n", "3\n2 0\n1 0\n1 0\n");
        let landed = record.frame(0, 1);
        assert_eq!(rows(&landed), ".*.... .*.... .*....");
        assert_eq!(
            (landed.moment_count, landed.text.contains("floor")),
            (2, true)
        );
        assert_eq!(rows(&record.frame(1, 0)), "");
        let marked = record.frame(2, 2);
        assert_eq!(rows(&marked), "a..... b..... a..... *..... *..... *.....");
        assert_eq!((marked.combo, marked.step_points), (0, 94));
        assert_eq!(marked.marked_cells, [(0, 0), (0, 2)]);
        assert_eq!(rows(&record.frame(2, 3)), "b.....");
        assert_eq!(record.frame(2, 4).text, "Settled. 94 points in total.");
    }

    #[test]
    fn the_text_mentions_default_placements_and_columns_that_do_not_fit() {
        let case = format!("6 13\n6\n{}", "abc\n".repeat(6));
        let early = record(&case, "5\n1 0\n1 0\n1 0\n1 0\n1 2\n");
        let end = early.frame(4, 0);
        let text = "Ended early at column 5 of 6: no room at position 1, 2 shifts. 0 points.";
        assert_eq!((end.stage, end.text.as_str()), (Stage::Ended, text));
        assert_eq!(end.column.as_deref(), Some("cab"));
        assert!(!end.placement.unwrap().fits);
        let text = record(&case, "1\n1 0\n").frame(1, 0).text;
        assert!(
            text.ends_with("(the default: the plan has ended)."),
            "{text}"
        );
    }
}
