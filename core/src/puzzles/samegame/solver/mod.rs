//! Good play by the generic beam search.
//!
//! Positions are compared at equal numbers of removed tiles: a layer is a number of tiles, and a
//! move advances by the size of its group. Children are ranked and hashed without being built
//! (`expand`), and of equal children only the best is built (`build`). With a learned evaluation
//! more positions are built than can stay; they get a second look, which decides.
//!
//! The limit (`purse`) is shared out among three phases (`phases`). A beam plays the board from its
//! start. Then stages (`stages`) find out which positions early in the game lead to good games, by
//! playing on from many with narrow beams; a long limit goes through them several times. At last the
//! best of these games are annealed (`anneal`): moves are shifted, put in and left out, and the others
//! are made again (`replay`), on a board whose tiles keep their names (`tiles`). Good games are copied
//! and poor ones dropped.

mod anneal;
mod build;
mod expand;
mod game;
mod options;
mod phases;
mod purse;
mod replay;
mod search;
mod stages;
mod tiles;
mod window;

pub use options::{Described, Limit, Observer, Options, Solution, TooLarge, MAX_SIDE};
pub use phases::{improve, observe, solve};
