//! A beam search that knows nothing of any game.
//!
//! Children are light: a move and the scores that it is compared by ([`Scores`]). The best of a
//! layer's candidates are built, duplicates among them dropped, the rest evaluated, and the best of
//! those survive.
//!
//! A move may advance by more than one layer, so that states can be compared at equal numbers of,
//! say, removed tiles rather than moves.
//!
//! The calling thread decides: it admits candidates, selects, and drops duplicates, always in the same order. What a game
//! computes is shared among [threads](Settings::threads) in parts, a few survivors or candidates each. The result does not
//! depend on their number.
//!
//! * `game`: a game, as the beam sees it, and an observer of a search;
//! * `position`: a game without quotas, moves of several layers or candidates; start here;
//! * `search`: the search, layer by layer; `batches`: what the calling thread does with the outputs of the parts;
//!   `growth`: the parts;
//! * `layers`: what is kept for the layers still to come; `arena`: the paths to all survivors;
//! * `admission`: which candidates need not be listed; `selector`: the best of many;
//! * `width`: how wide a layer may be, so that the budget lasts to the end;
//! * `hashes`: which states a layer holds already.

mod admission;
mod arena;
mod batches;
mod game;
mod growth;
mod hashes;
mod layers;
mod position;
mod search;
mod selector;
mod width;

pub use admission::AdmissionThreshold;
pub use game::{Children, Game, ListedHash, Observer};
pub use position::{best_path, Position};
pub use search::{frontier, search, Reached, SearchResult};
pub use selector::{Scores, Selector};
pub use width::{Budget, Clock, Settings};
