//! The learned evaluation: the value that a small network adds to the hand-set one.
//!
//! * [`features`]: the inputs of the network, numbers that describe a state;
//! * [`networks`]: the choice between two networks. `any.txt` and `two.txt` hold the built-in ones as text.

pub mod features;
pub mod networks;
