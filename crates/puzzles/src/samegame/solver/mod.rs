//! A solver: beam searches, followed by annealing of the best games.
//!
//! A layer of the beam consists of the positions with the same number of removed tiles. So a move that
//! removes n tiles leads n layers ahead. The search ranks and hashes each child on a copy of the parent's
//! board, and recounts only the words whose counts can differ (`expand`). Of children with the same board,
//! only the one with the highest value becomes a position (`build`).
//!
//! Three phases (`phases`) share the limit (`budget_tracker`):
//!
//! 1. One beam plays the board from the start.
//! 2. Stages (`stages`) find good early positions by running narrow beams from many of them. With a long
//!    limit, the stages run several times.
//! 3. Annealing (`anneal`) improves the best games. It shifts, inserts or omits moves, and replays the
//!    later moves (`replay`) on a board whose tiles keep their IDs (`tiles`). It copies good games and
//!    drops poor ones.

mod anneal;
mod budget_tracker;
mod build;
mod expand;
mod game;
mod options;
mod phases;
mod replay;
mod search;
mod stages;
mod tiles;

pub use options::{Limit, MAX_SIDE, Options, Solution};
pub use phases::{improve, solve};
