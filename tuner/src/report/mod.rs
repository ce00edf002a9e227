//! Runs as a page: one HTML file that needs nothing else.
//!
//! * `course`: a run as its ledger records it;
//! * `page`: one or several runs as a page; `plot`: the drawings on it.

mod course;
mod page;
mod plot;

pub use course::{Point, Report};
pub use page::{html, write};
