//! What a state is worth.
//!
//! * [`weights`]: what the evaluation and the search are tuned by, one table; `tuned`: the values in
//!   use; `scaled`: the same as integers;
//! * [`shape`]: the size of a field, and what follows from it alone;
//! * `potential`: the best chain that a field promises; `patterns`: how its colours lie to each
//!   other;
//! * `quotas`: the parts of the beam that are filled by another score than the value;
//! * [`child_value`]: what a child is likely to be worth, before it is built.

pub mod child_value;
pub(crate) mod patterns;
pub(crate) mod potential;
pub(crate) mod quotas;
pub(crate) mod scaled;
pub mod shape;
mod tuned;
pub mod weights;
