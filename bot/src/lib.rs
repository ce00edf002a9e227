//! The strategy: a beam search over placements and shifts.
//!
//! * [`weights`]: what it is tuned by, one table;
//! * [`context`]: what stays the same through a game;
//! * [`state`], [`potential`]: a position and what it promises;
//! * [`features`], [`network`], [`trained`], [`trained_two`]: the learned evaluation;
//! * [`children`], [`prospects`]: ranking the children of a position without building them;
//! * [`search`]: the game as the beam of `columns-core` sees it, and [`solve`];
//! * [`watch`]: looking at the states of a search, and ahead from them;
//! * [`explain`]: why the bot likes what it likes, for people;
//! * [`contest`], [`submission`]: what the contest binary does.

pub mod children;
pub mod contest;
pub mod context;
pub mod explain;
pub mod features;
#[cfg(feature = "cli")]
pub mod meter;
pub mod network;
mod onward;
pub mod potential;
pub mod prospects;
pub mod search;
pub mod state;
pub mod submission;
pub mod trained;
pub mod trained_two;
#[cfg(feature = "cli")]
pub mod watch;
pub mod weights;
#[cfg(feature = "cli")]
pub mod weights_file;

pub use search::{solve, Solution};
pub use weights::Weights;
