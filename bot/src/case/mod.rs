//! The part of a game that a case determines.
//!
//! * [`shape`]: the size of the field, and the sets of cells that follow from it;
//! * [`queue`]: the columns as colour codes, and the upcoming colours.

pub mod queue;
pub mod shape;
