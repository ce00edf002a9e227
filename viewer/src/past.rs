//! The positions of a puzzle so far, to be walked through.

use crate::hand::Press;

/// The positions so far, and those that were taken back.
pub struct Past<T> {
    /// The present one is the last.
    done: Vec<T>,
    /// The last one comes again first.
    undone: Vec<T>,
}

impl<T> Past<T> {
    /// Before the first move.
    pub fn new(first: T) -> Self {
        Self {
            done: vec![first],
            undone: Vec::new(),
        }
    }

    /// The present position.
    #[allow(clippy::missing_panics_doc, reason = "the first position stays")]
    pub fn now(&self) -> &T {
        self.done.last().expect("the first position stays")
    }

    /// The first position.
    pub fn first(&self) -> &T {
        &self.done[0]
    }

    /// How many moves have been made.
    pub fn moves(&self) -> usize {
        self.done.len() - 1
    }

    /// Whether a move was taken back.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// A move: those that were taken back are forgotten.
    pub fn push(&mut self, next: T) {
        self.done.push(next);
        self.undone.clear();
    }

    /// Takes a move back, makes it again, or takes all of them back; other keys do nothing.
    pub fn press(&mut self, press: Press) {
        match press {
            Press::Undo if self.moves() > 0 => self.undone.extend(self.done.pop()),
            Press::Redo => self.done.extend(self.undone.pop()),
            Press::Restart => self.undone.extend(self.done.drain(1..).rev()),
            _ => {}
        }
    }
}
