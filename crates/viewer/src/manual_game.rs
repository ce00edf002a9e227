//! A game played by hand, with undo and redo.

use crate::frame::{Frame, Stage};
use crate::landing::Landing;
use crate::record::Record;
use crate::words::column_letters;
use columns_core::rules::case::Case;
use columns_core::rules::plan::{Placement, Plan};
use serde::{Deserialize, Serialize};

/// An action of the user. Games by hand have no restart; SameGame has only undo, redo and restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Action {
    /// Moves the column one stack to the left.
    Left,
    /// Moves the column one stack to the right.
    Right,
    /// Moves the bottom jewel of the column to its top.
    Shift,
    /// Drops the column. The next one starts above the same stack.
    Drop,
    /// Takes back the last column, or the last move in SameGame.
    Undo,
    /// Replays the column, or the move in SameGame, that was undone most recently.
    Redo,
    /// Takes back all moves in SameGame.
    Restart,
}

/// A game that the user plays, with the falling column and the placements to redo.
pub(crate) struct ManualGame {
    record: Record,
    /// The placement that the falling column would have if the user dropped it now.
    aim: Placement,
    /// The placements that were taken back. Redo plays the last one.
    redo_stack: Vec<Placement>,
}

/// The game as the page shows it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct View {
    /// The field and the falling column. The turn of the frame is the number of columns that have landed.
    pub(crate) frame: Frame,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// True if a column has just landed. The page then animates the turn.
    pub(crate) has_landed: bool,
}

impl ManualGame {
    /// Starts a game at the position after the placements of a plan.
    pub(crate) fn new(case: Case, plan: &Plan) -> Self {
        let record = Record::new(case, plan, plan.placements.len());
        Self {
            aim: Self::initial_aim(&record),
            record,
            redo_stack: Vec::new(),
        }
    }

    /// Returns the initial placement of the column in a new game and after redo: the middle stack, no shift.
    fn initial_aim(record: &Record) -> Placement {
        Placement {
            stack: (record.case.width() - 1) / 2,
            shift: 0,
        }
    }

    pub(crate) const fn record(&self) -> &Record {
        &self.record
    }

    /// Performs an action. An impossible action changes nothing.
    pub(crate) fn perform(&mut self, action: Action) -> View {
        let mut has_landed = false;
        let stack = self.aim.stack;
        match action {
            Action::Left => self.aim.stack = stack.saturating_sub(1),
            Action::Right => self.aim.stack = (stack + 1).min(self.record.case.width() - 1),
            Action::Shift => self.aim.shift = (self.aim.shift + 1) % 3,
            Action::Drop => {
                has_landed = self.record.play(self.aim);
                if has_landed {
                    // Keep the redo stack only if redo would have played the same placement.
                    if self.redo_stack.pop() != Some(self.aim) {
                        self.redo_stack.clear();
                    }
                    self.aim.shift = 0;
                }
            }
            Action::Undo => {
                // A column that did not fit does not count as a turn: undo takes back only the attempt to
                // place it.
                if self.record.overflow.is_some() {
                    self.record.take_back_from(self.record.turns.len());
                } else if let Some(last) = self.record.turns.last() {
                    self.redo_stack.push(last.placement);
                    self.aim = last.placement;
                    self.record.take_back_from(self.record.turns.len() - 1);
                }
            }
            Action::Redo if self.can_redo() => {
                if let Some(placement) = self.redo_stack.pop() {
                    has_landed = self.record.play(placement);
                    self.aim = Self::initial_aim(&self.record);
                }
            }
            // For Restart, the page opens a new game.
            Action::Redo | Action::Restart => {}
        }
        self.view(has_landed)
    }

    /// Moves the falling column over a stack, if the stack exists. Changes the shift of the column if `shift`
    /// is given.
    pub(crate) fn aim(&mut self, stack: usize, shift: Option<usize>) -> View {
        if stack < self.record.case.width() {
            self.aim.stack = stack;
        }
        if let Some(shift) = shift {
            self.aim.shift = shift % 3;
        }
        self.view(false)
    }

    /// Returns the game as the page shows it.
    pub(crate) fn view(&self, has_landed: bool) -> View {
        let turns = self.record.turns.len();
        let mut frame = self.record.frame(turns, 0);
        if let (Stage::Falling, Some(column)) = (frame.stage, self.record.game.next_column()) {
            frame.column = Some(column_letters(column, self.aim.shift));
            frame.placement = Some(Landing::new(self.record.game.field(), self.aim));
        }
        View {
            frame,
            can_undo: turns > 0 || self.record.overflow.is_some(),
            can_redo: self.can_redo(),
            has_landed,
        }
    }

    /// True if redo can play a column: a game that has ended early keeps its redo stack until undo.
    const fn can_redo(&self) -> bool {
        !self.redo_stack.is_empty() && self.record.overflow.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(columns: &str) -> ManualGame {
        let count = columns.split(' ').count();
        let case = format!("6 13\n{count}\n{columns}\n").parse().unwrap();
        ManualGame::new(case, &Plan::default())
    }

    #[test]
    fn keys_move_shift_and_drop() {
        let mut game = game("abc abc");
        assert_eq!(game.view(false).frame.placement.unwrap().stack, 2);
        (0..9).for_each(|_| drop(game.perform(Action::Right)));
        let view = game.perform(Action::Shift);
        assert_eq!(view.frame.column.as_deref(), Some("bca"));
        let view = game.perform(Action::Drop);
        assert!(view.has_landed && view.can_undo && view.frame.stage != Stage::Ended);
        // The next column starts above the stack of the previous one.
        let aim = view.frame.placement.unwrap();
        assert_eq!((aim.stack, aim.shift, aim.row), (5, 0, 3));
        (0..9).for_each(|_| drop(game.perform(Action::Left)));
        assert_eq!(game.perform(Action::Drop).frame.stage, Stage::Ended);
        assert_eq!(game.record().plan.to_string(), "2\n6 1\n1 0\n");
        assert!(!game.perform(Action::Drop).has_landed);
    }

    #[test]
    fn redo_repeats_what_undo_took_back() {
        let mut game = game("abc bca cab aaa");
        for stack in [0, 3, 5] {
            game.aim(stack, None);
            game.perform(Action::Drop);
        }
        let plan = game.record().plan.clone();
        assert!((0..3).all(|_| game.perform(Action::Undo).can_redo));
        assert!(!game.view(false).can_undo);
        assert!((0..3).all(|_| game.perform(Action::Redo).has_landed));
        assert_eq!(game.record().plan, plan);
        (0..3).for_each(|_| drop(game.perform(Action::Undo)));
        // A column with the same placement keeps the redo stack; another placement clears it.
        game.aim(0, None);
        assert!(game.perform(Action::Drop).can_redo);
        game.aim(4, None);
        assert!(!game.perform(Action::Drop).can_redo);
    }

    #[test]
    fn a_column_that_does_not_fit_can_be_taken_back() {
        let mut game = game("abc bca cab abc bca");
        (0..4).for_each(|_| drop(game.perform(Action::Drop)));
        assert!(!game.view(false).frame.placement.unwrap().fits);
        assert_eq!(game.perform(Action::Drop).frame.stage, Stage::Ended);
        // The plan contains the column that did not fit, so a game that continues it has ended too.
        let plan = game.record().plan.clone();
        assert_eq!(plan.placements.len(), 5);
        let again = ManualGame::new(game.record().case.clone(), &plan);
        assert_eq!(again.view(false).frame.stage, Stage::Ended);
        let view = game.perform(Action::Undo);
        assert_eq!((view.frame.stage, view.frame.turn), (Stage::Falling, 4));
        game.perform(Action::Left);
        assert!(game.perform(Action::Drop).has_landed);
        // At the end of the game, redo changes nothing.
        game.perform(Action::Undo);
        game.perform(Action::Right);
        assert!(!game.perform(Action::Drop).can_redo);
        game.perform(Action::Redo);
        assert!(game.perform(Action::Undo).can_redo);
        assert!(game.perform(Action::Redo).has_landed);
    }
}
