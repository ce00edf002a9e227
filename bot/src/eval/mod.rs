//! What a state is worth.
//!
//! * [`context`]: what stays the same through a game; [`state`]: a position;
//! * [`weights`]: what the evaluation and the search are tuned by, one table; `tuned`: the values in
//!   use; `scaled`: the same as integers;
//! * [`potential`]: the best chain that a field promises; [`patterns`]: how its colours lie to each
//!   other;
//! * [`quotas`]: the parts of the beam that are filled by another score than the value;
//! * [`child_value`]: what a child is likely to be worth, before it is built.

pub mod child_value;
pub mod context;
pub mod patterns;
pub mod potential;
pub mod quotas;
pub mod scaled;
pub mod state;
mod tuned;
pub mod weights;

impl Default for weights::Weights {
    /// The values in use.
    fn default() -> Self {
        tuned::TUNED
    }
}
