//! Runs as a page: one HTML file that needs nothing else.
//!
//! `page` has one or several runs, `plot` the drawings on it.

mod page;
mod plot;

pub use page::{html, write, Report};
