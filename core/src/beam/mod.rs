//! A beam search that knows nothing of any game.
//!
//! Children are light: a move and the scores that it is compared by ([`Scores`]). The best of a
//! layer's candidates are built, duplicates among them dropped, the rest evaluated, and the best of
//! those survive. The path arena is a flat list of (previous, move).
//!
//! A move may advance by more than one layer, so that states can be compared at equal numbers of,
//! say, removed tiles rather than moves.
//!
//! * `game`: a game, as the beam sees it, and an observer of a search;
//! * `position`: a game without quotas, moves of several layers or candidates; start here;
//! * `search`: the search, layer by layer; `layers`: what is kept for those still to come;
//! * `selector`: the best of many candidates;
//! * `width`: how wide a layer may be, so that the budget lasts to the end;
//! * `hashes`: which states a layer holds already;
//! * `ahead`: a search on several threads.

#[cfg(feature = "threads")]
mod ahead;
mod game;
mod hashes;
mod layers;
mod position;
mod search;
mod selector;
mod width;

#[cfg(feature = "threads")]
pub use ahead::{search_ahead, Copies};
pub use game::{Children, Game, ListedHash, Node, Observer};
pub use position::{best_path, Position};
pub use search::{frontier, search, Reached, SearchResult};
pub use selector::{Scores, Selector};
pub use width::{Budget, Clock, Settings};
