//! Learning to rank the states in a layer of a beam search.
//!
//! * [`dataset`]: files of groups; a group is a few states of one layer;
//! * [`sampling`]: sampling of groups from the layers of a beam search, and its settings;
//! * [`rollouts`]: groups whose states have labels from narrow searches;
//! * [`model`]: the small network, in floating point;
//! * [`train`]: the fit of the network, and the quality of its ranking;
//! * [`quantised`]: the quantised network, in integers.
//!
//! The commands `tuner sample` and `tuner learn` use this module.

pub mod dataset;
pub mod model;
pub mod quantised;
pub mod rollouts;
pub mod sampling;
pub mod train;
