//! The common parts of the puzzles: a game with undo and redo, and its positions, ready to draw.

use crate::manual_game::Action;
use serde::Serialize;

/// A step of a solution or of a game, ready to draw.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Scene {
    /// The field, row by row from the floor up: a letter or digit for each cell, `.` for an empty cell.
    pub(crate) cells: String,
    /// The squares (stack, row) that the player has chosen in this turn of Inc; empty for Maya.
    pub(crate) group: Vec<(usize, usize)>,
    /// In Maya, the move that leads to the next scene; `None` for the last scene, or if a clearing leads to
    /// the next one. Always `None` in Inc.
    pub(crate) drag: Option<Drag>,
    /// A sentence that describes the step.
    pub(crate) text: String,
}

/// A move of a block to another stack.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Drag {
    pub(crate) stack: usize,
    pub(crate) row: usize,
    /// The stack that the block moves to.
    pub(crate) to: usize,
}

/// The current position of a game, as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct Position {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The field, as in [`Scene::cells`].
    pub(crate) cells: String,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// A sentence that describes the position.
    pub(crate) text: String,
}

/// The positions of a game, for undo and redo.
pub(crate) struct History<T> {
    /// All positions so far. The last one is the current position.
    positions: Vec<T>,
    /// The positions that were taken back. Redo restores the last one.
    redo_stack: Vec<T>,
}

impl<T> History<T> {
    /// Starts a history with the position before the first move.
    pub(crate) fn new(first: T) -> Self {
        Self {
            positions: vec![first],
            redo_stack: Vec::new(),
        }
    }

    pub(crate) fn current(&self) -> &T {
        self.positions
            .last()
            .expect("undo keeps the first position")
    }

    /// Returns the number of moves so far, excluding undone moves.
    pub(crate) fn move_count(&self) -> usize {
        self.positions.len() - 1
    }

    /// Appends the position after a move and clears the redo stack.
    pub(crate) fn push(&mut self, next: T) {
        self.positions.push(next);
        self.redo_stack.clear();
    }

    /// Performs undo, redo or restart. Ignores other actions.
    pub(crate) fn perform(&mut self, action: Action) {
        match action {
            Action::Undo if self.move_count() > 0 => self.redo_stack.extend(self.positions.pop()),
            Action::Redo => self.positions.extend(self.redo_stack.pop()),
            Action::Restart => self.redo_stack.extend(self.positions.drain(1..).rev()),
            _ => {}
        }
    }

    /// Returns the current position as the page shows it. `cells` is the field as text, and `text` describes
    /// the position.
    pub(crate) fn position(
        &self,
        [width, height]: [usize; 2],
        cells: String,
        text: String,
    ) -> Position {
        Position {
            width,
            height,
            cells,
            can_undo: self.move_count() > 0,
            can_redo: !self.redo_stack.is_empty(),
            text,
        }
    }
}
