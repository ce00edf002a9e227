//! The parts of a game that depend only on its case.
//!
//! * [`geometry`]: the size of the field, and sets of cells such as its lowest row;
//! * [`queue`]: the columns as colour codes, and the upcoming colours.

pub mod geometry;
pub mod queue;
