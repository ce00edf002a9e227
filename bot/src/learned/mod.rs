//! The learned evaluation: the value that a small network adds to the hand-set one.
//!
//! * [`features`]: the inputs of the network, numbers that describe a state;
//! * [`networks`]: the choice between two networks;
//! * [`trained`], [`trained_two`]: the built-in networks, as text.

pub mod features;
pub mod networks;
pub mod trained;
pub mod trained_two;
