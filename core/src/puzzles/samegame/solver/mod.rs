//! Good play by the generic beam search.
//!
//! Positions are compared at equal numbers of removed tiles: a layer is a number of tiles, and a
//! move advances by the size of its group. Children are ranked and hashed without being built
//! (`expand`), and of equal children only the best is built (`build`). With a learned evaluation
//! more positions are built than can stay; they get a second look, which decides.
//!
//! The limit is shared out (`passes`, `purse`). A first pass plays the board from its start. Then
//! stages (`stages`) find out which positions early in the game lead to good games, by playing on
//! from many with narrow beams. Every other pass plays the best game so far up to some point and
//! searches from there, with other noise on the ranks: there the whole beam is for descendants of
//! one good position.

mod build;
mod domain;
mod expand;
mod options;
mod passes;
mod purse;
mod search;
mod stages;
mod window;

pub use options::{Described, Limit, Observer, Options, Solution, TooLarge, MAX_SIDE, PASSES};
pub use passes::{improve, observe, solve};
