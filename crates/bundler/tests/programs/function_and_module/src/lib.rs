//! `search` is the name of a module, and of its function, which the root re-exports.

mod search;
pub use search::search;
