//! Draws runs on a page: one self-contained HTML file.
//!
//! `page` formats the page of one or several runs, `plot` draws the plots on it.

mod page;
mod plot;

pub use page::{Report, html, write};
