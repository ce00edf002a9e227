//! The learned evaluation: a small network's value of a state, which is added to the hand-set one.
//!
//! * [`features`]: what it sees of a state;
//! * [`networks`]: which network values a state;
//! * [`trained`], [`trained_two`]: the networks in use, as text.

pub mod features;
pub mod networks;
pub mod trained;
pub mod trained_two;
