//! A beam search that knows nothing of any game.
//!
//! Children are light: a move and the scores that it is compared by ([`Scores`]). The best of a
//! layer's candidates are built, duplicates among them dropped, the rest evaluated, and the best of
//! those survive. The path arena is a flat list of (previous, move).
//!
//! A move may advance by more than one layer, so that states can be compared at equal numbers of,
//! say, removed tiles rather than moves.
//!
//! * `game`: a game, as the beam sees it;
//! * `search`: the search, layer by layer;
//! * `selector`: the best of many candidates; `admission`: the scores that a candidate needs to be
//!   one of them;
//! * `width`: how wide a layer may be, so that the budget lasts to the end;
//! * `hashes`: which states a layer holds already.

mod admission;
mod game;
mod hashes;
mod search;
mod selector;
mod width;

pub use game::{Children, Game, Node};
pub use search::{frontier, search, Reached, SearchResult};
pub use selector::{Scores, QUOTAS};
pub use width::{Budget, Clock, Settings};
