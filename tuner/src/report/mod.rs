//! Draws runs on a page: one self-contained HTML file.
//!
//! `page` formats the page of one or several runs, and `plot` draws its plots.

mod page;
mod plot;

pub use page::{Report, html, write};
