//! What a case fixes for the whole game.
//!
//! * [`shape`]: the size of the field, and what follows from it alone;
//! * [`queue`]: the columns as colour codes, and which colours come when.

pub mod queue;
pub mod shape;
