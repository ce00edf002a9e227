//! `search` is a module and, at the root, its function.

mod search;
pub use search::search;
