//! The learned evaluation: the value that a small network adds to the hand-set one.
//!
//! * [`features`]: its input, numbers that describe a state;
//! * [`networks`]: the choice between two networks;
//! * [`trained`], [`trained_two`]: the networks in use, as text.

pub mod features;
pub mod networks;
pub mod trained;
pub mod trained_two;
