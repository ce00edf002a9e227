//! The data of a game that depends on its case alone.
//!
//! * [`geometry`]: the size of the field, and the sets of cells that follow from it;
//! * [`queue`]: the columns as colour codes, and the upcoming colours.

pub mod geometry;
pub mod queue;
