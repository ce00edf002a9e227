//! Undo and redo for the puzzles.

use crate::hand::Press;

/// The history of a puzzle's positions.
pub(crate) struct History<T> {
    /// All positions so far. The last one is the current position.
    done: Vec<T>,
    /// The positions that were taken back, as a stack: redo restores the last one.
    undone: Vec<T>,
}

impl<T> History<T> {
    /// Starts a history with the position before the first move.
    pub(crate) fn new(first: T) -> Self {
        Self {
            done: vec![first],
            undone: Vec::new(),
        }
    }

    /// Returns the current position.
    pub(crate) fn now(&self) -> &T {
        self.done.last().expect("undo keeps the first position")
    }

    pub(crate) fn first(&self) -> &T {
        &self.done[0]
    }

    /// Returns the number of moves so far.
    pub(crate) fn moves(&self) -> usize {
        self.done.len() - 1
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Appends the position after a move and clears the redo list.
    pub(crate) fn push(&mut self, next: T) {
        self.done.push(next);
        self.undone.clear();
    }

    /// Performs undo, redo or restart. Ignores other actions.
    pub(crate) fn press(&mut self, press: Press) {
        match press {
            Press::Undo if self.moves() > 0 => self.undone.extend(self.done.pop()),
            Press::Redo => self.done.extend(self.undone.pop()),
            Press::Restart => self.undone.extend(self.done.drain(1..).rev()),
            _ => {}
        }
    }
}
