//! The evaluation of a state.
//!
//! * [`context`]: the case and the weights of a game; [`state`]: a state of the search;
//! * `tuned`: the table of weights; [`weights`]: the types generated from the table, and the weights as
//!   tunable parameters; [`scaled`]: values and weights as integers;
//! * [`potential`]: the best chain that a field promises; [`patterns`]: the pairs, completions and
//!   surface of a field;
//! * [`quotas`]: the parts of the beam that are filled by a score of their own;
//! * [`child_value`]: a prediction of a child's value before it is built.

#[macro_use]
mod tuned;

pub mod child_value;
pub mod context;
pub mod patterns;
pub mod potential;
pub mod quotas;
pub mod scaled;
pub mod state;
pub mod weights;
