//! The part of a game that a case determines.
//!
//! * [`shape`]: the size of the field and its sets of cells;
//! * [`queue`]: the columns as colour codes, and the upcoming colours.

pub mod queue;
pub mod shape;
