//! Learning to rank the states of a beam search layer, for the Columns Game and for SameGame.
//!
//! * [`dataset`]: files of groups, for any game; a group is a few states of one layer;
//! * [`sampling`]: groups from the layers of a beam search, for any game;
//! * [`rollouts`]: groups whose states have labels from narrow searches;
//! * [`columns`], [`samegame`]: groups from the Columns Game and from SameGame;
//! * [`model`]: the small network, in floating point;
//! * [`train`]: the fit of the network, and the quality of its ranking;
//! * [`quantised`]: the quantised network, in integers;
//! * [`network_parameters`]: the parameters of a quantised network that `tuner fit` may change, and their
//!   steps.
//!
//! The commands `tuner sample` and `tuner learn` use this module, and `tuner fit --network` uses
//! [`network_parameters`].

pub mod columns;
pub mod dataset;
pub mod model;
pub mod network_parameters;

pub mod quantised;
pub mod rollouts;
pub mod samegame;
pub mod sampling;
pub mod train;
