//! A beam search that knows nothing of any game.
//!
//! Children are light: an operation and some numbers to rank them by ([`Rank`]). The best of a
//! layer's candidates are built, duplicates among them dropped, the rest evaluated, and the best of
//! those survive. The path is a flat list of (previous, operation).
//!
//! An operation may advance by more than one layer, so that states can be compared at equal numbers
//! of, say, removed tiles rather than moves.
//!
//! * `domain`: a game, as the beam sees it;
//! * `layers`: the search, layer by layer;
//! * `choice`: the best of many candidates; `bar`: what a candidate has to beat to be one of them;
//! * `steering`: how wide a layer may be, so that the budget lasts to the end;
//! * `hashes`: which states a layer holds already.

mod bar;
mod choice;
mod domain;
mod hashes;
mod layers;
mod steering;

pub use choice::{Rank, RESERVES};
pub use domain::{Children, Domain, Node};
pub use layers::{frontier, search, Found, Reached};
pub use steering::{Budget, Clock, Settings};
