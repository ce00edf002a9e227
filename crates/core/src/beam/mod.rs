//! A beam search for any game.
//!
//! A listed child is cheap: a move, the scores ([`Scores`]) by which candidates are compared, and a hash if
//! the game knows it already. For each layer, the search builds the best candidates, drops duplicates,
//! evaluates the remaining states, and keeps the best as survivors. The paths to the survivors are in the
//! path arena, a flat list of (previous, move) pairs.
//!
//! A move may advance by more than one layer, so that states can be compared at equal numbers of,
//! say, removed tiles rather than moves.
//!
//! * [`Position`] and [`find_best_path`]: the simple interface. It has one quota, every move leads to the
//!   next layer, and the children are complete positions;
//! * [`Game`] and [`search`](search()): the whole interface; [`search_repeatedly`]: repeats a search while
//!   enough of the budget is left; [`Observer`]: follows the progress of a search;
//! * [`Budget`]: the limit of a search; [`Meter`]: measures what is spent, from a clock or from the
//!   [`Costs`]; [`Settings`]: the width of the beam, and how it is filled.

mod admission;
mod costs;
mod game;
mod hashes;
mod layers;
mod position;
mod repeat;
mod search;
mod selector;
#[cfg(feature = "threads")]
mod threads;
mod width;

pub use costs::Costs;
pub use game::{Children, Game, Observer};
pub use position::{Position, find_best_path};
pub use repeat::search_repeatedly;
pub use search::{ReachedState, SearchResult, search, search_frontier};
pub use selector::Scores;
#[cfg(feature = "threads")]
pub use threads::search_on_threads;
pub use width::{Budget, Clock, Meter, Settings};
