//! The strategy: a beam search over placements and shifts.
//!
//! * [`weights`]: what it is tuned by, one table; `scaled`: the same as integers;
//! * [`shape`], `coming`, `context`: the size of the field, the columns, and both with the weights:
//!   what stays the same through a game;
//! * `state`, `potential`, `patterns`: a position, the best chain that it promises, and how its
//!   colours lie to each other;
//! * [`features`], [`network`], [`trained`], [`trained_two`]: the learned evaluation;
//! * `children`, [`prospects`]: ranking the children of a position without building them;
//! * `domain`: the game as the beam search of `columns-core` sees it; `simulator` picks the
//!   simulator for a case, [`search`] plays a case;
//! * `observer`, `work`, [`watch`], [`meter`]: who looks at a search, what it has done, and a
//!   clock that shows work;
//! * [`explain`]: why the bot likes what it likes, for people;
//! * [`contest`], [`submission`]: what the contest binary does.

// Without observers some numbers have no reader.
#![cfg_attr(not(feature = "cli"), allow(unused_mut, unused_variables))]

mod children;
mod coming;
pub mod contest;
mod context;
mod domain;
pub mod explain;
pub mod features;
#[cfg(feature = "cli")]
pub mod meter;
pub mod network;
#[cfg(feature = "cli")]
mod observer;
mod patterns;
mod player;
mod potential;
pub mod prospects;
mod scaled;
pub mod search;
pub mod shape;
mod simulator;
mod state;
pub mod submission;
pub mod trained;
pub mod trained_two;
#[cfg(feature = "cli")]
pub mod watch;
pub mod weights;
#[cfg(feature = "cli")]
pub mod weights_file;
#[cfg(feature = "cli")]
mod work;

pub use search::{solve, Solution};
pub use weights::Weights;
